"""The source of code that runs: its function, its statements, and its colours."""

import ast
import linecache
from itertools import count

import pytest

from course.steps.function_source import block_of, coloured, span
from course.steps.record_call import record

cells = count()


def cell(source: str) -> dict:
    """Run a source as a notebook runs a cell; return the names that it has defined."""
    file = f"<a cell {next(cells)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    world: dict = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), world)  # noqa: S102 — this is what a notebook does
    return world


CELL = """ZERO = 0

class Line:
    length = 4

    @property
    def size(self):
        return self.length

def outer(line):
    def inner(tile):
        return tile
    return [inner(tile) for tile in line]

if True:
    def hidden():
        pass

double = lambda tile: 2 * tile
"""


@pytest.mark.parametrize(
    ("find", "name", "first", "lines"),
    [
        (lambda world: world["Line"].size.fget, "Line.size", 6, 3),
        (lambda world: world["outer"], "outer", 10, 4),
        (lambda world: world["outer"].__code__.co_consts[1], "outer", 10, 4),
        (lambda world: world["hidden"], "hidden", 16, 2),
        (lambda world: world["double"], "", 19, 1),
    ],
    ids=["a property", "a function", "a helper inside", "below an if", "a lambda"],
)
def test_a_block_is_the_function_or_method_around_the_code(find, name, first, lines) -> None:
    found = find(cell(CELL))
    block = block_of(getattr(found, "__code__", found))
    assert block is not None
    assert (block.name, block.first, len(block.as_json()["lines"])) == (name, first, lines)
    assert not block.text.startswith(" ")


def test_code_whose_source_is_not_known_has_no_block_and_still_runs() -> None:
    world: dict = {"__name__": "__main__"}
    exec("def merge(line): return line", world)  # noqa: S102
    assert block_of(world["merge"].__code__) is None
    assert record(world["merge"], ([2],)).answer == [2]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("while (a and\n       b):\n    # why\n    pass", (1, 2)),
        ("if a: pass", (1, 1)),
        ("with a, b:\n    pass", (1, 1)),
        ("try:\n    pass\nfinally:\n    pass", (1, 1)),
        ("a = [\n    1,\n]", (1, 3)),
        ("match a:\n    case 1:\n        pass", (1, 1)),
    ],
    ids=["while", "one line", "with", "try", "list", "match"],
)
def test_a_statement_spans_its_head(source, lines) -> None:
    assert span(ast.parse(source).body[0]) == lines


@pytest.mark.parametrize("source", ["def f(:\n  'x", "x = '''a\nb'''\n# end", "\n\nreturn 0"])
def test_colours_lose_no_letter(source) -> None:
    written = ["".join(part for part, _ in line) for line in coloured(source)]
    assert written == source.splitlines()
