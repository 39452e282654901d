"""A whole tournament: everybody against everybody, pairing by pairing."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path

from openskill.models import BradleyTerryFull

from autograder.disk import put_file
from autograder.jail import JailMissing
from autograder.tournament.entry import Entry
from autograder.tournament.pairing import Pairing, Played, Terms, play_pairing
from autograder.workers import run

_SURE = 2  # standard deviations: in 95 of 100 cases the strength lies within


@dataclass(frozen=True)
class Rating:
    """A strength, and how far off it may be; everybody begins at 25."""

    strength: float
    give_or_take: float


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


def ratings(names: Iterable[str], games: Iterable[Played]) -> dict[str, Rating]:
    """Return the ratings of all agents, by a Bradley–Terry model that takes in game after game.

    The first games of all pairings are taken in before the second ones, so that no agent's last
    games count for more than another's.
    """
    model = BradleyTerryFull(tau=0)  # agents do not change while they play
    rated = {name: model.rating(name=name) for name in names}
    for game in sorted(games, key=lambda game: game.number):
        teams = [[rated[game.first]], [rated[game.second]]]
        ranks = {1: [0.0, 1.0], -1: [1.0, 0.0], 0: [0.0, 0.0]}[game.winner]
        (first,), (second,) = model.rate(teams, ranks=ranks)
        rated[game.first], rated[game.second] = first, second
    return {name: Rating(one.mu, _SURE * one.sigma) for name, one in rated.items()}


def pairings_of(entries: Sequence[Entry], terms: Terms, confined: bool) -> list[Pairing]:
    """Return all pairings, everybody with everybody else, in the order of the names."""
    named = {entry.name: entry for entry in entries}
    pairs = combinations(sorted(named), 2)
    return [Pairing(named[one], named[other], terms, confined) for one, other in pairs]


class Kept:
    """A folder with one file for each pairing that was played to its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for scratch in folder.glob(".unfinished-*"):
            scratch.unlink(missing_ok=True)

    def games(self, pairing: Pairing) -> list[Played] | None:
        """Return the games of a pairing, if all were played; a damaged file counts as none."""
        try:
            data = json.loads(self._file(pairing).read_text("utf-8"))
            games = [
                Played(**{**game, "seconds": tuple(map(float, game["seconds"]))})
                for game in data["games"]
            ]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return games if len(games) == 2 * pairing.terms.games else None

    def keep(self, pairing: Pairing, games: list[Played]) -> None:
        """Write the games of a pairing. Raise `OSError` if that cannot be done."""
        names = [pairing.one.name, pairing.other.name]
        data = {"pairing": names, "games": [asdict(game) for game in games]}
        put_file(self._file(pairing), json.dumps(data, ensure_ascii=False) + "\n")

    def _file(self, pairing: Pairing) -> Path:
        return self._folder / f"{pairing.key}.json"


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
