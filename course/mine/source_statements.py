"""Blocks: the statements of a Python file as text, to be replaced, added, and put in order."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO
from symtable import SymbolTable, symtable

DEFINITION = ("def ", "class ", "@", "async ")
COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp", "genexpr")


@dataclass(frozen=True)
class Block:
    """A statement, or several on one line, as text, with the blank lines and comments above it.

    Each line of `above` ends with a newline; `source` does not.
    """

    source: str
    above: str = ""

    @cached_property
    def names(self) -> set[str]:
        """The names that the statement defines.

        >>> sorted(Block("from random import choice as pick").names)
        ['pick']
        >>> sorted(Block("low, (high, *rest) = values").names)
        ['high', 'low', 'rest']
        """
        return {
            symbol.get_name()
            for symbol in self._table.get_symbols()
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
        }

    @cached_property
    def uses(self) -> set[str]:
        """The names that the statement, or a function in it, uses and does not define.

        >>> sorted(Block("def f(line=START): return g(line) + [ZERO]").uses)
        ['START', 'ZERO', 'g']
        """
        return set(_used(self._table, lazily=True)) - self.names

    @cached_property
    def uses_at_once(self) -> set[str]:
        """The names that must be defined before the statement is run.

        >>> sorted(Block("class Mine(Base):\\n    def f(self): return g(self)").uses_at_once)
        ['Base']
        """
        return set(_used(self._table, lazily=False)) - self.names

    @property
    def sets_for_all(self) -> set[str]:
        """The names that functions in the statement declare as `global` and set."""
        inner = list(self._table.get_children())
        for table in inner:  # the loop adds the tables inside of each table to the list
            inner += table.get_children()
        symbols = [symbol for table in inner for symbol in table.get_symbols()]
        return {s.get_name() for s in symbols if s.is_declared_global() and s.is_assigned()}

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """The statement; if there are several on one line, all of them."""
        return ast.parse(self.source).body

    @property
    def imports(self) -> list[tuple[ast.Import | ast.ImportFrom, ast.alias]]:
        """A pair (statement, alias) for each name that the block imports."""
        nodes = [node for node in self.statements if isinstance(node, ast.Import | ast.ImportFrom)]
        return [(node, alias) for node in nodes for alias in node.names]

    @property
    def is_import(self) -> bool:
        return all(isinstance(node, ast.Import | ast.ImportFrom) for node in self.statements)

    def says(self, other: "Block") -> bool:
        """Return true if this block has the code of `other`, or imports all that `other` does."""
        if self.is_import and other.is_import:
            mine, theirs = (
                {(getattr(node, "module", None), each.name, each.asname) for node, each in imports}
                for imports in (self.imports, other.imports)
            )
            return theirs <= mine
        return list(map(ast.dump, self.statements)) == list(map(ast.dump, other.statements))

    @cached_property
    def _table(self) -> SymbolTable:
        return symtable(self.source, "source", "exec")


def first_line(node: ast.stmt) -> int:
    """Return the number of the first line of a statement, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def stands_alone(node: ast.stmt) -> bool:
    """Return true if a statement only defines names, so that it can safely be moved."""
    if isinstance(node, ast.Assign):
        every = [part for target in node.targets for part in ast.walk(target)]
        return not any(isinstance(part, ast.Attribute | ast.Subscript) for part in every)
    if isinstance(node, ast.AnnAssign):
        return node.value is not None and isinstance(node.target, ast.Name)
    one = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    return isinstance(node, one) or type(node).__name__ == "TypeAlias"


def blocks_of(text: str) -> tuple[list[Block], str]:
    """Return the blocks of a file or cell, and the text below the last of them.

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
    """Return the text of a file that consists of these blocks and the text `below` them."""
    return "".join(f"{block.above}{block.source}\n" for block in blocks) + below


def put(blocks: list[Block], new: Block) -> tuple[list[Block], list[Block]]:
    """Put `new` in the place of the blocks that define the same names, unless it is there already.

    An old block stays if it also defines other names, or if it does more than define names; then
    `new` is put below it. If no block defines the names, `new` is added. Return two lists: all
    blocks, `new` among them, and the old blocks that were replaced.
    """
    there = [block for block in blocks if block.names & new.names]
    if there and (there[-1].source == new.source or (new.is_import and there[-1].says(new))):
        return blocks, []
    old = [
        block
        for block in there
        if block.names <= new.names and all(map(stands_alone, block.statements))
    ]
    if there and there[-1] in old:
        rest = [block for block in blocks if block is old[-1] or block not in old]
        place = rest.index(old[-1])
        rest[place] = replace(new, above="".join(block.above for block in old))
        return rest, old
    if not there and new.source.startswith(DEFINITION):
        return [*blocks, replace(new, above="\n\n")], []
    place = blocks.index(there[-1]) + 1 if there else _below_head(blocks, new)
    is_first_value = place > 0 and blocks[place - 1].is_import and not new.is_import
    new = replace(new, above="\n" if is_first_value else "")
    return [*blocks[:place], new, *blocks[place:]], []


def in_order(blocks: list[Block], deeply: bool = False) -> list[Block]:
    """Return the blocks in an order in which each stands below the blocks that it needs to run.

    If `deeply` is true, a block also stands below the blocks that are needed by the functions that
    it may call. If all blocks that are left need others of them, the first comes next.
    """
    left, done = list(blocks), list[Block]()
    while left:
        bound = {name for block in done for name in block.names}
        for number, block in enumerate(left):
            needs, new = set[str](), block.uses_at_once
            while new - needs:
                needs |= new
                users = [other for other in blocks if other.names & new] if deeply else []
                new = {name for other in users for name in other.uses}
            before = any(other.names & block.names for other in left[:number])
            others = [other for other in left if other is not block]
            if not before and not any(other.names & (needs - bound) for other in others):
                break
        else:
            number = 0
        done.append(left.pop(number))
    return done


def _below_head(blocks: list[Block], new: Block) -> int:
    """Return the index at which to insert a new block: below the imports of the file.

    A block that is no import goes also below the assignments that follow the imports. An import
    from `__future__` goes to the top, below the docstring of the file.
    """
    if "from __future__" in new.source:
        return 1 if blocks and isinstance(blocks[0].statements[0], ast.Expr) else 0
    place = max([number for number, block in enumerate(blocks, 1) if block.is_import], default=0)
    if not new.is_import:
        for block in blocks[place:]:
            if not isinstance(block.statements[0], ast.Assign | ast.AnnAssign):
                break
            place += 1
    return place


def _used(table: SymbolTable, lazily: bool) -> Iterator[str]:
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for inner in table.get_children():
        if lazily or inner.get_type() != "function" or inner.get_name() in COMPREHENSIONS:
            yield from _used(inner, lazily)
