"""Wrong programs that have no name lose what they should, all the same."""

import pytest

from course.lessons import cell_of
from tests.lessons.mutants import lost_checks
from tests.lessons.unnamed import UNNAMED, Unnamed

WRONG = [
    pytest.param(lesson_id, wrong, id=f"{wrong.exercise}-{wrong.title}")
    for lesson_id, programs in UNNAMED.items()
    for wrong in programs
]


@pytest.mark.slow
@pytest.mark.parametrize(("lesson_id", "wrong"), WRONG)
def test_a_wrong_program_without_a_name_loses_its_check(lesson_id: str, wrong: Unnamed):
    replaced = {cell_of(wrong.exercise): wrong.program}
    assert lost_checks(lesson_id, replaced, only=[wrong.loses]) == [wrong.loses]
