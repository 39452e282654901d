"""Hostile programs: they gain no points, and the next student loses none."""

import pytest

from autograder.grading_data import Verdict
from autograder.jail import WarmJail
from autograder.judge import judge
from tests.autograder.grading_helpers import limited, master_submission, score
from tests.parametrize_marks import some_in_every_run
from tests.samples.hostile import WRONG, Hostile, hostile_programs
from tests.samples.hostile.__main__ import Row, table_now
from tests.samples.hostile.nbgrader_in_container import grade_plainly, plain_course

# Lower limits than usual, to save time: longer loops or more memory would show nothing new.
LIMITS = {
    "cell": 2.0,
    "call": 1.0,
    "submission": 15.0,
    "patience": 1.0,
    "last_chance": 0.1,
    "memory": 300 * 2**20,
}


# One program of each kind; these are tried in every run.
SOME = (
    "equal_to_everything",
    "forges_a_pass",
    "imports_the_answer",
    "kills_everyone",
    "leaves_a_daemon",
    "patches_the_server",
    "reads_the_masters",
    "replaces_check",
)
PROGRAMS = some_in_every_run({one.name: one for one in hostile_programs()}, SOME)


@pytest.fixture(autouse=True)
def seconds_of_sleep_are_as_dear_as_others(monkeypatch: pytest.MonkeyPatch):
    """Count sleep as fully as processor time: only hostile programs sleep here."""
    monkeypatch.setattr("autograder.jail.session.GENEROUS", 1)


@pytest.fixture(scope="module")
def wrong(jail: WarmJail) -> Verdict:
    return judge(master_submission(merge=WRONG), jail)


def test_there_are_hostile_programs_of_every_kind():
    assert len(hostile_programs()) >= 45
    assert all(program.tries for program in hostile_programs())


def test_the_table_is_of_all_programs_and_says_that_all_are_contained():
    table = table_now()
    assert list(table) == [program.name for program in hostile_programs()]
    assert [name for name, (here, _) in table.items() if "**" in here] == []


def test_the_wrong_program_is_worth_something_but_not_all(wrong: Verdict):
    assert 0 < score(wrong) < sum(check.max_points for check in wrong.checks)


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_attack_gains_nothing_and_harms_nobody(jail: WarmJail, wrong: Verdict, program: Hostile):
    with limited(jail, **LIMITS):
        attack = judge(master_submission(merge=program.source), jail)
    neighbour = judge(master_submission(), jail)
    fair = {check.id: check.points for check in wrong.checks}
    assert {
        check.id: check.points for check in attack.checks if check.points > fair[check.id]
    } == {}
    assert [check.id for check in attack.checks] == list(fair)
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


@pytest.mark.deep
def test_plain_nbgrader_is_fooled_where_tests_and_program_share_a_process():
    [program] = [one for one in hostile_programs() if one.name == "replaces_check"]
    with plain_course() as folder:
        assert grade_plainly(folder, program.source) == {"hostile": 12.0, "right": 12.0}
