"""A session: questions to one process, a submission's or that of its tests, and their time."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from signal import SIGINT
from typing import Any

from autograder.course import NoAnswer
from autograder.jail.limits import MIB, Limits
from autograder.jail.meter import LOOK, Meter
from autograder.wire import Channel, Frame, WireError, pack, unpack

Message = dict[str, Any]
_GRACE = 1.0  # seconds in which an interrupted program has to stop
_AGAIN = 0.2  # seconds until it is told so again: Python drops what is raised in a `__del__`
_SHORTEST = 0.005  # seconds between two looks at a program that is nearly out of time
_STUCK = 30.0  # seconds, by the clock on the wall, in which a program must read what it is sent


class Lost(NoAnswer):
    """A question has no answer; its process is gone, unless it `is_stopped` only."""

    is_stopped = False


class TimedOut(Lost):
    """It did not come back in time, and was interrupted as in a notebook, or ended."""


class Crashed(Lost):
    """It ended itself, was ended for what it used, or spoke nonsense."""

    is_late = False


class Refused(Lost):
    """It cannot be asked from outside, or must not come there; its process goes on."""

    is_late = False
    is_stopped = True


@dataclass(eq=False)
class Session:
    """Asks one submission, or its tests. When it `is_over`, begin another one.

    All seconds are seconds that the submission has `spent`, by its `meter`. `signal` sends a signal
    to its first process. `end` is called when the session is over, with whether that has gone by
    itself; it gives the reason why, if the jail knows one.
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
        """Seconds that the submission has spent since the session began."""
        if not self.is_over:
            self._spent = self._meter.seconds
        return self._spent

    def ask(self, question: Message, seconds: float, goes_on: bool = False) -> Frame:
        """The answer to a question; raises `TimedOut` after that many seconds, or `Crashed`.

        Where the submission `goes_on`, it is then interrupted, as a notebook would be.
        """
        if self.is_over:
            raise Crashed("the process of this submission is gone")
        late = TimedOut(f"no answer within its {seconds:.3g} s")
        most = self.spent + seconds
        try:
            self._send(pack(question))
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
            raise Crashed(self._why(self.close(is_lost=True))) from None
        except WireError as error:
            self.close()
            raise Crashed(f"the answer could not be understood: {error}") from None
        except BaseException:
            self.close()
            raise
        late.is_stopped = True
        raise late

    def _send(self, frame: bytes) -> None:
        """Sends; raises `TimeoutError` if nobody reads, which counts as sleep."""
        try:
            self._channel.send(frame, time.monotonic() + _STUCK)
        except TimeoutError:
            self._meter.look(_STUCK)
            raise

    def _next(self, most: float) -> bytes:
        """The next message; raises `TimeoutError` once so much is spent, and it has not come.

        What is there is in time, however late this process comes to look at it.
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
        """Interrupt the program until it stops; raise `TimeoutError` if it does not."""
        most = self.spent + _GRACE
        while self.spent < most:
            self._signal(SIGINT)
            with suppress(TimeoutError):
                unpack(self._next(self.spent + _AGAIN))
                return
        raise TimeoutError

    def signal(self, number: int) -> None:
        """Send a signal to the first process of the submission, if that is not over.

        What else it has started gets none; where that matters, it must not start anything.
        """
        if not self.is_over:
            self._signal(number)

    def close(self, is_lost: bool = False) -> str:
        """Ends the submission and all that it has started; returns the reason if there is one."""
        if self.is_over:
            return ""
        self._spent = self.spent
        self.is_over = True
        self._channel.close()
        return self._end(is_lost)

    def _why(self, reason: str) -> str:
        if reason == "memory":
            return f"the program used more than {self._limits.memory // MIB} MiB of memory"
        if reason == "exit":
            return "the program ended the Python process it ran in"
        return f"the Python process of the program was ended ({reason or 'for no known reason'})"
