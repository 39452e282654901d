"""A pairing: two agents that play games against each other; each is first player equally often."""

import hashlib
import json
import time
from dataclasses import asdict, dataclass

from autograder.course_adapter import ARENA, playing
from autograder.jail import Conditions, WarmJails
from autograder.tournament.entry import Entry
from autograder.tournament.referee import LIMITS, play_game

_FORM = 1  # version of the saved games; games of another version are played again


@dataclass(frozen=True)
class Terms:
    """The terms that all pairings of a tournament have in common.

    In a pairing, each agent plays `games` games as the first player. A game has `rounds` rounds.
    `seed` determines the random numbers. `seconds` is the time that an agent has in one game.
    """

    games: int = 10
    rounds: int = playing.duel_engine.ROUNDS
    seed: int = 1
    seconds: float = playing.duel_engine.SECONDS


@dataclass(frozen=True)
class Pairing:
    """Two agents, and the terms of their games; `confined` is true if the agents run in jails."""

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
    """One game of a tournament: the names of its first and second player, and its result.

    `number` is the number of the game in its pairing; two games have the same number, with each
    agent as the first player once. `answers` are the answers of both agents, as in a `Record`.
    `winner` is 1 for the first player, -1 for the second, and 0 for a draw. `reason` and `detail`
    say why the game ended. `seconds` are the times that the first and the second player used.
    `wall` is the number of seconds from the beginning of the game to its end.
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


# One jail for the agent `one` of a pairing, one for the agent `other`.
_jails = WarmJails(), WarmJails()


def play_pairing(pairing: Pairing) -> list[Played]:
    """Play all games of a pairing and return them. Raise `JailMissing` if there is no jail.

    The agents run in two jails, which this process keeps for all pairings. Public numbers are the
    random numbers that both agents know. Games with the same number have the same public numbers,
    in all pairings, whichever agent is the first player.
    """
    conditions = Conditions(pairing.confined, LIMITS)
    one = pairing.one, _jails[0].get(ARENA, conditions)
    other = pairing.other, _jails[1].get(ARENA, conditions)
    terms, played = pairing.terms, []
    for number in range(terms.games):
        numbers = playing.public_numbers(f"{terms.seed} {number}", terms.rounds)
        for first, second in ((one, other), (other, one)):
            begin = time.monotonic()
            seed = f"{terms.seed} {number} {first[0].name} {second[0].name}"
            game = play_game(first, second, numbers, seed, terms.seconds)
            played.append(
                Played(
                    first=first[0].name,
                    second=second[0].name,
                    number=number,
                    winner=game.record.winner,
                    reason=game.record.reason,
                    detail=game.record.detail,
                    answers=game.record.answers,
                    seconds=game.seconds,
                    wall=time.monotonic() - begin,
                )
            )
    return played
