"""Whatever a kept function needs from its notebook goes into the file, or is said."""

import sys
from pathlib import Path

import pytest

from course.mine.keeping import keep, kept
from course.refusal import Refusal
from tests.tiers import one_in

MERGE = "def merge(line):\n    return {}\n"


@pytest.mark.parametrize(
    ("needs", "answer", "gives"),
    one_in(
        3,
        [
            pytest.param(
                ["from random import Random\nDICE = Random(1)"], "DICE.choice([3])", 3, id="object"
            ),
            pytest.param(
                ["import random\nDICE = random.Random(1)"], "DICE.choice([3])", 3, id="attribute"
            ),
            pytest.param(["LOW, HIGH = 2, 4"], "[LOW, HIGH]", [2, 4], id="tuple assignment"),
            pytest.param(
                ["(LOW, *REST), HIGH = [1, 2, 3], 4"],
                "[LOW, REST, HIGH]",
                [1, [2, 3], 4],
                id="star",
            ),
            pytest.param(["A = B = [5]"], "A + B", [5, 5], id="two names for one value"),
            pytest.param(["SIZE: int = 4"], "SIZE", 4, id="annotated value"),
            pytest.param(["twice = lambda tile: 2 * tile"], "twice(line[0])", 4, id="lambda"),
            pytest.param(["import math as m"], "m.floor(2.5)", 2, id="import as"),
            pytest.param(["import os.path"], "os.path.basename('a/b')", "b", id="submodule"),
            pytest.param(
                ["from math import floor, ceil as up"],
                "[floor(2.5), up(2.5)]",
                [2, 3],
                id="imports",
            ),
            pytest.param(["from math import *"], "floor(pi)", 3, id="star import"),
            pytest.param(
                ["import functools\npad = functools.partial(max, 7)"], "pad(2)", 7, id="partial"
            ),
            pytest.param(["for size in (2, 4):\n    pass"], "size", 4, id="loop at the top"),
            pytest.param(
                ["import io\nwith io.StringIO('8') as f:\n    BEST = f.read()"],
                "BEST",
                "8",
                id="with",
            ),
            pytest.param(["BEST = []", "BEST.append(4)"], "BEST", [4], id="list filled later"),
            pytest.param(
                ["BEST = {}", "BEST[2] = 4"], "BEST", {2: 4}, id="dictionary filled later"
            ),
            pytest.param(["COUNT = 1", "COUNT += 1"], "COUNT", 2, id="counted on"),
            pytest.param(["START = 2\nSIZE = START + 2"], "SIZE", 4, id="value from a value"),
            pytest.param(
                ["def four():\n    return 4\n", "SIZE = four()"],
                "SIZE",
                4,
                id="value from a helper",
            ),
            pytest.param(
                [
                    "def four():\n    return two() * 2\n",
                    "def two():\n    return 2\n",
                    "SIZE = four()",
                ],
                "SIZE",
                4,
                id="value from a helper of a helper",
            ),
            pytest.param(
                [
                    "from dataclasses import dataclass\n"
                    "@dataclass\nclass Tile:\n    value: int = 8\n"
                ],
                "Tile().value",
                8,
                id="dataclass",
            ),
            pytest.param(
                [
                    "from __future__ import annotations\nfrom dataclasses import dataclass",
                    "@dataclass\nclass Tile:\n    value: Later = 8\n",
                ],
                "Tile().value",
                8,
                id="dataclass with annotations for later",
            ),
            pytest.param(
                ["from typing import NamedTuple\nclass Tile(NamedTuple):\n    value: int = 8\n"],
                "Tile().value",
                8,
                id="NamedTuple",
            ),
            pytest.param(
                ["from collections import namedtuple\nTile = namedtuple('Tile', 'value')"],
                "Tile(8).value",
                8,
                id="namedtuple",
            ),
            pytest.param(
                ["from enum import Enum\nclass Way(Enum):\n    LEFT = 8\n"],
                "Way.LEFT.value",
                8,
                id="Enum",
            ),
            pytest.param(
                ["class Root:\n    size = 8\n", "class Tile(Root):\n    pass\n"],
                "Tile.size",
                8,
                id="base class",
            ),
            pytest.param(
                ["from functools import cache\n@cache\ndef pad():\n    return 8\n"],
                "pad()",
                8,
                id="cache",
            ),
            pytest.param(
                ["from types import SimpleNamespace as Space\nrules = Space(line=Space(size=8))"],
                "rules.line.size",
                8,
                id="attribute of an attribute",
            ),
            pytest.param([], "open and display and get_ipython and 4", 4, id="names of Jupyter"),
            pytest.param(["ZERO = 0 ; ONE = 1"], "[ZERO, ONE]", [0, 1], id="two on one line"),
            pytest.param(
                ["def close_gaps(line):\n    return [9]\n"], "close_gaps(line)", [9], id="own piece"
            ),
        ],
    ),
)
def test_what_a_function_needs_is_kept_with_it(cell, lesson, needs, answer, gives):
    for source in needs:
        cell(source)
    keep(cell(MERGE.format(answer)))
    assert kept("merge")([2]) == gives
    before = lesson.read_text()
    keep(cell(MERGE.format(answer)))
    assert lesson.read_text() == before


