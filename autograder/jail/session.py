"""Sessions with processes, and the limits of submissions.

In a session, the grader sends questions (requests) to one process and gets its answers. The process
runs a submission in the jail, or is the fork of the grader that runs the tests.
"""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGINT
from typing import Any

from autograder.course_adapter import NoAnswer
from autograder.wire import Channel, Frame, WireError, pack, unpack

LOOK = 0.1  # seconds between two looks at code that has not come back yet
GENEROUS = 6  # seconds asleep that count as one second of the processor


class Meter:
    """A count of the seconds that a process spends, as the kernel measures them.

    The count is the sum of three times:

    - the processor time of the process
    - `share` times the processor time of the other processes, whose ids `others` returns
    - `asleep`: a sixth of the time for which the process sleeps. A process that waits for a free
      processor does not sleep, nor, if `share` is below 1, while one of the others runs

    If a process has ended, its last known seconds count.
    """

    def __init__(
        self, process: int, others: Callable[[], Iterable[int]], share: float = 1.0
    ) -> None:
        self._process = process
        self._others = others
        self._share = share
        self._of_others: dict[int, float] = {}
        self._own = self._more = self.asleep = 0.0
        self._more = -self.seconds  # what came before does not count

    @property
    def seconds(self) -> float:
        """The seconds spent so far; other processes and sleep count up to the last `look`."""
        with suppress(OSError):
            self._own = time.clock_gettime(_clock_of(self._process))
        return self._own + self._more

    def look(self, waited: float) -> None:
        """Add the new time of other processes; if all threads sleep, also a sixth of `waited`."""
        watched = [self._process]
        for pid in self._others():
            with suppress(OSError):
                used = time.clock_gettime(_clock_of(pid)) if pid != self._process else 0.0
                self._more += self._share * max(0.0, used - self._of_others.get(pid, 0.0))
                self._of_others[pid] = used
            watched += [pid] if self._share < 1 else []
        if not any(map(_is_ready_to_run, watched)):
            self.asleep += waited / GENEROUS
            self._more += waited / GENEROUS


def _clock_of(process: int) -> int:
    """Return the id of the clock that counts a process's processor time (CPUCLOCK_SCHED)."""
    return (~process << 3) | 2


def _is_ready_to_run(process: int) -> bool:
    """Return true if a thread of a process runs, or would run if it had a processor."""
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError, IndexError):  # the thread is gone
                stat = (task / "stat").read_text("utf-8", "replace")
                if stat.rpartition(")")[2].split()[0] == "R":
                    return True
    return False


MIB = 2**20

Message = dict[str, Any]
_GRACE = 1.0  # seconds in which an interrupted program has to stop
_AGAIN = 0.2  # seconds until it is interrupted again: Python drops errors in a `__del__`
_SHORTEST = 0.005  # seconds between two looks at a program that is nearly out of time
_STUCK = 30.0  # seconds, by the clock on the wall, in which a program must read what it is sent


@dataclass(frozen=True)
class Limits:
    """The limits of one submission: bytes, counts, and seconds of the processor.

    Calls and cells that never come back may together take `patience` seconds. After that, a call or
    cell that did not come back before gets only `last_chance` seconds.
    """

    memory: int = 1024 * MIB
    processes: int = 64
    file_size: int = 16 * MIB
    folder_size: int = 64 * MIB
    open_files: int = 256
    output: int = 1 * MIB
    cell: float = 10.0
    call: float = 5.0
    submission: float = 60.0
    patience: float = 10.0
    last_chance: float = 0.5


@dataclass(frozen=True)
class Conditions:
    """The conditions under which submissions of a course run; `preload` as in `WarmJail`."""

    confined: bool = True
    limits: Limits = field(default_factory=Limits)
    preload: tuple[str, ...] = ()


class Lost(NoAnswer):
    """The error raised if a question (a request) to the process got no answer.

    If `is_stopped` is true, the process still runs and can be asked again.
    """

    is_stopped = False


class TimedOut(Lost):
    """An error: no answer came in time. If a program was asked, it was interrupted or killed."""


