"""A session: one submission in the jail, as the grader talks to it."""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from autograder.course import NoAnswer
from autograder.jail.limits import MIB, Limits
from autograder.wire import WireError, pack, receive, receive_body, send, send_frame, unpack

Message = dict[str, Any]


class Lost(NoAnswer):
    """The submission's process is gone; what was asked has no answer."""


class TimedOut(Lost):
    """It did not come back in time, and was ended."""


class Crashed(Lost):
    """It ended itself, was ended for what it used, or spoke nonsense."""

    is_late = False


class Session:
    """Asks one submission. After `Lost` it is of no use any more: begin another one.

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
        self._limits = limits
        self._end = end
        self._find = find
        self._process: int | None = None  # a pidfd, once it was paused
        self.is_over = False

    def ask(
        self,
        question: Message,
        seconds: float,
        call_back: Callable[[Message], Message] | None = None,
    ) -> Message:
        """The answer to a question; raises `TimedOut` after that many seconds, or `Crashed`.

        Before it answers, the other side may ask for calls of functions that it was given:
        `call_back` makes them. These may ask questions in turn.
        """
        return self.read(self.hear(self.frame(question), seconds), seconds, call_back)

    def frame(self, question: Message) -> bytes:
        """A question as it is sent; raises `Crashed` for one that can not be."""
        with self._lost_with(0):
            return pack(question)

    def hear(self, frame: bytes, seconds: float) -> bytes:
        """What comes back for a frame within so many seconds, not read yet; raises as `ask`."""
        if self.is_over:
            raise Crashed("the process of this submission is gone")
        with self._lost_with(seconds) as deadline:
            send_frame(self._wire, frame, deadline)
            return bytes(receive_body(self._wire, deadline))

    def read(
        self, body: bytes, seconds: float, call_back: Callable[[Message], Message] | None = None
    ) -> Message:
        """The answer that came back, once all the calls are made that it asks for before."""
        with self._lost_with(seconds) as deadline:
            answer = unpack(body)
            while "call back" in answer and call_back is not None:
                send(self._wire, {"gave": call_back(answer)}, deadline)
                answer = receive(self._wire, deadline)
            return answer

    @contextmanager
    def _lost_with(self, seconds: float) -> Iterator[float]:
        """Gives the deadline; whatever goes wrong ends the submission and is raised as `Lost`."""
        try:
            yield time.monotonic() + seconds
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
