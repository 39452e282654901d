"""A pairing: two agents play all their games, in both orders; the result is plain data."""

import hashlib
import json
import time
from dataclasses import asdict, dataclass
from typing import Any

from autograder.course import ARENA, playing
from autograder.jail import Conditions, WarmJails
from autograder.tournament.entry import Entry
from autograder.tournament.referee import LIMITS, Side, play_game

_FORM = 1  # of the results that are kept; those of another form are played again


@dataclass(frozen=True)
class Terms:
    """The terms that all pairings of a tournament have in common.

    `games` are played in each order; `seconds` are those of one agent in one game.
    """

    games: int = 10
    rounds: int = playing.phases.ROUNDS
    seed: int = 1
    seconds: float = playing.phases.SECONDS


@dataclass(frozen=True)
class Pairing:
    """Two agents and the terms they play on; `confined` is true if they run in jails."""

    one: Entry
    other: Entry
    terms: Terms
    confined: bool = True

    @property
    def key(self) -> str:
        """A fingerprint of all that the games depend on."""
        entries = [(entry.name, entry.digest) for entry in (self.one, self.other)]
        text = json.dumps([_FORM, entries, asdict(self.terms)])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True)
class Played:
    """One game: who was first and who second, and how it went.

    `seconds` are those that each of them took, `wall` those from the beginning to the end of the
    game.
    """

    first: str
    second: str
    number: int
    winner: int
    reason: str
    detail: str
    answers: str
    seconds: tuple[float, float]
    wall: float

    def as_json(self) -> dict[str, Any]:
        """Return the game as it is kept."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> "Played":
        """Return the game that was kept.

        Raise `TypeError`, `KeyError` or `ValueError` if the data is not a game.
        """
        first, second = data["seconds"]
        return Played(**{**data, "seconds": (float(first), float(second))})


# One jail for the agent that is named first, one for the other.
_jails = WarmJails(), WarmJails()


def play_pairing(pairing: Pairing) -> list[Played]:
    """Play all games of a pairing, in the warm jails of this process. Raise `JailMissing`.

    The games of one number have the same public numbers, in all pairings and in both orders.
    """
    conditions = Conditions(pairing.confined, LIMITS)
    one = pairing.one, _jails[0].get(ARENA, conditions)
    other = pairing.other, _jails[1].get(ARENA, conditions)
    return [
        _play(first, second, number, pairing.terms)
        for number in range(pairing.terms.games)
        for first, second in ((one, other), (other, one))
    ]


def _play(first: Side, second: Side, number: int, terms: Terms) -> Played:
    begin = time.monotonic()
    one, other = first[0].name, second[0].name
    numbers = playing.public_numbers(f"{terms.seed} {number}", terms.rounds)
    game = play_game(first, second, numbers, f"{terms.seed} {number} {one} {other}", terms.seconds)
    record = game.record
    return Played(
        first=one,
        second=other,
        number=number,
        winner=record.winner,
        reason=record.reason,
        detail=record.detail,
        answers=record.answers,
        seconds=game.seconds,
        wall=time.monotonic() - begin,
    )
