"""A session: one submission in the jail, as the grader talks to it."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from autograder.course import NoAnswer
from autograder.jail.limits import MIB, Limits
from autograder.wire import Channel, WireError, pack, unpack

Message = dict[str, Any]
_GRACE = 1.0  # seconds in which an interrupted program has to stop
_AGAIN = 0.2  # seconds until it is told so again: Python drops what is raised in a `__del__`
_REST = 0.02  # seconds after which an answer that nobody waits for is interrupted


class Lost(NoAnswer):
    """What was asked has no answer; its process is gone, unless it `is_stopped` only."""

    is_stopped = False


class TimedOut(Lost):
    """It did not come back in time, and was interrupted as in a notebook, or ended."""


class Crashed(Lost):
    """It ended itself, was ended for what it used, or spoke nonsense."""

    is_late = False


class _Interrupted(Exception):  # noqa: N818 — said of a question
    """What was asked has stopped; its process goes on."""


class Session:
    """Asks one submission. When it `is_over`, it is of no use any more: begin another one.

    `end` is called when the session is over, with whether the process has gone by itself; it gives
    the reason why, if the jail knows one. `find` finds the submission's first process.
    """

    def __init__(
        self,
        channel: Channel,
        limits: Limits,
        end: Callable[[bool], str],
        find: Callable[[], int | None],
    ) -> None:
        self._channel = channel
        self._expected = 0  # answers to what was asked
        self._limits = limits
        self._end = end
        self._find = find
        self._process: int | None = None  # a pidfd, once it was signalled
        self._nested = 0  # calls back that are being made, which may ask in turn
        self.is_over = False

    def ask(
        self,
        question: Message,
        seconds: float,
        call_back: Callable[[Message], Message] | None = None,
        goes_on: bool = False,
    ) -> Message:
        """The answer to a question; raises `TimedOut` after that many seconds, or `Crashed`.

        Where the submission `goes_on`, it is then interrupted, as a notebook would be. Before it
        answers, the other side may ask for calls of functions that it was given: `call_back` makes
        them. These may ask questions in turn.
        """
        self.put(self.frame(question), seconds)
        return self.read(self.hear(seconds, goes_on), seconds, call_back, goes_on)

    def frame(self, question: Message) -> bytes:
        """A question as it is sent; raises `Crashed` for one that can not be."""
        with self._lost_with(0):
            return pack(question)

    def put(self, frames: bytes, seconds: float, count: int = 1) -> None:
        """Sends so many questions; raises as `ask`."""
        if self.is_over:
            raise Crashed("the process of this submission is gone")
        with self._lost_with(seconds) as deadline:
            self._channel.send(frames, deadline)
            self._expected = count

    def hear(self, seconds: float, goes_on: bool = False) -> bytes:
        """What comes back next within so many seconds, not read yet; raises as `ask`."""
        if self.is_over:
            raise Crashed("the process of this submission is gone")
        with self._lost_with(seconds) as deadline:
            self._expected -= 1
            return self._body(deadline, goes_on)

    def forget(self) -> bool:
        """What was put and not heard has no answer that counts; whether it all came by itself.

        What does not even stop soon, one after the other, ends the session.
        """
        end, is_quick = time.monotonic() + _GRACE, True
        while self._expected and not self.is_over:
            try:
                self.hear(_REST, goes_on=True)
            except Lost:
                is_quick = False
            if time.monotonic() > end:
                is_quick = False
                self.close()
        return is_quick

    def read(
        self,
        body: bytes,
        seconds: float,
        call_back: Callable[[Message], Message] | None = None,
        goes_on: bool = False,
    ) -> Message:
        """The answer that came back, once all the calls are made that it asks for before."""
        with self._lost_with(seconds) as deadline:
            answer = unpack(body)
            while "call back" in answer and call_back is not None:
                self._nested += 1
                try:
                    gave = call_back(answer)
                finally:
                    self._nested -= 1
                self._channel.send(pack({"gave": gave}), max(deadline, time.monotonic() + _GRACE))
                answer = unpack(self._body(deadline, goes_on))
            return answer

    def _body(self, deadline: float, goes_on: bool) -> bytes:
        """The next message; what comes too late is interrupted, if it was asked by no other."""
        if self._channel.comes(deadline - time.monotonic()):
            # It is in time, however late this process comes to look at it.
            return self._channel.receive(max(deadline, time.monotonic() + _GRACE))
        if not goes_on or self._nested:
            raise TimeoutError
        self._stop()
        raise _Interrupted

    def _stop(self) -> None:
        """What runs is told to stop until it does; raises `TimeoutError` if it does not."""
        end = time.monotonic() + _GRACE
        while time.monotonic() < end:
            self._interrupt()
            if self._channel.comes(_AGAIN):
                if "call back" not in unpack(self._channel.receive(end)):
                    return
                self._channel.send(pack({"gave": None}), end)  # it was interrupted, does not look
        raise TimeoutError

    @contextmanager
    def _lost_with(self, seconds: float) -> Iterator[float]:
        """Gives the deadline; whatever goes wrong ends the submission and is raised as `Lost`.

        What was interrupted and has stopped is lost as well, but the submission goes on.
        """
        try:
            yield time.monotonic() + seconds
        except _Interrupted:
            late = TimedOut(f"no answer within {seconds:.3g} s")
            late.is_stopped = True
            raise late from None
        except TimeoutError:
            self.close()
            raise TimedOut(f"no answer within {seconds:.3g} s") from None
        except (OSError, EOFError):
            raise Crashed(self._why(self.close(is_lost=True))) from None
        except WireError as error:
            self.close()
            raise Crashed(f"the answer could not be understood: {error}") from None
        except BaseException:
            self.close()
            raise

    def _interrupt(self) -> None:
        """What runs is told to stop; the process goes on if it does."""
        if self._process is None:
            self._process = self._find()
        self._signal(signal.SIGINT)

    def pause(self) -> None:
        """The submission's process stands still until it is resumed.

        What else it has started does not: it must not be allowed to start anything.
        """
        if self._process is None and not self.is_over:
            self._process = self._find()
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """The submission's process goes on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self._process is not None and not self.is_over:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._process, number)

    def close(self, is_lost: bool = False) -> str:
        """Ends the submission and all that it has started; returns the reason if there is one."""
        if self.is_over:
            return ""
        self.is_over = True
        self._channel.close()
        if self._process is not None:
            os.close(self._process)
        return self._end(is_lost)

    def _why(self, reason: str) -> str:
        if reason == "memory":
            return f"the program used more than {self._limits.memory // MIB} MiB of memory"
        if reason == "exit":
            return "the program ended the Python process it ran in"
        return f"the Python process of the program was ended ({reason or 'for no known reason'})"
