"""One turn of a match, with all that is known about it."""

from dataclasses import dataclass, field

from course.hints import Diagnosis
from course.playing.calls import Stuck
from course.playing.fault import Fault
from course.playing.motion import Motion
from course.playing.special import OFFER
from course.playing.state import State
from course.rules import Square


@dataclass(frozen=True)
class Turn:
    """One turn, or the start of a match: how it leaves the match, what moved, and what is said.

    `found` holds the faults; `warning` is said aloud after what is `said`. `trouble` is set if
    there was no answer to go on with: then `after` is the state before, unless only the words for
    the turn were missing.
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
        """The faults of the turn, in sentences."""
        return [fault.sentence for fault in self.found]

    @property
    def marks(self) -> list[Square]:
        """The squares that show what broke a rule."""
        return [square for fault in self.found for square in fault.squares]

    @property
    def aloud(self) -> str:
        """The announcement for the ear; it offers the second chance as long as there is one."""
        offer = OFFER if self.after.can_continue else ""
        return " ".join(filter(None, [self.said, offer, self.warning]))
