"""A learner's file: its functions call the course's rules, and the rules call its functions."""

import pytest

from course import rules
from course.mine.load_own_file import load

MINE = "def merge(line):\n    return list(line)\n"


@pytest.fixture
def pieces(tmp_path):
    """Return a function that writes a learner's file and loads it."""

    def loaded(source):
        file = tmp_path / "mine.py"
        file.write_text(source)
        return load(file)

    return loaded


def is_moved(game):
    game.board = [[2, 2]]
    return game.move("left")


ASKS_ITS_BASE = """
from course.rules import Game as Base

class Mine(Base):
    def __init__(self, *sizes):
        Base.__init__(self, *sizes)

    def move(self, direction):
        return super().move(direction)
"""
INHERITED = {
    "plain": "class Mine(Game): pass",
    "twice": "class Base(Game): pass\nclass Mine(Base): pass",
    "renamed": "from course.rules import Game as Base\nclass Mine(Base): pass",
    "by module": "from course.rules.game import Game\nclass Mine(Game): pass",
    "by package": "from course import rules\nclass Mine(rules.Game): pass",
    "by its full name": "import course.rules\nclass Mine(course.rules.SpecialGame): pass",
    "all": f"from course.rules import *\nclass Mine(Game): pass\n{MINE}",
    "special": "from course.rules import SpecialGame\nclass Mine(SpecialGame): pass",
    "asks its base": ASKS_ITS_BASE,
}


@pytest.mark.parametrize("source", INHERITED.values(), ids=INHERITED)
def test_an_inherited_game_uses_the_functions_of_the_file_and_the_courses_stay(pieces, source):
    for text in (f"{source}\n\n{MINE}", f"{MINE}\n{source}\n"):
        made = pieces(text)["Mine"](1, 2)
        assert not is_moved(made)
        assert getattr(made, "can_continue", False) is False
    assert is_moved(rules.Game(1, 2))
    assert is_moved(rules.SpecialGame(1, 2))
    assert rules.SpecialGame.__bases__ == (rules.Game,)


def test_the_courses_functions_do_not_see_what_is_no_piece(pieces):
    source = (
        "QUARTER_TURNS = {}\nRandom = None\ndef mine(board):\n    return slide(board, 'left')\n"
    )
    assert pieces(source)["mine"]([[0, 2]]) == [[2, 0]]


def test_a_dataclass_with_late_annotations_can_be_made(pieces):
    source = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    tile = pieces(f"{source}@dataclass\nclass Tile:\n    value: Number = 2\n")["Tile"]
    assert tile().value == 2


@pytest.mark.parametrize(
    "twice",
    [
        "from course.rules import slide\ndef twice(board):\n    return slide(board, 'left')\n",
        "def twice(board):\n    from course.rules import slide\n    return slide(board, 'left')\n",
    ],
    ids=["above", "inside"],
)
def test_a_file_that_imports_the_rules_itself_still_meets_its_own_functions(pieces, twice):
    found = pieces(f"{MINE}\n{twice}")
    assert found["twice"]([[0, 2]]) == [[0, 2]]
    assert set(found) == {"merge", "twice"}


def test_a_file_is_read_anew_every_time(pieces):
    for number in (1, 2):
        assert pieces(f"def merge(line):\n    return {number}\n")["merge"]([2]) == number


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        pytest.param("a.ipynb", b"{}", "is a notebook", id="a notebook"),
        pytest.param("a.py", b"\xff\xfe", "not a text file", id="bytes"),
        pytest.param("a.py", b"raise SystemExit(3)", "line 1: SystemExit: 3", id="an exit"),
        pytest.param("a.py", b"x = nope", "line 1: NameError", id="an error"),
        pytest.param("a.py", None, "No such file", id="no file"),
    ],
)
def test_a_file_that_can_not_be_used_is_told(tmp_path, name, content, says):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ValueError, match=says):
        load(file)
