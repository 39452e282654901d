"""The time of a submission: code that never ends loses its own checks, and a message says why."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.grading_data import Outcome
from autograder.jail import Session, WarmJail
from autograder.judge import judge
from course.checks import agent_checks
from tests.autograder.grading_helpers import (
    THINKS,
    asks,
    limited,
    master_submission,
    score,
    student,
    submission,
    submission_of,
    verdict_on,
)


@pytest.fixture
def hasty_jail(jail: WarmJail) -> Iterator[WarmJail]:
    """Yield a jail with short deadlines, for loops that take all the time they get."""
    with limited(jail, cell=1.0, call=0.3, submission=10.0, patience=1.0, last_chance=0.1):
        yield jail


def test_a_loop_costs_its_own_checks_and_the_rest_is_scored(hasty_jail: WarmJail):
    program = "def merge(line):\n    while line: pass\ndef other(): return 1"
    tests = ["merge([])", "merge([2])", "assert other() == 1", "merge([2])", "merge([])", "other()"]
    outcomes = [
        check.outcome.value for check in judge(submission_of(program, *tests), hasty_jail).checks
    ]
    assert outcomes == ["passed", "timeout", "passed", "timeout", "passed", "passed"]


def test_a_function_that_ended_its_process_in_two_tests_is_not_called_again(hasty_jail: WarmJail):
    program = "import os\ndef merge(line):\n    os._exit(0)"
    *_, last = judge(submission_of(program, *["merge([])"] * 3), hasty_jail).checks
    assert "not called again" in last.message


@pytest.mark.deep
def test_endless_functions_take_no_time_from_slow_ones_beside_them(hasty_jail: WarmJail):
    """The names that a cell bound before its interruption are known, as with plain nbgrader."""
    loops = "".join(f"def loop_{n}():\n    while True: pass\n" for n in range(3))
    slow = f"{THINKS}def slow(seconds):\n    think(seconds)\n    return 1"
    cells = (
        student(f"{loops}{slow}\nwhile True: pass", "loops"),
        student("think(0.12)\ndef late(): return slow(0.12)", "slow"),
        *(asks(f"loop_{n % 3}()", f"loop-{n}") for n in range(4)),
        asks("assert slow(0.12) == 1 and late() == 1", "right"),
    )
    with limited(hasty_jail, patience=0.0) as jail:
        *loops, right = judge(submission(*cells), jail).checks
    assert right.outcome is Outcome.PASSED
    assert {check.outcome for check in loops} == {Outcome.TIMEOUT}
    assert loops[2].message == "a call of loop_2 did not come back within its 0.3 s"
    assert loops[3].message == (
        "a call of loop_0 did not come back again; before, it had not come back within its 0.3 s"
    )


@pytest.mark.deep
def test_a_cell_that_once_came_to_its_end_gets_its_time_again_when_it_is_run_again(jail: WarmJail):
    cells = (
        student("import os\ndef merge(line):\n    while line: pass\n    return 1"),
        student(f"{THINKS}think(0.2)", "slow"),
        asks("merge([2])", "one"),
        asks("assert merge([]) == 1", "two"),
    )
    with limited(jail, cell=3.0, call=0.3, patience=0.3, last_chance=0.1):
        first, second = judge(submission(*cells), jail).checks
    assert (first.outcome, second.outcome) == (Outcome.TIMEOUT, Outcome.PASSED)


ENDLESS = "def merge(line):\n    while True: pass"
ASKS_FOR_EVER = "while not merge([]):\n    pass"
OVER = r"s for this test are over|to its end"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("program", "test", "told"),
    [
        (ENDLESS, "try:\n    merge([])\nexcept Exception:\n    pass", "did not come back"),
        (ENDLESS, "check(merge, [], raises=Exception)", "did not come back"),
        ("def merge(line): return False", ASKS_FOR_EVER, OVER),
    ],
    ids=["swallowed by the test", "waited for by a check", "asked for ever"],
)
def test_a_timeout_ends_its_test(hasty_jail: WarmJail, program: str, test: str, told: str):
    check = verdict_on(hasty_jail, program, test)
    assert (check.outcome, check.points) == (Outcome.TIMEOUT, 0)
    assert re.search(told, check.message)


def test_a_cell_that_does_not_end_is_not_run_again(hasty_jail: WarmJail):
    right = student("def merge(line): return line"), asks("assert merge([2]) == [2]")
    verdict = judge(submission(student("while True: pass", "loop"), *right), hasty_jail)
    assert score(verdict) == 1
    assert "did not come back" in verdict.outputs["loop"][0]["evalue"]


@pytest.mark.deep
def test_what_sleeps_is_ended_after_a_few_times_its_seconds(jail: WarmJail):
    program = "import time\ndef merge(line):\n    time.sleep(3600)"
    with limited(jail, call=0.05):
        check = verdict_on(jail, program, "merge([])")
    assert (check.outcome, check.points) == (Outcome.TIMEOUT, 0)
    assert check.message == "a call of merge did not come back within its 0.05 s"


def test_all_runs_of_a_submission_together_sleep_for_a_limited_time(
    jail: WarmJail, monkeypatch: pytest.MonkeyPatch
):
    """A submission runs twice. Each run counts as 0.4 s of sleep; only both are too long."""
    monkeypatch.setattr(Session, "asleep", 0.4)
    nap = student("import time; time.sleep(0.01)", "nap")
    naps = submission(nap, asks("assert max(1, 2) == 2"))
    with limited(jail, submission=0.75):
        verdict = judge(naps, jail)
    assert str(verdict.outputs["nap"]) == "[]"
    assert verdict.checks[0].outcome is Outcome.TIMEOUT
    assert "has slept for too long" in verdict.checks[0].message
    with limited(jail, submission=0.85):
        assert judge(naps, jail).checks[0].outcome is Outcome.PASSED


def test_what_sleeps_less_than_that_passes(jail: WarmJail):
    program = "import time\ndef merge(line):\n    time.sleep(0.4)"
    with limited(jail, call=0.3):
        assert verdict_on(jail, program, "merge([])").points == 1


def test_a_submission_has_its_time_and_no_more(jail: WarmJail):
    cells = [student(f"{THINKS}think(0.2)", f"slow-{number}") for number in range(5)]
    with limited(jail, cell=1.0, submission=0.5):
        verdict = judge(submission(*cells, asks("merge")), jail)
    assert "was not asked for: the 0.5 s for the whole submission" in str(verdict.outputs["slow-4"])
    assert "whole submission" in verdict.checks[0].message


@pytest.mark.deep
def test_an_endless_loop_in_merge_costs_little_more_than_the_patience_for_it(jail: WarmJail):
    endless = master_submission(merge=ENDLESS)
    with limited(jail, call=0.5, patience=1.0, last_chance=0.05):
        verdict = judge(endless, jail)
    assert [check.id for check in verdict.checks if check.points] == ["tiles-to-front"]
    waited = [check for check in verdict.checks if check.message.endswith("back within its 0.5 s")]
    asked_again = [check for check in waited if "again" in check.message]
    assert len(waited) - len(asked_again) == 1  # the other one ran for the feedback


@pytest.mark.deep
def test_a_test_that_an_answer_sends_round_for_ever_costs_its_own_check(jail: WarmJail):
    halves = "tile = merge([])\nwhile tile % 2 == 0:\n    tile //= 2"
    endless = submission_of("def merge(line): return 0", halves, "assert merge([]) == 0")
    with limited(jail, cell=0.3), ThreadPoolExecutor(1) as other_thread:
        verdicts = judge(endless, jail), other_thread.submit(judge, endless, jail).result()
    for verdict in verdicts:
        first, last = verdict.checks
        assert (first.outcome, last.outcome) == (Outcome.TIMEOUT, Outcome.PASSED)
        assert first.message == "the cell test-0 itself did not come to its end within its 0.9 s"


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_test_is_ended_where_python_drops_what_is_raised_once(jail: WarmJail):
    slow = "class Slow:\n    def __del__(self):\n        while True: pass\nSlow()"
    endless = submission_of("", f"{slow}\nwhile True: pass")
    with limited(jail, cell=0.1):
        [check] = judge(endless, jail).checks
    assert check.outcome is Outcome.TIMEOUT


@pytest.mark.deep
def test_a_given_cell_without_end_lets_no_check_pass(jail: WarmJail):
    with limited(jail, cell=0.2):
        check = verdict_on(jail, "merge = len", "merge([])", given="while True: pass")
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "the given cell given failed" in check.message


@pytest.mark.deep
def test_only_a_function_that_did_not_come_back_is_said_to_be_endless(jail: WarmJail):
    test = "check(merge, [4, 4], gives=[8, 0])"
    with limited(jail, call=0.3):
        endless = verdict_on(jail, ENDLESS, test)
    wrong = verdict_on(jail, "def merge(line): return line", test)
    assert endless.misconception == "never-ends" != wrong.misconception


@pytest.mark.deep
def test_what_tests_themselves_spend_has_an_end_for_all_of_them_together(jail: WarmJail):
    test = "import time\nend = time.thread_time() + 0.2\nwhile time.thread_time() < end: pass"
    with limited(jail, submission=0.25):
        checks = judge(submission_of("merge = len", *[test] * 4), jail).checks
    assert [check.points > 0 for check in checks] == [True, True, False, False]
    assert "has taken too long" in checks[-1].message


def test_a_program_that_can_look_around_has_all_its_time_for_what_counts(jail: WarmJail):
    slow = "import time\ntime.sleep(0.7)\ndef merge(line): return line"
    counts = asks("assert merge([2]) == [2]", visible="")
    with limited(jail, submission=1.0):
        assert judge(submission(student(slow), counts), jail).checks[0].points == 1


SLOW_AGENT = """@add_to(Agent)
def push(self, view):
    import time
    end = time.process_time() + 0.01
    while time.process_time() < end:
        pass
    return view["legal"][0]
"""


@pytest.mark.deep
def test_a_slow_agent_loses_its_duels_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_checks, "SECONDS", 4.0)
    with WarmJail("9-duel") as jail:
        checks = judge(master_submission("9-duel", **{"Agent-push": SLOW_AGENT}), jail).checks
    lost = {check.id: check for check in checks if check.outcome is not Outcome.PASSED}
    assert lost.keys() == {"agent-beats-chance", "agent-holds-its-own"}
    for check in lost.values():
        assert check.outcome is Outcome.FAILED
        assert "your agent took longer than 4 s: push took about 0.0" in check.message
