"""A learner's file: its functions and the course's rules find each other."""

import pytest

from course import rules
from course.mine.ownfile import load

MINE = "def merge(line):\n    return list(line)\n"


@pytest.fixture
def pieces(tmp_path):
    """Writes a learner's file and loads it."""

    def loaded(source):
        file = tmp_path / "mine.py"
        file.write_text(source)
        return load(file)

    return loaded


def is_moved(game):
    game.board = [[2, 2]]
    return game.move("left")


@pytest.mark.parametrize(
    "source",
    [
        "class SpecialGame(Game):\n    pass\n",
        "class Base(Game):\n    pass\nclass SpecialGame(Base):\n    pass\n",
        "from course.rules import Game as Base\nclass SpecialGame(Base):\n    pass\n",
        "from course.rules.game import Game\nclass SpecialGame(Game):\n    pass\n",
        "from course.rules import SpecialGame as Base\nclass SpecialGame(Base):\n    pass\n",
        (
            "from course.rules import Game as Base\nclass SpecialGame(Base):\n"
            "    def __init__(self, *sizes):\n        Base.__init__(self, *sizes)\n"
            "    def move(self, direction):\n        return super().move(direction)\n"
        ),
    ],
    ids=["plain", "twice", "renamed", "by module", "special", "asks its base"],
)
def test_an_inherited_game_uses_the_functions_of_the_file(pieces, source):
    assert is_moved(rules.SpecialGame(1, 2))
    assert not is_moved(pieces(f"{source}\n{MINE}")["SpecialGame"](1, 2))
    assert not is_moved(pieces(f"{MINE}\n{source}")["SpecialGame"](1, 2))


def test_an_inherited_game_below_an_import_of_all_rules_uses_the_functions_of_the_file(pieces):
    source = f"from course.rules import *\nclass Mine(Game):\n    pass\n\n{MINE}"
    assert not is_moved(pieces(source)["Mine"](1, 2))


def test_the_courses_special_game_inherits_from_the_courses_game_in_that_world(pieces):
    made = pieces(f"{MINE}\nclass Mine(SpecialGame):\n    pass\n")["Mine"](1, 2)
    assert not is_moved(made)
    assert made.can_continue is False


def test_the_courses_own_classes_stay_as_they_are(pieces):
    pieces(f"{MINE}\nfrom course.rules import *\nclass Mine(Game):\n    pass\n")
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


def test_a_file_that_imports_the_rules_itself_still_meets_its_own_functions(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        f"{MINE}\nfrom course.rules import slide\n\n"
        "def twice(board):\n    return slide(board, 'left')\n"
    )
    assert load(file)["twice"]([[0, 2]]) == [[0, 2]]
    assert set(load(file)) == {"merge", "twice"}


def test_a_file_is_read_anew_every_time(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def merge(line):\n    return 1\n")
    assert load(file)["merge"]([2]) == 1
    file.write_text("def merge(line):\n    return 2\n")
    assert load(file)["merge"]([2]) == 2


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