class Crashed(Lost):
    """An error: the process ended, was ended for using too much, or sent a senseless answer."""

    is_late = False


class Refused(Lost):
    """An error: a test outside of the jail may not ask this question, or not get this answer."""

    is_late = False
    is_stopped = True


@dataclass(eq=False)
class Session:
    """A session with one process, to which questions (requests) are sent.

    All seconds are those that the `_meter` counts. `_signal` sends a signal to the process. When
    the session is over, `_end` is called, with true if the process has ended by itself; it returns
    why the process ended, or "" if no reason is known.
    """

    _channel: Channel
    _limits: Limits
    _end: Callable[[bool], str]
    _signal: Callable[[int], None]
    _meter: Meter
    _spent: float = 0.0
    is_over: bool = False

    @property
    def spent(self) -> float:
        """The seconds that the process has spent since the session began."""
        if not self.is_over:
            self._spent = self._meter.seconds
        return self._spent

    @property
    def asleep(self) -> float:
        """The seconds in `spent` that were charged for sleep: one for every six seconds asleep."""
        return self._meter.asleep

    def ask(self, question: Message, seconds: float, goes_on: bool = False) -> Frame:
        """Send a question to the process and return the answer.

        Raise `TimedOut` if no answer has come after `seconds`, and `Crashed` if the process ends or
        its answer makes no sense. Both errors end the session. But with `goes_on`, a program that
        is late is first interrupted, as by the stop button of a notebook. If that stops the
        program, the session continues after the `TimedOut`.
        """
        if self.is_over:
            raise Crashed("the process of this submission is gone")
        late = TimedOut(f"no answer within its {seconds:.3g} s")
        most = self.spent + seconds
        try:
            try:
                self._channel.send(pack(question), time.monotonic() + _STUCK)
            except TimeoutError:  # the process did not read it in time, which counts as sleep
                self._meter.look(_STUCK)
                raise
            try:
                return unpack(self._next(most))
            except TimeoutError:
                if not goes_on:
                    raise
            self._stop()
        except TimeoutError:
            self.close()
            raise late from None
        except (OSError, EOFError):
            reason = self.close(is_lost=True)
            why = f"the Python process of the program was ended ({reason or 'for no known reason'})"
            if reason == "memory":
                most = self._limits.memory // MIB
                why = f"the program used more than {most} MiB of memory"
            elif reason == "exit":
                why = "the program ended the Python process it ran in"
            raise Crashed(why) from None
        except WireError as error:
            self.close()
            raise Crashed(f"the answer could not be understood: {error}") from None
        except BaseException:
            self.close()
            raise
        late.is_stopped = True
        raise late

    def _next(self, most: float) -> bytes:
        """Return the next message; raise `TimeoutError` if `spent` reaches `most` before it comes.

        A message that has arrived counts as in time, even if this method looks for it late.
        """
        while (left := most - self.spent) > 0:
            wait = min(max(left, _SHORTEST), LOOK)
            try:
                return self._channel.receive(time.monotonic() + wait)
            except TimeoutError:
                if not self._channel.comes(0):
                    self._meter.look(wait)
        return self._channel.receive(time.monotonic())

    def _stop(self) -> None:
        """Interrupt the program until it stops; raise `TimeoutError` after `_GRACE` seconds."""
        most = self.spent + _GRACE
        while self.spent < most:
            self._signal(SIGINT)
            with suppress(TimeoutError):
                unpack(self._next(self.spent + _AGAIN))
                return
        raise TimeoutError

    def signal(self, number: int) -> None:
        """Send a signal to the submission's first process only, unless the session is over."""
        if not self.is_over:
            self._signal(number)

    def close(self, is_lost: bool = False) -> str:
        """End the process and all that it has started; return why it ended, or "" if unknown.

        With `is_lost`, the process is about to end by itself; the wait for this counts as sleep.
        """
        if self.is_over:
            return ""
        spent, asleep = self.spent, self.asleep
        self.is_over = True
        self._channel.close()
        begin = time.monotonic()
        reason = self._end(is_lost)
        if is_lost:
            self._meter.look(time.monotonic() - begin)
        self._spent = spent + self.asleep - asleep
        return reason
