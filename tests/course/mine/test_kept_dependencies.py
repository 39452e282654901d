"""All that a kept function needs from its notebook is saved with it, or a message says why not."""

import sys
from pathlib import Path

import pytest

from course.mine.keeping import keep, kept
from course.refusal import Refusal
from tests.parametrize_marks import one_in

MERGE = "def merge(line):\n    return {}\n"


IN_CELLS = {
    "object": (["from random import Random\nDICE = Random(1)"], "DICE.choice([3])", 3),
    "attribute": (["import random\nDICE = random.Random(1)"], "DICE.choice([3])", 3),
    "star": (["(LOW, *REST), HIGH = [1, 2, 3], 4"], "[LOW, REST, HIGH]", [1, [2, 3], 4]),
    "two names for one value": (["A = B = [5]"], "A + B", [5, 5]),
    "annotated value": (["SIZE: int = 4"], "SIZE", 4),
    "lambda": (["twice = lambda tile: 2 * tile"], "twice(line[0])", 4),
    "import as": (["import math as m"], "m.floor(2.5)", 2),
    "submodule": (["import os.path"], "os.path.basename('a/b')", "b"),
    "imports": (["from math import floor, ceil as up"], "[floor(2.5), up(2.5)]", [2, 3]),
    "star import": (["from math import *"], "floor(pi)", 3),
    "partial": (["import functools\npad = functools.partial(max, 7)"], "pad(2)", 7),
    "loop at the top": (["for size in (2, 4):\n    pass"], "size", 4),
    "with": (["import io\nwith io.StringIO('8') as f:\n    BEST = f.read()"], "BEST", "8"),
    "list filled later": (["BEST = []", "BEST.append(4)"], "BEST", [4]),
    "dictionary filled later": (["BEST = {}", "BEST[2] = 4"], "BEST", {2: 4}),
    "counted on": (["COUNT = 1", "COUNT += 1"], "COUNT", 2),
    "value from a value": (["START = 2\nSIZE = START + 2"], "SIZE", 4),
    "value from a helper of a helper": (
        ["def four():\n    return two() * 2\n", "def two():\n    return 2\n", "SIZE = four()"],
        "SIZE",
        4,
    ),
    "dataclass": (
        ["from dataclasses import dataclass\n@dataclass\nclass Tile:\n    value: int = 8\n"],
        "Tile().value",
        8,
    ),
    "dataclass with annotations for later": (
        [
            "from __future__ import annotations\nfrom dataclasses import dataclass",
            "@dataclass\nclass Tile:\n    value: Later = 8\n",
        ],
        "Tile().value",
        8,
    ),
    "NamedTuple": (
        ["from typing import NamedTuple\nclass Tile(NamedTuple):\n    value: int = 8\n"],
        "Tile().value",
        8,
    ),
    "Enum": (["from enum import Enum\nclass Way(Enum):\n    LEFT = 8\n"], "Way.LEFT.value", 8),
    "base class": (
        ["class Root:\n    size = 8\n", "class Tile(Root):\n    pass\n"],
        "Tile.size",
        8,
    ),
    "cache": (["from functools import cache\n@cache\ndef pad():\n    return 8\n"], "pad()", 8),
    "attribute of an attribute": (
        ["from types import SimpleNamespace as Space\nrules = Space(line=Space(size=8))"],
        "rules.line.size",
        8,
    ),
    "names of Jupyter": ([], "open and display and get_ipython and 4", 4),
    "two on one line": (["ZERO = 0 ; ONE = 1"], "[ZERO, ONE]", [0, 1]),
    "own piece": (["def close_gaps(line):\n    return [9]\n"], "close_gaps(line)", [9]),
}


