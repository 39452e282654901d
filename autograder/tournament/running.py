"""A whole tournament: everybody against everybody, pairing by pairing."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import combinations

from autograder.jail import JailMissing
from autograder.tournament.entry import Entry
from autograder.tournament.kept import Kept
from autograder.tournament.pairing import Pairing, Played, Terms, play_pairing
from autograder.tournament.rating import Rating, ratings
from autograder.workers import run


@dataclass
class Standing:
    """One agent's row in the standings: a win is a point, a draw is half a point.

    `lost_by` counts the reasons why it lost.
    """

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    lost_by: Counter[str] = field(default_factory=Counter)

    @property
    def points(self) -> float:
        """Wins and half of the draws."""
        return self.wins + self.draws / 2

    @property
    def games(self) -> int:
        """All games of the agent."""
        return self.wins + self.draws + self.losses


@dataclass
class Tournament:
    """A tournament's results: games in the order of the pairings, and what could not be played.

    `played_now` counts the games that were not there from an earlier run.
    """

    names: list[str]
    terms: Terms
    games: list[Played] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    played_now: int = 0

    @property
    def standings(self) -> list[Standing]:
        """The rows of all agents, the best first."""
        told = [(game.first, game.second, game.winner, game.reason) for game in self.games]
        return standings(self.names, told)

    @property
    def ratings(self) -> dict[str, Rating]:
        """The rating of each agent."""
        return ratings(self.names, self.games)


def standings(names: Iterable[str], games: Iterable[tuple[str, str, int, str]]) -> list[Standing]:
    """Return the rows of all agents, the best first; equal points go by wins, then by name.

    Each game is `(first, second, winner, reason)`, with 1, -1 or 0 as its winner.

    >>> [row.name for row in standings(["a", "b"], [("a", "b", -1, "error"), ("b", "a", 0, "")])]
    ['b', 'a']
    """
    rows = {name: Standing(name) for name in names}
    for first, second, winner, reason in games:
        if winner == 0:
            rows[first].draws += 1
            rows[second].draws += 1
            continue
        won, lost = (first, second) if winner == 1 else (second, first)
        rows[won].wins += 1
        rows[lost].losses += 1
        rows[lost].lost_by[reason] += 1
    return sorted(rows.values(), key=lambda row: (-row.points, -row.wins, row.name))


def pairings_of(entries: Sequence[Entry], terms: Terms, confined: bool) -> list[Pairing]:
    """Return all pairings, everybody with everybody else, in the order of the names."""
    named = {entry.name: entry for entry in entries}
    pairs = combinations(sorted(named), 2)
    return [Pairing(named[one], named[other], terms, confined) for one, other in pairs]


def play_tournament(
    pairings: Sequence[Pairing],
    kept: Kept,
    executors: Callable[[], Executor],
    prefetch: int,
    on_progress: Callable[[], object],
) -> Tournament:
    """Play all pairings that were not played before, and keep each as soon as it is done.

    Raise `JailMissing` if no agent can be confined, and `OSError` if a result cannot be kept.
    """
    names = sorted({entry.name for pairing in pairings for entry in (pairing.one, pairing.other)})
    tournament = Tournament(names, pairings[0].terms)
    found = {pairing.key: kept.games(pairing) for pairing in pairings}
    waiting = []
    for pairing in pairings:
        if found[pairing.key] is None:
            waiting.append((pairing.key, pairing))
        else:
            on_progress()
    for key, pairing, games in run(play_pairing, waiting, executors, prefetch):
        on_progress()
        if isinstance(games, JailMissing):
            raise games
        if isinstance(games, Exception):
            what = f"{pairing.one.name} against {pairing.other.name}"
            tournament.problems.append(f"{what} was not played: {type(games).__name__}: {games}")
            continue
        kept.keep(pairing, games)
        found[key] = games
        tournament.played_now += len(games)
    tournament.games = [game for pairing in pairings for game in found[pairing.key] or ()]
    return tournament
