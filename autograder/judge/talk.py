"""What a test has asked and was answered, frame by frame."""

from dataclasses import dataclass
from hashlib import sha256


class Astray(BaseException):
    """A test asks something else than it did before, of the same answers."""


@dataclass(frozen=True)
class Exchange:
    """One question: its frame, of which name it is asked, what it is in words, and the answer.

    The answer is told apart from others by the hash of its bytes.
    """

    frame: bytes
    label: str
    what: str
    answer: bytes


class Talk:
    """What was said in the test that now runs, if it `is_kept`.

    Questions may be put before the test itself comes to them; then it hears what came back.
    """

    def __init__(self, is_kept: bool = False) -> None:
        self.is_kept = is_kept
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
            self.exchanges.append(Exchange(frame, label, what, digest(body)))


def digest(body: bytes) -> bytes:
    """What tells an answer apart from all others."""
    return sha256(body).digest()
