"""A player: it says what comes after a move, by functions or by an object of the learner's own."""

from dataclasses import dataclass
from typing import Any, Protocol

from course.playing.pieces import Pieces
from course.playing.reference import Function
from course.playing.state import State
from course.rules import Board


@dataclass(frozen=True)
class Reply:
    """A player's answer to a move: the board after it, and `by`, the piece that made this board.

    `slid` is the board between the slide and the spawn; `None` if both were answered as one.
    """

    board: Board
    by: str
    slid: Board | None = None


class Player(Protocol):
    """The questions that a match asks of whoever plays it. Each question may raise `Stuck`.

    `pieces` are the functions of the game, and the report on them.
    """

    pieces: Pieces

    @property
    def goal(self) -> int:
        """The tile that wins."""

    @property
    def is_special(self) -> bool:
        """True if the special rules are played."""

    @property
    def merges(self) -> bool:
        """True if tiles merge; false if they only slide."""

    @property
    def is_prepared(self) -> bool:
        """True if the start or the chance of the game was arranged: its score is no record."""

    def starting_at(self, state: State) -> "Player":
        """Return a player with the same pieces and rules whose game starts from this state.

        Raises `Stuck` if the player cannot do that.
        """

    def spare(self) -> State:
        """Return a state to show if no game can be begun. Never raises `Stuck`."""

    def begin(self) -> State:
        """Return the state at the start of a new game."""

    def now(self, state: State) -> State:
        """Return the state as it really is: a cell may have changed it. Never raises `Stuck`."""

    def move(self, state: State, direction: str) -> Reply:
        """Play one turn."""

    def count(self, state: State, played: Reply, gained: int, is_legal: bool) -> tuple[int, int]:
        """Return the score and the number of moves after a turn."""

    def end(self, state: State) -> State:
        """Return the same state, with the answers to: is it over, is it won, may it go on?"""

    def second_chance(self, state: State) -> State:
        """Return the state with the board and the score with which a lost game goes on."""

    def suspects(self, *names: str) -> list[Function]:
        """Return what the learner wrote for these pieces."""

    def memory(self) -> Any:
        """Return what the player must remember to play on from here."""

    def recall(self, memory: Any) -> None:
        """Put the player back to where it was when it gave this memory."""
