"""The meter of a process: it counts processor time and sleep, but no wait for a processor."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from autograder.jail import Crashed, TimedOut, WarmJail
from autograder.jail.inside.memory_usage import descendants
from autograder.jail.session import GENEROUS, Meter
from tests.autograder.grading_helpers import THINKS, outputs, printed

LOOPS = "while True: pass"
SLEEPS = "import time\ntime.sleep(3600)"
WAITS_FOR_ANOTHER = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {LOOPS!r}])"


@contextmanager
def running(source: str) -> Iterator[tuple[int, Meter]]:
    """Run a program; yield its process id, and a meter of it and of all that it starts."""
    with subprocess.Popen([sys.executable, "-c", source], start_new_session=True) as process:
        try:
            yield process.pid, Meter(process.pid, lambda: descendants(process.pid))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        os.sched_yield()


def charged(meter: Meter, waited: float) -> bool:
    """Tell the meter that `waited` seconds have passed; return true if it counts them as sleep.

    The meter also counts processor time, which must be very small in comparison with `waited`.
    """
    before = meter.seconds
    meter.look(waited)
    return meter.seconds - before > 0.9 * waited / GENEROUS


def test_who_waits_for_a_processor_spends_nothing_however_long():
    with running(LOOPS) as (_, meter):
        until(lambda: meter.seconds > 0.3)  # now it loops
        assert not charged(meter, 10**6)


@pytest.mark.deep
def test_who_closes_the_wire_and_sleeps_spends_a_part_of_it(jail: WarmJail):
    session = jail.session()
    closes = "import os, time\nos.closerange(3, 256)\ntime.sleep(60)"
    with pytest.raises(Crashed, match="for no known reason"):
        outputs(session, closes)
    assert session.asleep > 0.3
    assert session.spent >= session.asleep


@pytest.mark.parametrize("sent", [0, signal.SIGSTOP], ids=["sleeps", "is stopped"])
def test_who_sleeps_or_is_stopped_spends_a_part_of_it(sent: int):
    with running(LOOPS if sent else SLEEPS) as (pid, meter):
        os.kill(pid, sent)
        until(lambda: charged(meter, 10**6))


def test_what_other_processes_need_that_it_has_started_is_spent():
    with running(WAITS_FOR_ANOTHER) as (_, meter):

        def is_counted() -> bool:
            meter.look(0)
            return sum(meter._of_others.values()) > 0.2 and meter.seconds > 0.2

        until(is_counted)


def test_who_is_gone_has_spent_what_was_known_last():
    with running(LOOPS) as (pid, meter):
        until(lambda: meter.seconds > 0.01)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        assert meter.seconds == meter.seconds > 0.01


@pytest.mark.parametrize("source", [LOOPS, WAITS_FOR_ANOTHER], ids=["itself", "by another process"])
def test_who_computes_without_end_in_the_jail_is_ended(jail: WarmJail, source: str):
    session = jail.session()
    with pytest.raises(TimedOut, match=r"its 0\.3 s"):
        outputs(session, source, 0.3)
    assert session.is_over
    assert session.spent > 0.3
    assert printed(jail, "print('next')") == "next\n"


def test_the_next_session_begins_with_nothing_spent(jail: WarmJail):
    session = jail.session()
    outputs(session, f"{THINKS}think(0.3)", 60)
    assert session.spent > 0.25
    assert jail.session().spent < 0.25
    assert session.spent > 0.25  # still known after the session has ended
