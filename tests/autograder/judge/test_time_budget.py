"""The clock of a submission: how many seconds it allows for the next call of the program."""

from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from autograder.jail import Crashed, Limits, TimedOut
from autograder.judge.clock import Clock

LIMITS = replace(Limits(), call=5.0, patience=0.0)
QUESTION = 5.0, "a call of merge", "merge"


@dataclass
class Spends:
    """A stand-in for a session: a clock reads only these seconds."""

    spent: float = 0.0
    asleep: float = 0.0


def following(**limits: float) -> tuple[Clock, Spends]:
    """Return a clock with these limits, and the session that it follows."""
    clock, session = Clock(replace(LIMITS, **cast(Any, limits))), Spends()
    clock.follow(cast(Any, session))
    return clock, session


def test_a_test_has_what_its_cell_may_spend():
    clock, session = following(cell=3.0)
    clock.begin_test("one")
    session.spent = 1.5
    assert clock.seconds(*QUESTION) == 1.5
    session.spent = 3.0
    with pytest.raises(TimedOut, match="the 3 s for this test are over"):
        clock.seconds(*QUESTION)
    clock.begin_test("two")
    assert clock.seconds(*QUESTION) == 3.0


def test_what_was_spent_in_an_earlier_process_counts():
    clock, session = following(submission=10.0)
    session.spent = 8.0
    clock.follow(cast(Any, Spends()))
    assert clock.spent == 8.0
    assert clock.seconds(*QUESTION) == 2.0


def test_what_had_not_all_its_time_may_yet_come_back():
    clock, _ = following()
    clock.note_lost(TimedOut(), 0.0, "merge", seconds=4.9, most=5.0)
    assert clock.seconds(*QUESTION) == 5.0
    clock.note_lost(TimedOut(), 0.0, "merge", seconds=5.0, most=5.0)
    assert clock.seconds(*QUESTION) == LIMITS.last_chance


def test_patience_is_what_was_spent_in_vain():
    clock, session = following(patience=6.0)
    for number in range(2):
        clock.begin_test(f"test {number}")
        assert clock.seconds(*QUESTION) == 5.0
        session.spent += 5.0
        clock.note_lost(TimedOut(), session.spent - 5.0, "merge", seconds=5.0, most=5.0)
    clock.begin_test("last")
    assert clock.seconds(*QUESTION) == LIMITS.last_chance


def test_a_process_that_ends_while_names_are_looked_up_has_lost_no_other_test():
    clock = Clock(LIMITS)
    for test in ("one", "two"):
        clock.begin_test(test)
        clock.note_lost(Crashed(), 0.0, "", seconds=5.0, most=5.0)
    clock.begin_test("three")
    clock.refuse("")
