"""A learner's own functions and classes, played in a terminal."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from course.__main__ import app
from course.terminal.load_own_functions import pieces_of
from tests.course.terminal.played import CASCADE, SAMPLE, match_on, told_by, typed


def test_a_learners_merge_is_played_and_its_mistake_named(own, capsys):
    pieces = pieces_of(Path(own(CASCADE)))
    match = match_on([[4, 2, 2, 0]], pieces.items())
    told = told_by(match, "a", capsys)
    assert match.board[0][0] == 8
    assert "\nRow 0 (counted from 0): 4 2 2 0 became 8 0 0 0. The rules give 4 4 0 0.\n" in told


def test_a_learners_file_is_named_at_the_start(own):
    file = own(f"{CASCADE}\ndef has_pair(line):\n    return False\n")
    assert "You play with your merge and has_pair." in typed("e", "--with", file)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("return line[99]", "IndexError in line 2: list index out of range. The board stays"),
        ("raise KeyboardInterrupt", "Your merge was stopped."),
        ("return 'left'", "Your merge gave no answer to go on with."),
    ],
    ids=["an error", "endless", "nonsense"],
)
def test_without_an_answer_it_is_told_why_the_board_stays_and_play_goes_on(own, capsys, line, says):
    match = match_on(SAMPLE, pieces_of(Path(own(f"def merge(line):\n    {line}\n"))).items())
    told = told_by(match, "w a", capsys)
    assert told.count(says) == 2
    assert ("\nreturn line[99]\n" in told) is ("IndexError" in says)
    assert match.board == SAMPLE


def test_what_a_function_prints_is_shown(own, capsys):
    pieces = pieces_of(Path(own("def has_won(board):\n    print('hello')\n    return False\n")))
    assert "Your code printed: hello" in told_by(match_on(SAMPLE, pieces.items()), "w", capsys)


def test_what_is_printed_while_a_mistake_is_looked_for_is_not_shown(own, capsys):
    printing = CASCADE.replace("tiles = []", "print(line)\n    tiles = []", 1)
    match = match_on([[4, 2, 2, 0]], pieces_of(Path(own(printing))).items())
    told = told_by(match, "a", capsys)
    assert "Hint: " in told
    assert told.count("Your code printed: ") == 1


def test_a_learners_wrong_end_does_not_end_the_game(own, capsys):
    pieces = pieces_of(Path(own("def is_over(board):\n    return True\n")))
    match = match_on(SAMPLE, pieces.items())
    told = told_by(match, "w a", capsys)
    assert "The rules give False." in told
    assert "2 moves" in told


GAME = """
from course.rules import Game as Base

class Game(Base):
    def move(self, direction):
        moved = super().move(direction)
        self.score += 1
        return moved
"""


def test_a_learners_class_is_played(own):
    told = typed("w", "--with", own(GAME), "--seed", "3")
    assert "You play your Game." in told
    assert "score gave 1. The rules give 0." in told


def test_a_learners_class_that_can_not_start_leaves_the_course_to_play(own):
    file = own("class Game:\n    def __init__(self):\n        pass\n")
    told = typed("s", "--seed", "3", "--with", file)
    assert "Your Game raised an error. TypeError: Game.__init__() takes 1 " in told
    assert "1 move." in told


def test_a_kept_file_can_be_played(tmp_path, monkeypatch, own):
    monkeypatch.chdir(tmp_path)
    from course.mine.keeping import keep

    keep(pieces_of(Path(own(CASCADE)))["merge"])
    assert "You play with your merge." in typed("e", "--with", "my_2048.py")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        pytest.param("mine.py", "def merge(line)\n", "mine.py, line 1: SyntaxError", id="broken"),
        pytest.param("mine.py", "x = 1\n", "no piece of the game", id="nothing in it"),
        pytest.param("mine.ipynb", "{}", "is a notebook", id="a notebook"),
        pytest.param("mine.py", None, "No such file", id="not there"),
    ],
)
def test_a_file_that_can_not_be_played_is_told_in_one_line(tmp_path, name, content, says):
    if content is not None:
        (tmp_path / name).write_text(content)
    told = CliRunner().invoke(app, ["play", "--with", str(tmp_path / name)])
    assert told.exit_code == 1
    assert says in told.output
    assert len(told.output.splitlines()) == 1
