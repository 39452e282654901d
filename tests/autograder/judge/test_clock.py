"""The clock of a submission: what was lost is counted where it belongs, and tears nothing."""

import time
from dataclasses import replace

import pytest

from autograder.jail import Crashed, Limits, TimedOut
from autograder.judge.alarm import Hushed, alarm
from autograder.judge.clock import Clock

LIMITS = replace(Limits(), call=5.0, patience=0.0)


def test_what_had_not_all_its_time_may_yet_come_back():
    clock = Clock(LIMITS)
    clock.note_lost(TimedOut(), time.monotonic() - 9, "merge", seconds=4.9, most=5.0)
    assert clock.seconds(5.0, "a call of merge", "merge") == 5.0
    clock.note_lost(TimedOut(), time.monotonic() - 5, "merge", seconds=5.0, most=5.0)
    assert clock.seconds(5.0, "a call of merge", "merge") == LIMITS.last_chance


def test_a_process_that_ends_while_names_are_looked_up_has_lost_no_other_test():
    clock = Clock(LIMITS)
    for test in ("one", "two"):
        clock.begin_test(test)
        clock.note_lost(Crashed(), time.monotonic(), "", seconds=5.0, most=5.0)
    clock.begin_test("three")
    clock.refuse("")


def test_an_alarm_waits_until_what_is_half_done_is_done():
    done = []

    def does_not_end() -> None:
        with Hushed():
            end = time.monotonic() + 0.25
            while time.monotonic() < end:
                pass
            done.append(1)
        while True:
            pass

    with pytest.raises(TimedOut), alarm(0.0, TimedOut("late")):
        does_not_end()
    assert done == [1]
