"""Hostile programs gain nothing, and their neighbours lose nothing."""

from collections.abc import Callable, Iterator

import pytest

from autograder.jail import Jail, Limits
from autograder.judge import judge
from autograder.samples.hostile import WRONG, Hostile, hostile_programs
from autograder.samples.hostile.__main__ import Row
from autograder.samples.hostile.plain import grade_plainly, plain_course
from autograder.submission import Verdict
from tests.autograder.submissions import LESSON, master_submission, score

# Shorter than in earnest, so that loops do not take all day.
LIMITS = Limits(cell=4.0, call=2.0, submission=30.0, patience=3.0, last_chance=0.2)


@pytest.fixture(scope="module")
def jail() -> Iterator[Jail]:
    with Jail(LESSON, LIMITS) as made:
        yield made


@pytest.fixture(scope="module")
def wrong(jail: Jail) -> Verdict:
    return judge(master_submission(merge=WRONG), jail)


def test_there_are_hostile_programs_of_every_kind():
    assert len(hostile_programs()) >= 45
    assert all(program.tries for program in hostile_programs())


def test_the_wrong_program_is_worth_something_but_not_all(wrong: Verdict):
    assert 0 < score(wrong) < sum(check.max_points for check in wrong.checks)


@pytest.mark.slow
@pytest.mark.parametrize("program", hostile_programs(), ids=lambda program: program.name)
def test_an_attack_gains_nothing_and_harms_nobody(
    jail: Jail, wrong: Verdict, program: Hostile, record_property: Callable[[str, object], None]
):
    before = judge(master_submission(), jail)
    attack = judge(master_submission(merge=program.source), jail)
    after = judge(master_submission(), jail)
    fair = {check.id: check.points for check in wrong.checks}
    assert {
        check.id: check.points for check in attack.checks if check.points > fair[check.id]
    } == {}
    assert [check.id for check in attack.checks] == list(fair)
    for neighbour in (before, after):
        assert [check for check in neighbour.checks if check.points < check.max_points] == []


@pytest.mark.parametrize(
    ("row", "is_contained", "said"),
    [
        (Row(3, 3, 12, 1), True, "3 points, 1 s"),
        (Row(3, 12, 12, 1), False, "**12 points**, 1 s"),
        (Row(3, None, 12, 1), True, "no grade, 1 s"),
        (Row(3, 1, 0, 1), False, "1 points, **the next student loses**, 1 s"),
    ],
    ids=["contained", "gains", "no grade", "neighbour"],
)
def test_a_row_of_the_table_says_what_became_of_a_program(row: Row, is_contained: bool, said: str):
    assert (row.is_contained, row.said) == (is_contained, said)


@pytest.mark.slow
def test_plain_nbgrader_is_fooled_where_tests_and_program_share_a_process():
    [program] = [one for one in hostile_programs() if one.name == "replaces_check"]
    with plain_course() as folder:
        assert grade_plainly(folder, program.source) == {"hostile": 12.0, "right": 12.0}