@pytest.mark.parametrize(
    ("needs", "answer", "gives"),
    one_in(3, [pytest.param(*case, id=name) for name, case in IN_CELLS.items()]),
)
def test_what_a_function_needs_is_kept_with_it(cell, lesson, needs, answer, gives):
    for source in needs:
        cell(source)
    keep(cell(MERGE.format(answer)))
    assert kept("merge")([2]) == gives
    before = lesson.read_text()
    keep(cell(MERGE.format(answer)))
    assert lesson.read_text() == before


WRAPS = """import functools
def twice(f):
    @functools.wraps(f)
    def g(line):
        return f(line) * 2
    return g
"""
IN_FIRST_LINES = {
    "default": ("SIZE = [4]", "def merge(line, size=SIZE):\n    return size\n", [4]),
    "annotation": (
        "Board = list[list[int]]",
        "def merge(line: Board) -> Board:\n    return [4]\n",
        [4],
    ),
    "class annotated": (
        "class Line(list):\n    pass\n",
        "def merge(line: Line):\n    return [4]\n",
        [4],
    ),
    "decorator that wraps": (WRAPS, "@twice\ndef merge(line):\n    return [4]\n", [4, 4]),
    "decorator with a value": (
        "def by(n):\n    return lambda f: lambda line: [n]\nN = 4",
        "@by(N)\ndef merge(line):\n    pass\n",
        [4],
    ),
    "lambda with a name": ("SIZE = 4", "merge = lambda line: [SIZE]", [4]),
}


@pytest.mark.parametrize(("needs", "source", "gives"), IN_FIRST_LINES.values(), ids=IN_FIRST_LINES)
def test_what_the_first_line_needs_is_kept_too(cell, lesson, needs, source, gives):
    cell(needs)
    keep(cell(source))
    assert kept("merge")([2]) == gives


def test_what_is_needed_stands_above_what_was_kept_earlier(cell, lesson):
    keep(cell(MERGE.format("line")))
    cell("def four(f):\n    return lambda line: [4]\n")
    keep(cell("@four\ndef merge(line):\n    pass\n"))
    assert kept("merge")([2]) == [4]


def test_an_own_game_takes_its_place_below_a_special_one_that_was_kept_before(cell, lesson):
    cell("from course.rules import Game")
    keep(cell("class SpecialGame(Game):\n    special = True\n", "SpecialGame"))
    keep(cell("class Game:\n    mine = True\n", "Game"))
    assert kept("SpecialGame").mine


def test_a_global_name_is_kept_if_a_function_reads_it_and_not_if_it_only_sets_it(cell, lesson):
    cell("calls = 1\ntries = 1")
    cell("last = []")
    sets = "global calls, tries, last\n    calls += 1\n    tries += 1\n    last = line\n"
    merge = cell(f"def merge(line):\n    {sets}    return [calls]\n")
    merge([2])
    keep(merge)
    assert kept("merge")([2]) == [2]
    assert "calls = 1\ntries = 1\n" in lesson.read_text()
    assert "last = [" not in lesson.read_text()


def test_the_latest_cell_counts(cell, lesson):
    cell("SIZE = 3 - 2")
    cell("SIZE = 3 - 1")
    keep(cell(MERGE.format("SIZE")))
    assert "SIZE = 3 - 1" in lesson.read_text()


def test_keeping_says_what_went_with_it(cell, lesson, capsys):
    cell("import math\nSIZE = 4\ndef pad(line):\n    return line + [math.floor(SIZE)]\n")
    keep(cell(MERGE.format("pad(line)")))
    assert "Kept merge in my_2048.py, with SIZE, pad." in capsys.readouterr().out
    keep(cell(MERGE.format("pad([2])")))
    assert "Kept merge in my_2048.py.\n" in capsys.readouterr().out


def test_a_piece_that_is_not_written_yet_is_not_kept_with_another(cell, lesson):
    cell("def close_gaps(line):\n    raise NotImplementedError()\n")
    keep(cell(MERGE.format("close_gaps(line)")))
    assert kept("merge")([0, 2]) == [2, 0]


