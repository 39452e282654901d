"""A whole tournament, in which each agent plays against each other agent, and the standings."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path

from openskill.models import BradleyTerryFull

from autograder.jail import JailMissing
from autograder.system.disk import put_file
from autograder.tournament.entry import Entry
from autograder.tournament.referee import Pairing, Played, Terms, play_pairing
from autograder.workers import run

_SURE = 2  # standard deviations: in 95 of 100 cases, the error of the strength is not larger


@dataclass(frozen=True)
class Rating:
    """An estimate of an agent's strength, which begins at 25, and the error that it may have."""

    strength: float
    give_or_take: float


@dataclass
class Standing:
    """One agent's row in the standings; `lost_by` counts the reasons why the agent lost."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    lost_by: Counter[str] = field(default_factory=Counter)

    @property
    def points(self) -> float:
        """The points: one for each win, half a point for each draw."""
        return self.wins + self.draws / 2


@dataclass
class Tournament:
    """The results of a tournament; `games` are in the order of the pairings.

    `problems` are sentences on pairings that could not be played. `played_now` is the number of
    games that this run has played; an earlier run has saved the other games.
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
    """Return the rows of all agents, sorted by points, then by wins, then by name.

    Each game is `(first, second, winner, reason)`. The winner is 1 for the first player, -1 for the
    second player, and 0 for a draw.

    >>> [row.name for row in standings(["a", "b"], [("a", "b", -1, "error"), ("b", "a", 0, "")])]
    ['b', 'a']
    """
    rows = {name: Standing(name) for name in names}
    for first, second, winner, reason in games:
        won, lost = (rows[first], rows[second]) if winner == 1 else (rows[second], rows[first])
        if winner == 0:
            won.draws += 1
            lost.draws += 1
        else:
            won.wins += 1
            lost.losses += 1
            lost.lost_by[reason] += 1
    return sorted(rows.values(), key=lambda row: (-row.points, -row.wins, row.name))


def ratings(names: Iterable[str], games: Iterable[Played]) -> dict[str, Rating]:
    """Return the ratings of all agents, by a Bradley–Terry model that is updated game by game.

    In such a model, later games have more influence on the ratings. So that no pairing has an
    advantage, the first games of all pairings come first, then the second games of all pairings,
    and so on.
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
    """Return a pairing for every two agents, in the order of their names."""
    named = {entry.name: entry for entry in entries}
    pairs = combinations(sorted(named), 2)
    return [Pairing(named[one], named[other], terms, confined) for one, other in pairs]


class Kept:
    """A folder of saved games, with one file for each pairing that was played to its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for scratch in folder.glob(".unfinished-*"):
            scratch.unlink(missing_ok=True)

    def games(self, pairing: Pairing) -> list[Played] | None:
        """Return the saved games of a pairing, or `None` if its file is missing or incomplete."""
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
        """Save the games of a pairing. Raise `OSError` if that fails."""
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
    """Play all pairings whose games are not saved in `kept`; return the results of all pairings.

    `executors` returns a new executor, whose workers play; at most `prefetch` pairings are with the
    executor at a time. `on_progress` is called for each pairing, which is saved as soon as it is
    played. Raise `JailMissing` if the agents cannot be confined on this machine, and `OSError` if
    games cannot be saved.
    """
    names = sorted({entry.name for pairing in pairings for entry in (pairing.one, pairing.other)})
    tournament = Tournament(names, pairings[0].terms)
    found = {pairing.key: kept.games(pairing) for pairing in pairings}
    waiting = [(one.key, one) for one in pairings if found[one.key] is None]
    for _ in range(len(pairings) - len(waiting)):
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
