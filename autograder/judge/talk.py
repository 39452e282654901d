"""What a test has asked and was answered, frame by frame."""

import sys
from dataclasses import dataclass
from hashlib import sha256
from types import FrameType


class Astray(BaseException):
    """A test asks something else than it did before, of the same answers."""


class Outlived(BaseException):
    """What a test was answered came from a process that is gone: it has to be asked anew."""


@dataclass(frozen=True)
class Exchange:
    """One question: its frame, of which name it is asked, what it is in words, and the answer.

    The answer is told apart from others by the hash of its bytes. `line` is that of the test.
    It `is_alone` where the test has an object, which may keep what it is asked.
    """

    frame: bytes
    label: str
    what: str
    answer: bytes
    line: int = 0
    is_alone: bool = False


class Talk:
    """What was said in the test that now runs, if it `is_kept`.

    Questions may be put before the test itself comes to them; then it hears what came back. `line`
    is the line of the test to which the last of these belongs. It `has_objects` once an answer held
    one, be it an iterator or a function: it may change by what it is asked.
    """

    def __init__(self, test: str = "", is_kept: bool = False) -> None:
        self.is_kept = is_kept
        self.has_objects = False
        self.line = 0
        self._test = test
        self.exchanges: list[Exchange] = []
        self._ahead: list[tuple[bytes, bytes]] = []

    def put_ahead(self, frame: bytes, body: bytes) -> None:
        """A question that the test is going to ask was put, and this came back."""
        self._ahead.append((frame, body))

    def heard(self, frame: bytes) -> bytes | None:
        """What came back for the next question, if it was put ahead; raises `Astray`."""
        if not self._ahead:
            return None
        known, body = self._ahead.pop(0)
        if known != frame:
            raise Astray
        return body

    def note(self, frame: bytes, label: str, what: str, body: bytes) -> None:
        """The test has asked this, and got this answer."""
        if self.is_kept:
            where = self._line_now(), self.has_objects
            self.exchanges.append(Exchange(frame, label, what, digest(body), *where))

    def _line_now(self) -> int:
        """The line at which the test now is."""
        frame: FrameType | None = sys._getframe()
        while frame is not None and frame.f_code.co_filename != self._test:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0


def digest(body: bytes) -> bytes:
    """What tells an answer apart from all others."""
    return sha256(body).digest()
