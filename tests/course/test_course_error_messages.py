"""Errors of the course's functions: a learner reads a sentence, but no line of their code."""

from collections.abc import Callable

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import course
from course.checks import CheckFailed
from course.checks import chance as chance_checks
from course.plain_errors import told
from course.refusal import Refusal

DEFINE = """
from course import add_to, check, compare, hint, keep, kept, pieces, play
from course import predict, progress, replay, tally, watch
from course.rules import Game
from course.checks.chance import check_fours
def merge(line):
    return endless(line)
def endless(line):
    raise KeyboardInterrupt
def divides(*arguments):
    return 1 / 0
def nothing(*arguments):
    pass
class Broken:
    board = [[2, 2]]
    def move(self, direction):
        return 1 / 0
"""

Shown = Callable[[str], str]


@pytest.fixture(scope="module")
def shell() -> InteractiveShell:
    made = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    made.colors = "nocolor"
    made.run_cell(DEFINE).raise_error()
    return made


@pytest.fixture
def shown(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> Shown:
    """Return a function that runs a cell, which must end with an error, and returns its output."""

    def run(source: str) -> str:
        capsys.readouterr()
        assert not shell.run_cell(source).success
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("check(merge, [2, 2], gives=[4, 0])", "Your merge was stopped."),
        ("check.many(merge, [[2, 2]], gives=[4, 0])", "Your merge was stopped."),
        ("tally(merge)", "merge"),
        ("check(merge)", "check needs to know what merge() should give"),
        ("check(nothing, [2])", "check needs to know what nothing([2]) should give"),
        ("tally(None)", "tally takes a function, as tally(spawn), and not None"),
        ("tally(nothing)", "nothing gave None"),
        ("tally(divides)", "Your divides raised an error. ZeroDivisionError"),
        ("tally(divides)", "return 1 / 0"),
        ('play("merge")', "write play(merge=merge)"),
        ("play(merge=7)", "merge must be a function"),
        ("play(game=Game)", "call the class"),
        ("play(board=[[3]])", "board[0][0] is 3"),
        ("play(height=0)", "height must be a whole number"),
        ("keep(None)", "keep takes a function or a class"),
        ('kept("marge")', "nothing is kept under the name 'marge'"),
        ('hint("marge")', "there is no exercise 'marge'"),
        ("predict('marge', [2], options=[])", "predict() does not know 'marge'"),
        ("predict('merge', options=[])", "TypeError"),
        ("watch(7, [2])", "watch() needs a function"),
        ("watch(merge)", "merge cannot be called so"),
        ("replay(7)", "replay() needs a game"),
        ("add_to(7)", "add_to needs the name of a class"),
        ("compare(7)", "compare() needs a class"),
        ("progress(7)", "progress() takes 0 positional arguments"),
        ("pieces(7)", "pieces() takes 0 positional arguments"),
        ("check_fours(divides, [[0]])", "ZeroDivisionError"),
    ],
)
def test_an_error_is_a_sentence_without_a_line_of_the_course(shown: Shown, cell: str, said: str):
    text = shown(cell)
    assert said in text
    assert "/course/" not in text
    assert "Traceback" not in text
    assert len(text.splitlines()) <= 6


def test_an_endless_loop_that_was_stopped_is_told_as_the_board_tells_it(shown: Shown):
    assert shown("check(merge, [2, 2], gives=[4, 0])").splitlines() == [
        "Your merge was stopped. It had not answered yet. Does one of its loops never end?",
        "    in line 8: raise KeyboardInterrupt",
    ]


def test_everything_that_a_learner_calls_tells_its_errors_plainly():
    kind = type(course.check)
    asked = [getattr(kind, each) for each in vars(kind) if each[0] != "_" or each == "__call__"]
    asked += [getattr(course, name) for name in course.HOMES.keys() - {"check", "CheckFailed"}]
    asked += [each for name, each in vars(chance_checks).items() if name.startswith("check_")]
    assert len(asked) > 30
    assert [each for each in asked if not hasattr(each, "__wrapped__")] == []


def test_an_error_that_can_not_be_written_is_still_told():
    class OddError(Exception):
        def __str__(self) -> str:
            raise ValueError

    assert told(OddError()) == ["OddError"]


def test_what_tells_itself_is_let_alone():
    for error in (Refusal("write it so"), CheckFailed("merge([2])\n  got 2")):
        assert error._render_traceback_() == str(error).splitlines()