@pytest.mark.parametrize(
    ("needs", "source", "gives"),
    [
        pytest.param(
            "SIZE = [4]", "def merge(line, size=SIZE):\n    return size\n", [4], id="default"
        ),
        pytest.param(
            "Board = list[list[int]]",
            "def merge(line: Board) -> Board:\n    return [4]\n",
            [4],
            id="annotation",
        ),
        pytest.param(
            "class Line(list):\n    pass\n",
            "def merge(line: Line):\n    return [4]\n",
            [4],
            id="class annotated",
        ),
        pytest.param(
            "def four(f):\n    return lambda line: [4]\n",
            "@four\ndef merge(line):\n    pass\n",
            [4],
            id="decorator",
        ),
        pytest.param(
            "import functools\ndef twice(f):\n    @functools.wraps(f)\n    def g(line):\n"
            "        return f(line) * 2\n    return g\n",
            "@twice\ndef merge(line):\n    return [4]\n",
            [4, 4],
            id="decorator that wraps",
        ),
        pytest.param(
            "def by(n):\n    return lambda f: lambda line: [n]\nN = 4",
            "@by(N)\ndef merge(line):\n    pass\n",
            [4],
            id="decorator with a value",
        ),
        pytest.param("SIZE = 4", "merge = lambda line: [SIZE]", [4], id="lambda with a name"),
    ],
)
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


@pytest.mark.parametrize(
    ("needs", "answer", "says"),
    [
        pytest.param(
            [], "padd(line)", "padd means nothing in this notebook: define it", id="missing"
        ),
        pytest.param(
            ["def pad(line):\n    return paddd\n"],
            "pad(line)",
            "pad uses paddd",
            id="missing below",
        ),
        pytest.param(
            ["import io\nwith io.StringIO() as PAGE:\n    pass"],
            "PAGE",
            "PAGE what it is: give it its value in one line",
            id="with",
        ),
        pytest.param(
            ["from types import SimpleNamespace\nbest = SimpleNamespace()", "best.tile = 4"],
            "best.tile",
            "best what it is: give it its value in one line",
            id="attribute set later",
        ),
        pytest.param(
            ["BEST = [1][0]", "__x = In.clear(); BEST = object()", "In.clear()"],
            "BEST",
            "source of BEST is not known any more",
            id="no cell",
        ),
        pytest.param(
            [
                "import sys\nSIZE = len(sys.argv[99:]) or None\nTILE = SIZE or int('4')",
                "def int(x):\n    raise RuntimeError('no number')\n",
            ],
            "TILE",
            "would not run with it: RuntimeError: no number",
            id="fails in the file",
        ),
    ],
)
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
