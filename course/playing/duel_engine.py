"""A duel of two players, phase by phase: who must answer next, and what the answer does."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from time import process_time
from typing import Any, Literal

from course.plain_errors import error_text
from course.rules.board import DIRECTIONS, Board, Square
from course.rules.duel import empty_duel, leader, legal_directions, legal_squares, place, push

Phase = Literal["place", "push"]
Choice = Square | str  # an answer of a player
View = dict[str, Any]  # what an agent gets to know; `course.playing` explains the keys

PHASES: tuple[tuple[int, Phase], ...] = ((1, "place"), (-1, "place"), (1, "push"), (-1, "push"))
ROUNDS = 500
SECONDS = 5.0  # of processor time for each agent in a duel
_NUMBERS = 720_720  # a multiple of 1, 2, …, 16, so that each of up to 16 squares is equally likely
_LONGEST = 300  # characters of `detail`; the rest is cut

_clock: Callable[[], float] = process_time  # so no agent loses because the machine is busy


class Reason(StrEnum):
    """The reason why a duel ended."""

    TILES = "tiles"  # all rounds were played
    ILLEGAL = "illegal answer"
    ERROR = "error"
    TIME = "out of time"
    CRASH = "crashed"


@dataclass(frozen=True)
class Record:
    """A duel that is over, as plain data from which it can be replayed.

    `answers` has two characters for each phase: the row and column of a square, the first two
    letters of a direction, or `--` if the phase was skipped. `winner` is 1, -1, or 0 for a draw.
    """

    numbers: tuple[int, ...]
    answers: str
    winner: int
    reason: str
    detail: str = ""


def public_numbers(seed: object, rounds: int = ROUNDS) -> tuple[int, ...]:
    """Return the public numbers of a duel, one for each round; they depend on the seed alone.

    >>> public_numbers(1, rounds=3)
    (501479, 501343, 46391)
    """
    rng = Random(str(seed))
    return tuple(rng.randrange(_NUMBERS) for _ in range(rounds))


class Duel:
    """A duel of two players.

    Until `is_over` is true, the player `player` must give one of the answers in `legal`: squares if
    `phase` is `"place"`, or directions if it is `"push"`.
    """

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers = list(numbers)
        self.rounds = len(self.numbers)
        self.board: Board = empty_duel()
        self.answers: list[Choice | None] = []
        self.last: dict[int, Choice | None] = {1: None, -1: None}
        self.winner: int | None = None
        self.reason: Reason | None = None
        self.detail = ""
        self._ask()

    @property
    def is_over(self) -> bool:
        return self.reason is not None

    @property
    def round(self) -> int:
        """The number of the current round, from 0 on."""
        return len(self.answers) // len(PHASES)

    def answer(self, answer: object) -> None:
        """Play an answer of the player who must answer, and go on to the next phase.

        A player who gives an answer that is not legal loses. If no answer is legal, the phase is
        skipped by the answer `None`. Raise `ValueError` if the duel is over.
        """
        if self.is_over:
            raise ValueError("the match is over")
        found = chosen(answer, self.legal)
        if found is None and (self.legal or answer is not None):
            self.lose(self.player, Reason.ILLEGAL, self._why_illegal(answer))
            return
        if isinstance(found, str):
            self.board = push(self.board, self.player, found)
        elif found is not None:
            self.board = place(self.board, self.player, found, self.numbers[self.round])
        self.answers.append(found)
        self.last[self.player] = found
        self._ask()

    def lose(self, player: int, reason: Reason, detail: str = "") -> None:
        """End the duel at once: `player` loses, and the other player wins."""
        self.winner, self.reason, self.detail = -player, reason, detail[:_LONGEST]

    def view(self, time_left: float | None = None, opponent_time_left: float | None = None) -> View:
        """Return a view for the player who must answer; an agent may change it, as it is a copy."""
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
        """Return the record of a duel that is over; raise `ValueError` if it is not over."""
        if self.reason is None or self.winner is None:
            raise ValueError("the match is not over")
        texts = ["".join(map(str, answer or "--")) for answer in self.answers]
        answers = "".join(text[:2] for text in texts)
        numbers = tuple(self.numbers)
        return Record(numbers, answers, self.winner, self.reason.value, self.detail)

    def _ask(self) -> None:
        """Set the player, the phase and the legal answers; after the last round, set the winner."""
        self.player, self.phase = PHASES[len(self.answers) % len(PHASES)]
        self.legal: Sequence[Choice] = ()
        if self.round == self.rounds:
            self.winner, self.reason = leader(self.board), Reason.TILES
        elif self.phase == "place":
            self.legal = legal_squares(self.board, self.player, self.numbers[self.round])
        else:
            self.legal = legal_directions(self.board, self.player)

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


def error_line(error: BaseException) -> str:
    """Return an error in one line: its text, and the line of the learner's code it comes from."""
    return ", ".join(part.strip() for part in error_text(error).splitlines())


def chosen(answer: object, legal: Sequence[Choice]) -> Choice | None:
    """Return the answer in `legal` that equals `answer` in value and type, or `None`."""
    parts = answer if type(answer) is tuple else ()
    if type(answer) not in (tuple, str) or any(type(part) is not int for part in parts):
        return None
    return next((each for each in legal if each == answer), None)


def _short(answer: object) -> str:
    """Return the `repr` of an answer, cut to 80 letters, if the answer has plain values only.

    For any other answer, return its type in words; for a tuple, also the types of its items.
    """
    parts = answer[:9] if isinstance(answer, tuple | list) else (answer,)
    if all(part is None or type(part) in (bool, int, float, str) for part in parts):
        return repr(answer)[:80]
    kind = type(answer).__name__
    kind += f" of {', '.join(type(part).__name__ for part in parts)}" if kind == "tuple" else ""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def play_between(
    first: Any, second: Any, numbers: Iterable[int], seconds: float | None = None
) -> Duel:
    """Play a duel of two agents to its end, and return the `Duel`.

    `seconds` is the processor time that each agent may use. An agent that has used more loses as
    soon as it has answered. If no answer is legal for an agent, its method `skip` is called, if
    there is one.
    """
    duel, agents, used = Duel(numbers), {1: first, -1: second}, {1: 0.0, -1: 0.0}
    while not duel.is_over:
        player, agent, answer = duel.player, agents[duel.player], None
        sides = (player, -player)
        left = [None if seconds is None else max(0.0, seconds - used[side]) for side in sides]
        view = duel.view(*left)
        begin = thought()
        try:
            if duel.legal:
                answer = agent.place(view) if duel.phase == "place" else agent.push(view)
            elif hasattr(agent, "skip"):
                agent.skip(view)
        except Exception as error:
            duel.lose(player, Reason.ERROR, error_line(error))
            break
        used[player] += thought() - begin
        if seconds is not None and used[player] > seconds:
            duel.lose(player, Reason.TIME, f"more than {seconds:g} s")
            break
        duel.answer(answer)
    return duel


def thought() -> float:
    """Return how many seconds agents have run so far, by the clock set with `think_on`.

    The clock is at first the processor time of this process.
    """
    return _clock()


def think_on(clock: Callable[[], float]) -> None:
    """Measure the time of agents by `clock`, which returns for how many seconds they have run."""
    global _clock
    _clock = clock
