"""A player: answers what comes after a move, with functions or with an object of one's own."""

from dataclasses import dataclass
from typing import Any, Protocol

from course.match.pieces import Pieces
from course.match.reference import Function
from course.match.state import State
from course.rules import Board


@dataclass(frozen=True)
class Played:
    """What a player answers to a move: the board after it, and `by` which piece it came there.

    `slid` is the board between the slide and the spawn; `None` where both were answered as one.
    """

    board: Board
    by: str
    slid: Board | None = None


class Player(Protocol):
    """What a match asks of whoever plays it. Each question may raise `Stuck`.

    `pieces` are the functions of the game, and the report on them.
    """

    pieces: Pieces

    @property
    def goal(self) -> int:
        """The tile that wins."""

    @property
    def is_special(self) -> bool:
        """Whether the special rules are played."""

    @property
    def merges(self) -> bool:
        """Whether tiles merge at all, as they do not where they only slide."""

    @property
    def is_prepared(self) -> bool:
        """Whether the game was arranged: its start or its chance. Its score is no record."""

    def starting_at(self, state: State) -> "Player":
        """A player with the same pieces and rules whose game starts so.

        Raises `Stuck` where the player can not.
        """

    def spare(self) -> State:
        """What to show where no game can be begun. Never raises `Stuck`."""

    def begin(self) -> State:
        """A new game."""

    def now(self, state: State) -> State:
        """The state as it really is: a cell may have changed it. Never raises `Stuck`."""

    def move(self, state: State, direction: str) -> Played:
        """One turn."""

    def count(self, state: State, played: Played, gained: int, is_legal: bool) -> tuple[int, int]:
        """The score and the number of moves after a turn."""

    def end(self, state: State) -> State:
        """The same state, with the answers to: is it over, is it won, can it go on?"""

    def second_chance(self, state: State) -> State:
        """The board and the score with which a lost game goes on."""

    def suspects(self, *names: str) -> list[Function]:
        """What the learner wrote of these pieces."""

    def memory(self) -> Any:
        """What the player must remember to play on from here."""

    def recall(self, memory: Any) -> None:
        """The player stands again as it did."""