REFUSED = {
    "missing": ([], "padd(line)", "padd means nothing in this notebook: define it"),
    "missing below": (["def pad(line):\n    return paddd\n"], "pad(line)", "pad uses paddd"),
    "with": (
        ["import io\nwith io.StringIO() as PAGE:\n    pass"],
        "PAGE",
        "PAGE what it is: give it its value in one line",
    ),
    "attribute set later": (
        ["from types import SimpleNamespace\nbest = SimpleNamespace()", "best.tile = 4"],
        "best.tile",
        "best what it is: give it its value in one line",
    ),
    "no cell": (
        ["BEST = [1][0]", "__x = In.clear(); BEST = object()", "In.clear()"],
        "BEST",
        "source of BEST is not known any more",
    ),
    "fails in the file": (
        [
            "import sys\nSIZE = len(sys.argv[9999:]) or None\nTILE = SIZE or int('4')",
            "def int(x):\n    raise RuntimeError('no number')\n",
        ],
        "TILE",
        "would not run with it: RuntimeError: no number",
    ),
    "kept before": (
        ["from course import kept\nold = kept('slide')"],
        "old(line)",
        "old, which is what was kept before",
    ),
}


@pytest.mark.parametrize(("needs", "answer", "says"), REFUSED.values(), ids=REFUSED)
def test_what_can_not_be_kept_is_said_and_the_file_stays(cell, lesson, needs, answer, says):
    keep(cell("def slide(board, direction):\n    return board\n", "slide"))
    before = lesson.read_text()
    for source in needs:
        cell(source)
    merge = cell(MERGE.format(answer))
    with pytest.raises(Refusal, match=says):
        keep(merge)
    assert lesson.read_text() == before
    assert list(lesson.parent.glob("*earlier*")) == []


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("import my_helpers", "my_helpers.pad(line)"),
        ("import my_helpers as m", "m.pad(line)"),
        ("from my_helpers import pad", "pad(line)"),
        ("from my_helpers import *", "pad(line)"),
    ],
)
def test_a_file_beside_the_notebook_is_said(cell, lesson, monkeypatch, source, call):
    Path("my_helpers.py").write_text("def pad(line):\n    return line\n")
    monkeypatch.syspath_prepend(str(Path.cwd()))
    monkeypatch.delitem(sys.modules, "my_helpers", raising=False)
    cell(source)
    with pytest.raises(Refusal, match=r"your file my_helpers.py"):
        keep(cell(MERGE.format(call)))


def test_what_an_earlier_lesson_kept_is_there_already(cell, lesson, other_lesson):
    keep(cell(MERGE.format("[8]")))
    cell = other_lesson()
    cell("from course import kept\nmerge = kept('merge')\nrotate = kept('rotate')")
    source = (
        "def slide(board, direction):\n    return [merge(row) for row in board] + rotate([[1]])\n"
    )
    keep(cell(source, "slide"))
    assert kept("slide")([[0]], "left") == [[8], [1]]


def test_a_value_with_the_name_of_a_rule_changes_nothing_for_the_courses_functions(cell, lesson):
    cell("points = 12")
    cell("from course.rules import Game")
    keep(cell("class SpecialGame(Game):\n    best = points\n", "SpecialGame"))
    game = kept("SpecialGame")(1, 2)
    game.board = [[2, 2]]
    assert game.move("left")


def test_a_text_with_odd_ends_of_lines_is_kept_as_it_is(cell, lesson):
    cell("PAGE = 'a\x0cb\u2028c'\nSIZE = 4")
    keep(cell(MERGE.format("[PAGE, SIZE]")))
    keep(cell(MERGE.format("[SIZE, PAGE]")))
    assert kept("merge")([2]) == [4, "a\x0cb\u2028c"]


