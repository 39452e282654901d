"""The puzzles fit the lessons: right orders pass all checks; extra lines are known mistakes."""

import tomllib
from pathlib import Path

import pytest

from autograder.course_adapter import ROOT
from autograder.misconceptions import catalogue
from course.hints.parsons_puzzles import Puzzle, puzzle
from course.lessons import Lesson, exercise, lessons
from tests.lessons.running import lost_checks
from tests.parametrize_marks import one_in

WITHOUT = {"winning_tile", "Score.is_high", "Score.__str__"}  # one line is no puzzle
SLIPS = tomllib.loads(Path(__file__).with_name("slips.toml").read_text("utf-8"))["program"]
NAMES = [each.name for lesson in lessons() for each in lesson.exercises]
PUZZLES = [name for name in NAMES if puzzle(name)]


def lesson_of(name: str) -> Lesson:
    return next(lesson for lesson in lessons() if exercise(name) in lesson.exercises)


def known(name: str) -> Puzzle:
    found = puzzle(name)
    assert found is not None
    return found


def test_every_exercise_has_a_puzzle():
    assert set(PUZZLES) == set(NAMES) - WITHOUT


@pytest.mark.slow
@pytest.mark.parametrize("lesson_id", one_in(3, sorted({lesson_of(name).id for name in PUZZLES})))
def test_the_right_orders_pass_all_checks_of_their_lesson(lesson_id: str):
    own = [name for name in PUZZLES if lesson_of(name).id == lesson_id]
    programs = {exercise(name).cell: known(name).program() for name in own}
    assert lost_checks(lesson_id, programs) == []


@pytest.mark.parametrize("name", PUZZLES)
def test_what_is_given_is_given_by_the_lesson(name: str):
    lesson = lesson_of(name)
    text = (ROOT / "source" / lesson.id / lesson.notebook).read_text("utf-8")
    for line in known(name).given.splitlines():
        assert line.replace('"', '\\"') in text


@pytest.mark.parametrize("name", PUZZLES)
def test_a_stray_is_a_line_that_beginners_write(name: str):
    written = [(each.exercise, each.id, each.specimen) for each in catalogue(lesson_of(name).id)]
    written += [(slip["exercise"], slip["says"], slip["program"]) for slip in SLIPS]
    for stray in exercise(name).details["puzzle"]["stray"]:
        programs = [text for *what, text in written if what == [name, stray["mistake"]]]
        lines = [line.strip() for text in programs for line in text.splitlines()]
        assert stray["line"] in lines
