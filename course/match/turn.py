"""One turn of a match, as it is when all is known."""

from dataclasses import dataclass, field

from course.hints import Diagnosis
from course.match.calls import Stuck
from course.match.fault import Fault
from course.match.motion import Motion
from course.match.special import OFFER
from course.match.state import State
from course.rules import Square


@dataclass(frozen=True)
class Turn:
    """One turn, or the start of a match: how it leaves the match, what moved, and what is said.

    `found` is what broke a rule; `warning` is said aloud after what is `said`. `trouble` is set
    where there was no answer to go on with: then `after` is how the match stood before, unless only
    the words for the turn were missing.
    """

    after: State
    said: str = ""
    warning: str = ""
    motion: Motion = field(default_factory=Motion)
    spawned: tuple[Square, ...] = ()
    gained: int = 0
    won: bool = False
    found: tuple[Fault, ...] = ()
    printed: tuple[str, ...] = ()
    diagnosis: Diagnosis | None = None
    trouble: Stuck | None = None

    @property
    def faults(self) -> list[str]:
        """What broke a rule, in sentences."""
        return [fault.sentence for fault in self.found]

    @property
    def marks(self) -> list[Square]:
        """The squares that show what broke a rule."""
        return [square for fault in self.found for square in fault.squares]

    @property
    def aloud(self) -> str:
        """What is said for the ear: one announcement, with the second chance while there is one."""
        offer = OFFER if self.after.can_continue else ""
        return " ".join(filter(None, [self.said, offer, self.warning]))
