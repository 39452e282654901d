"""A whole tournament: everybody against everybody, pairing by pairing."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

from autograder.course import playing
from autograder.jail import JailMissing
from autograder.tournament.entry import Entry
from autograder.tournament.kept import Kept
from autograder.tournament.pairing import Pairing, Played, Terms, play_pairing
from autograder.tournament.rating import Rating, ratings
from autograder.workers import run

Row = playing.Row


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
    def standings(self) -> list[Row]:
        """The rows of all agents, the best first."""
        told = [(game.first, game.second, game.winner, game.reason) for game in self.games]
        return playing.standings(self.names, told)

    @property
    def ratings(self) -> dict[str, Rating]:
        """The rating of each agent."""
        return ratings(self.names, self.games)


def pairings_of(entries: Sequence[Entry], terms: Terms, confined: bool) -> list[Pairing]:
    """Return all pairings, in the order of the names."""
    named = {entry.name: entry for entry in entries}
    fixtures = playing.fixtures(sorted(named))
    return [Pairing(named[one], named[other], terms, confined) for one, other in fixtures]


def play_tournament(
    pairings: Sequence[Pairing],
    kept: Kept,
    executors: Callable[[], Executor],
    ahead: int,
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
    for key, pairing, games in run(play_pairing, waiting, executors, ahead):
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
