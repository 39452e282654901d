"""Hostile programs gain nothing, and their neighbours lose nothing."""

from collections.abc import Callable, Iterator

import pytest

from autograder.jail import Jail, Limits
from autograder.judge import judge
from autograder.paper import Verdict
from autograder.samples.hostile import WRONG, Hostile, hostile_programs
from tests.autograder.papers import LESSON, master_paper, score

# Shorter than in earnest, so that loops do not take all day.
LIMITS = Limits(cell=4.0, call=2.0, submission=30.0, patience=3.0, last_chance=0.2)


@pytest.fixture(scope="module")
def jail() -> Iterator[Jail]:
    with Jail(LESSON, LIMITS) as made:
        yield made


@pytest.fixture(scope="module")
def wrong(jail: Jail) -> Verdict:
    return judge(master_paper(merge=WRONG), jail)


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
    before = judge(master_paper(), jail)
    attack = judge(master_paper(merge=program.source), jail)
    after = judge(master_paper(), jail)
    fair = {check.id: check.points for check in wrong.checks}
    assert {
        check.id: check.points for check in attack.checks if check.points > fair[check.id]
    } == {}
    assert [check.id for check in attack.checks] == list(fair)
    for neighbour in (before, after):
        assert [check for check in neighbour.checks if check.points < check.max_points] == []
