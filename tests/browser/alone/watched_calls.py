"""Sample calls for `watch`, which shows a call line by line: one of each kind."""

from random import Random

from course import rules, watch
from course.widgets.stepper import Stepper
from tests.course.playing import learners
from tests.course.steps import programs

BOARD = [[2, 2, 0, 4], [0, 4, 4, 0], [0, 0, 2, 2], [16, 0, 0, 0]]


def cascade(line: list[int]) -> list[int]:
    """Return a wrongly merged line. The function is renamed to `merge`, so that it gets a hint."""
    return list(learners.cascade(line))


cascade.__name__ = "merge"


def calls() -> dict[str, Stepper]:
    """Return the widgets of the sample calls, by a name that says what is special about each."""
    return {
        "merge": watch(programs.merge, [2, 0, 2, 4]),
        "an error": watch(programs.runs_off_the_end, [2, 4, 4]),
        "an object": watch(programs.Game(BOARD, Random(3)).move, "left"),
        "recursion": watch(programs.remembers, 30),
        "a wrong answer": watch(cascade, [4, 2, 2, 0]),
        "turns": watch(programs.rotate, [[2, 4, 8], [16, 32, 64]]),
        "spawn": watch(programs.spawn, BOARD, Random(4)),
        "the course's": watch(rules.merge, [2, 0, 2, 4]),
        "printed": watch(programs.prints, [2, 4]),
    }
