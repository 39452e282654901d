"""A session: one submission in the jail, as the grader talks to it."""

import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import ceil
from typing import Any

from autograder.course import NoAnswer
from autograder.jail.limits import MIB, Limits
from autograder.wire import WireError, pack, receive, receive_body, send, send_frame, unpack

Message = dict[str, Any]
_GRACE = 1.0  # seconds in which an interrupted program has to stop
_AGAIN = 0.2  # seconds until it is told so again: Python drops what is raised in a `__del__`


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
        wire: socket.socket,
        limits: Limits,
        end: Callable[[bool], str],
        find: Callable[[], int | None],
    ) -> None:
        self._wire = wire
        self._arrived = select.poll()
        self._arrived.register(wire, select.POLLIN)
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
        return self.read(
            self.hear(self.frame(question), seconds, goes_on), seconds, call_back, goes_on
        )

    def frame(self, question: Message) -> bytes:
        """A question as it is sent; raises `Crashed` for one that can not be."""
        with self._lost_with(0):
            return pack(question)

    def hear(self, frame: bytes, seconds: float, goes_on: bool = False) -> bytes:
        """What comes back for a frame within so many seconds, not read yet; raises as `ask`."""
        if self.is_over:
            raise Crashed("the process of this submission is gone")
        with self._lost_with(seconds) as deadline:
            send_frame(self._wire, frame, deadline)
            return self._body(deadline, goes_on)

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
                send(self._wire, {"gave": gave}, max(deadline, time.monotonic() + _GRACE))
                answer = unpack(self._body(deadline, goes_on))
            return answer

    def _body(self, deadline: float, goes_on: bool) -> bytes:
        """The next message; what comes too late is interrupted, if it was asked by no other."""
        if self._comes(deadline - time.monotonic()):
            # It is in time, however late this process comes to look at it.
            return bytes(receive_body(self._wire, max(deadline, time.monotonic() + _GRACE)))
        if not goes_on or self._nested:
            raise TimeoutError
        self._stop()
        raise _Interrupted

    def _comes(self, seconds: float) -> bool:
        return bool(self._arrived.poll(ceil(max(seconds, 0) * 1000)))

    def _stop(self) -> None:
        """What runs is told to stop until it does; raises `TimeoutError` if it does not."""
        end = time.monotonic() + _GRACE
        while time.monotonic() < end:
            self._interrupt()
            if self._comes(_AGAIN):
                if "call back" not in receive(self._wire, end):
                    return
                send(self._wire, {"gave": None}, end)  # it was interrupted, and does not look
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
        self._wire.close()
        if self._process is not None:
            os.close(self._process)
        return self._end(is_lost)

    def _why(self, reason: str) -> str:
        if reason == "memory":
            return f"the program used more than {self._limits.memory // MIB} MiB of memory"
        if reason == "exit":
            return "the program ended the Python process it ran in"
        return f"the Python process of the program was ended ({reason or 'for no known reason'})"
