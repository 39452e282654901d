"""Blocks: the text of a Python file, statement by statement; a new one replaces an old one."""

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO

from course.mine.sources import (
    bound_names,
    first_line,
    names_used_at_once,
    stands_alone,
    used_names,
)

DEFINITION = ("def ", "class ", "@", "async ")


@dataclass(frozen=True)
class Block:
    """A statement, and the blank lines and comments above it, each with its end of line."""

    source: str
    above: str = ""

    @cached_property
    def names(self) -> set[str]:
        """The names that the statement gives a meaning."""
        return bound_names(self.source)

    @cached_property
    def uses(self) -> set[str]:
        """The names that the statement takes from elsewhere, sooner or later."""
        return used_names(self.source) - self.names

    @cached_property
    def uses_at_once(self) -> set[str]:
        """The names that must have a meaning before the statement is run."""
        return names_used_at_once(self.source) - self.names

    @cached_property
    def node(self) -> ast.stmt:
        """The statement; of several on one line, the first."""
        return ast.parse(self.source).body[0]

    @property
    def is_import(self) -> bool:
        """True if the statement is an import."""
        return isinstance(self.node, ast.Import | ast.ImportFrom)

    def says(self, other: "Block") -> bool:
        """Return true if this block gives the names of another the same meaning.

        An import may also bring in other names.
        """
        if self.is_import and other.is_import:
            return _imports(other.node) <= _imports(self.node)
        return ast.dump(ast.parse(self.source)) == ast.dump(ast.parse(other.source))


def blocks_of(text: str) -> tuple[list[Block], str]:
    """The statements of a file, and what stands below the last one.

    Raises `SyntaxError` if the text is not Python.

    >>> blocks_of("import random\\n\\n# two\\nBEST = 2\\n# the end\\n")[1]
    '# the end\\n'
    """
    lines = list(StringIO(text))
    blocks: list[Block] = []
    end = 0
    for node in ast.parse(text).body:
        start = first_line(node) - 1
        above = "".join(lines[end:start])
        if start < end:  # one more statement on the same line
            before = blocks.pop()
            start, above = end - before.source.count("\n") - 1, before.above
        end = max(end, node.end_lineno or 0)
        blocks.append(Block("".join(lines[start:end]).rstrip("\n"), above))
    return blocks, "".join(lines[end:])


def joined(blocks: Iterable[Block], below: str = "") -> str:
    """Return the text of a file again, from its blocks."""
    return "".join(f"{block.above}{block.source}\n" for block in blocks) + below


def put(blocks: list[Block], source: str) -> tuple[list[Block], list[Block]]:
    """Put a statement among blocks, in the place of those that gave its names a meaning.

    A block that also gives other names a meaning stays, and the new one stands below it. Returns
    the new blocks, and those that were replaced by something else.
    """
    new = Block(source)
    there = [block for block in blocks if block.names & new.names]
    if there and (there[-1].source == source or (new.is_import and there[-1].says(new))):
        return blocks, []
    old = [block for block in there if block.names <= new.names and stands_alone(block.node)]
    if there and there[-1] in old:
        rest = [block for block in blocks if block is old[-1] or block not in old]
        place = rest.index(old[-1])
        rest[place] = replace(new, above="".join(block.above for block in old))
        return rest, old
    if there:
        return _inserted(blocks, blocks.index(there[-1]) + 1, new), []
    if source.startswith(DEFINITION):
        return [*blocks, replace(new, above="\n\n")], []
    return _inserted(blocks, _after_head(blocks, new), new), []


def users_of(names: Collection[str], blocks: list[Block]) -> list[str]:
    """Return the names of the blocks that use some of these names."""
    return [name for block in blocks if block.uses & set(names) for name in sorted(block.names)]


def in_order(blocks: list[Block], deeply: bool = False) -> list[Block]:
    """Return the blocks, each below those that it needs at once, and else in the order they had.

    With `deeply`, a block also stands below those that are needed only by functions that it may
    call.
    """
    left, done = list(blocks), list[Block]()
    while left:
        bound = {name for block in done for name in block.names}
        needs = [_needs(block, blocks if deeply else []) - bound for block in left]
        ready = (n for n, block in enumerate(left) if not _waits(n, needs[n], left))
        done.append(left.pop(next(ready, 0)))
    return done


def _waits(number: int, needs: set[str], left: list[Block]) -> bool:
    """Return true if a block must stand below another one of those that are left."""
    block = left[number]
    return any(other.names & block.names for other in left[:number]) or any(
        other.names & needs for other in left if other is not block
    )


def _needs(block: Block, every: list[Block]) -> set[str]:
    needs: set[str] = set()
    new = block.uses_at_once
    while new - needs:
        needs |= new
        new = {name for other in every if other.names & new for name in other.uses}
    return needs


def _imports(node: ast.stmt) -> set[tuple[str | None, str, str | None]]:
    """Return what an import brings in, as (module, name, new name).

    The module is `None` for a plain `import`; the new name is `None` if there is no `as`.
    """
    assert isinstance(node, ast.Import | ast.ImportFrom)
    home = node.module if isinstance(node, ast.ImportFrom) else None
    return {(home, alias.name, alias.asname) for alias in node.names}


def _after_head(blocks: list[Block], new: Block) -> int:
    """Return the place below the imports; for a value, also below the values that follow them."""
    if "from __future__" in new.source:
        return 1 if blocks and isinstance(blocks[0].node, ast.Expr) else 0
    imports = [number for number, block in enumerate(blocks) if block.is_import]
    place = imports[-1] + 1 if imports else 0
    while not new.is_import and place < len(blocks):
        if not isinstance(blocks[place].node, ast.Assign | ast.AnnAssign):
            break
        place += 1
    return place


def _inserted(blocks: list[Block], place: int, new: Block) -> list[Block]:
    is_first_value = place > 0 and blocks[place - 1].is_import and not new.is_import
    above = "\n" if is_first_value else ""
    return [*blocks[:place], replace(new, above=above), *blocks[place:]]
