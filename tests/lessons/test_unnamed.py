"""Wrong programs that have no name lose what they should, all the same.

Functions are in `unnamed.py`; methods and classes, as whole programs, in `holes/`, a file a lesson.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from course.lessons import cell_of
from tests.lessons.mutants import lost_checks
from tests.lessons.unnamed import UNNAMED

HOLES = sorted(Path(__file__).with_name("holes").glob("*.toml"))


def wrong_programs() -> Iterator[ParameterSet]:
    """Lesson, exercise, program, and the checks that it loses at least."""
    for lesson_id, programs in UNNAMED.items():
        for wrong in programs:
            case = (lesson_id, wrong.exercise, wrong.program, [wrong.loses])
            yield pytest.param(*case, id=f"{wrong.exercise}-{wrong.title}")
    for path in HOLES:
        for hole in tomllib.loads(path.read_text(encoding="utf-8"))["hole"]:
            case = (path.stem, hole["exercise"], hole["program"], hole["loses"])
            yield pytest.param(*case, id=f"{hole['exercise']}-{hole['title']}")


@pytest.mark.slow
@pytest.mark.parametrize(("lesson_id", "exercise", "program", "loses"), wrong_programs())
def test_a_wrong_program_without_a_name_loses_its_checks(
    lesson_id: str, exercise: str, program: str, loses: list[str]
):
    replaced = {cell_of(exercise): program}
    assert lost_checks(lesson_id, replaced, first=False, only=loses) == loses
