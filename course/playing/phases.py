"""One match of two players, phase by phase: what is asked next, and what an answer does."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from course.playing.view import Choice, Phase, View
from course.rules.board import DIRECTIONS, Board
from course.rules.duel import empty_duel, leader, legal_directions, legal_squares, place, push

PHASES: tuple[tuple[int, Phase], ...] = ((1, "place"), (-1, "place"), (1, "push"), (-1, "push"))
ROUNDS = 500
SECONDS = 5.0  # that an agent may use up in a game
_NUMBERS = 720_720  # every count of squares up to 16 divides it, so all are equally likely
_SKIPPED = "--"
_LONGEST = 300  # characters that are kept of the detail


class Reason(StrEnum):
    """The reason why a match ended."""

    TILES = "tiles"  # all rounds were played
    ILLEGAL = "illegal answer"
    ERROR = "error"
    TIME = "out of time"
    CRASH = "crashed"


@dataclass(frozen=True)
class Record:
    """A match that is over, as plain data: enough to play it again.

    `answers` has two letters for each phase: row and column of a square, the first two letters of a
    direction, or `--` if the phase was skipped. `winner` is 1, -1, or 0 for a draw.
    """

    numbers: tuple[int, ...]
    answers: str
    winner: int
    reason: str
    detail: str = ""


def public_numbers(seed: object, rounds: int = ROUNDS) -> tuple[int, ...]:
    """Return the public numbers of a match, one for each round. They depend on the seed alone.

    >>> public_numbers(1, rounds=3)
    (501479, 501343, 46391)
    """
    rng = Random(str(seed))
    return tuple(rng.randrange(_NUMBERS) for _ in range(rounds))


class Duel:
    """A match, which asks `player` in `phase` for one of `legal`, until `is_over`.

    >>> match = Duel([0])
    >>> match.player, match.phase, match.legal[:2]
    (1, 'place', [(0, 0), (0, 4)])
    >>> match.answer((0, 0))
    >>> match.board[0][0], match.player
    (2, -1)
    """

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers = list(numbers)
        self.board: Board = empty_duel()
        self.answers: list[Choice | None] = []
        self.last: dict[int, Choice | None] = {1: None, -1: None}
        self.winner: int | None = None
        self.reason: Reason | None = None
        self.detail = ""
        self._ask()

    @property
    def is_over(self) -> bool:
        """True if the match has ended."""
        return self.reason is not None

    @property
    def round(self) -> int:
        """The number of the current round, from 0 on."""
        return len(self.answers) // len(PHASES)

    @property
    def rounds(self) -> int:
        """The number of rounds of the match."""
        return len(self.numbers)

    def answer(self, answer: object) -> None:
        """Choice for the player that is asked.

        If nothing is legal, the answer must be `None`, which skips the phase. Any other answer that
        is not legal loses the match. Raises `ValueError` if the match is over.
        """
        if self.is_over:
            raise ValueError("the match is over")
        found = self._understood(answer)
        if found is None and (self.legal or answer is not None):
            self.lose(self.player, Reason.ILLEGAL, self._why_illegal(answer))
            return
        if found is not None:
            self.board = self._after(found)
        self.answers.append(found)
        self.last[self.player] = found
        self._ask()

    def lose(self, player: int, reason: Reason, detail: str = "") -> None:
        """End the match at once; the other player wins."""
        self.winner, self.reason, self.detail = -player, reason, detail[:_LONGEST]

    def view(self, time_left: float | None = None, opponent_time_left: float | None = None) -> View:
        """Return what the player that is asked may see, as copies that an agent may change."""
        return {
            "board": [row[:] for row in self.board],
            "player": self.player,
            "phase": self.phase,
            "legal": list(self.legal),
            "round": self.round,
            "rounds": self.rounds,
            "numbers": self.numbers[self.round :],
            "last": dict(self.last),
            "time_left": time_left,
            "opponent_time_left": opponent_time_left,
        }

    def record(self) -> Record:
        """Return the record of a match that is over; raise `ValueError` if it is not over."""
        if self.reason is None or self.winner is None:
            raise ValueError("the match is not over")
        answers = "".join(map(_written, self.answers))
        return Record(tuple(self.numbers), answers, self.winner, self.reason.value, self.detail)

    def _ask(self) -> None:
        self.player, self.phase = PHASES[len(self.answers) % len(PHASES)]
        self.legal: Sequence[Choice] = ()
        if self.round == self.rounds:
            self.winner, self.reason = leader(self.board), Reason.TILES
        elif self.phase == "place":
            self.legal = legal_squares(self.board, self.player, self.numbers[self.round])
        else:
            self.legal = legal_directions(self.board, self.player)

    def _understood(self, answer: object) -> Choice | None:
        """Return the legal answer that equals this one in value and type, or `None`.

        The types must be exactly the same: `True` is not 1.
        """
        if type(answer) is tuple and any(type(part) is not int for part in answer):
            return None
        if type(answer) not in (tuple, str):
            return None
        return next((legal for legal in self.legal if legal == answer), None)

    def _after(self, answer: Choice) -> Board:
        if isinstance(answer, str):
            return push(self.board, self.player, answer)
        return place(self.board, self.player, answer, self.numbers[self.round])

    def _why_illegal(self, answer: object) -> str:
        shown = _short(answer)
        if not self.legal:
            return f"{self.phase}: {shown}, with nothing to do"
        if self.phase == "push":
            is_way = type(answer) is str and answer in DIRECTIONS
            why = "changes nothing" if is_way else "is not one of the four directions"
        elif type(answer) is tuple and {*map(type, answer)} == {int}:
            why = "may not be filled"
        else:
            why = "is no tuple (row, column) of int"
        return f"{self.phase}: {shown} {why}"


def _short(answer: object) -> str:
    """Return an answer as Python writes it, if it is plain; else its type.

    For a tuple, the types of its parts are added.
    """
    parts = answer[:9] if isinstance(answer, tuple | list) else (answer,)
    if all(part is None or type(part) in (bool, int, float, str) for part in parts):
        return repr(answer)[:80]
    kind = type(answer).__name__
    kind += f" of {', '.join(type(part).__name__ for part in parts)}" if kind == "tuple" else ""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _written(answer: Choice | None) -> str:
    if answer is None:
        return _SKIPPED
    return answer[:2] if isinstance(answer, str) else f"{answer[0]}{answer[1]}"