FILL = "from course import add_to\n@add_to(Basket)\ndef fill(self):\n    return 7\n"
SIZE = "    def size(self):\n        return 4\n"
BASKETS = {
    "no method": "class Basket:\n  apples = 3\n",
    "one line": "class Basket: apples = 3",
    "stubs": "class Basket:\n    def fill(self):\n        raise NotImplementedError()\n",
    "static": f"class Basket:\n    @staticmethod\n{SIZE}",
    "dataclass": f"import dataclasses as d\n@d.dataclass\nclass Basket:\n    n: int = 3\n{SIZE}",
    "enum": f"from enum import Enum\nclass Basket(Enum):\n    RED = 3\n{SIZE}",
    "wrapped": f"def same(f):\n    return lambda self: f(self)\nclass Basket:\n    @same\n{SIZE}",
}


@pytest.mark.parametrize("source", BASKETS.values(), ids=BASKETS)
def test_what_was_added_to_a_class_is_kept_whatever_the_class_has_itself(cell, lesson, source):
    cell(source)
    basket = cell(FILL, "Basket")
    keep(basket)
    assert kept("Basket").fill(None) == 7
    assert {*dir(kept("Basket"))} == {*dir(basket)}


@pytest.mark.parametrize(
    "sources",
    [["class Basket:\n    n = 3", "Basket.m = 4"], ["Basket = type('Basket', (), {'n': 3})"]],
    ids=["set from outside", "called for"],
)
def test_a_class_that_is_not_all_in_its_cell_is_refused(cell, lesson, sources):
    for source in [*sources, FILL]:
        cell(source)
    with pytest.raises(Refusal, match="its cell alone does not make Basket what it is"):
        keep(cell("", "Basket"))
    assert not lesson.exists()


# Several kept functions may need helpers, imports or values with the same name.


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("def random(line):\n    return line\n", "def random(line, height):\n    pass\n"),
        ("import random", "from random import random"),
    ],
)
def test_another_helper_or_import_of_the_same_name_does_not_take_its_place(
    cell, lesson, other_lesson, first, second
):
    cell(first)
    keep(cell(MERGE.format("random and line")))
    before = lesson.read_text()
    cell = other_lesson()
    cell(second)
    with pytest.raises(Refusal, match=r"slide is not kept, because merge .* uses another random"):
        keep(cell("def slide(board, direction):\n    return random()\n", "slide"))
    assert lesson.read_text() == before


def test_imports_that_stand_on_one_line_are_kept_one_by_one(cell, lesson):
    cell("from math import floor; import os")
    keep(cell(MERGE.format("[floor(2.5)]")))
    keep(cell("def slide(board, direction):\n    return os.sep\n", "slide"))
    assert "from math import floor\nimport os\n" in lesson.read_text()
    assert (kept("merge")([0]), kept("slide")([[0]], "left")) == ([2], "/")


def test_a_helper_that_got_better_is_kept_for_all_that_share_it(cell, lesson):
    cell("def pad(line):\n    return [1]\n")
    keep(cell(MERGE.format("pad(line)")))
    keep(cell("def slide(board, direction):\n    return pad(board)\n", "slide"))
    cell("def pad(line):\n    return [2]\n")
    keep(cell(MERGE.format("pad(line)")))
    assert kept("merge")([0]) == [2]
    assert kept("slide")([[0]], "left") == [2]


def test_a_value_among_others_on_its_line_does_not_take_the_others_away(cell, lesson):
    cell("LOW, HIGH = 2, 4")
    keep(cell(MERGE.format("[LOW, HIGH]")))
    cell("LOW = 3")
    keep(cell(MERGE.format("[LOW, HIGH]")))
    assert kept("merge")([0]) == [3, 4]


def test_a_name_of_the_learners_own_changes_nothing_for_the_courses_functions(cell, lesson):
    cell("DIRECTIONS = ['d']\nQUARTER_TURNS = {}")
    source = (
        "def take_turn(board, direction, rng):\n    return slide(board, DIRECTIONS and direction)\n"
    )
    keep(cell(f"{source}    QUARTER_TURNS\n", "take_turn"))
    assert kept("take_turn")([[0, 2]], "left", None) == [[2, 0]]
