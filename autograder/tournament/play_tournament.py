"""A whole tournament, in which each agent plays against each other agent, and the standings."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path

from openskill.models import BradleyTerryFull

from autograder.jail import JailMissing
from autograder.system.atomic_write import put_file
from autograder.tournament.entry import Entry
from autograder.tournament.referee import Pairing, Played, Terms, play_pairing
from autograder.workers import run

_SURE = 2  # in 95 of 100 cases, the error of the strength is at most so many standard deviations


@dataclass
class Standing:
    """One agent's row in the standings.

    `against` are the agent's points in its games against each other agent. `lost_by` counts the
    reasons why it lost, and `details` its errors and wrong answers. `longest` is the most time, in
    seconds, that it used in a game. `strength` estimates how well it plays: 25 before its first
    game, more for a better agent. In 95 of 100 cases, the true value is at most `give_or_take` away
    from this estimate.
    """

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    against: dict[str, float] = field(default_factory=dict)
    lost_by: Counter[str] = field(default_factory=Counter)
    details: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0
    strength: float = 0.0
    give_or_take: float = 0.0

    @property
    def points(self) -> float:
        """The points: one for each win, half a point for each draw."""
        return self.wins + self.draws / 2

    @property
    def reasons(self) -> str:
        """The reasons why the agent lost, each with its count, the most frequent first."""
        return ", ".join(f"{reason} {count}" for reason, count in self.lost_by.most_common())

    def add(self, game: Played, player: int) -> None:
        """Count a game in which the agent was the first (1) or the second (-1) player."""
        opponent, seconds = game.second, game.seconds[0]
        if player == -1:
            opponent, seconds = game.first, game.seconds[1]
        result = game.winner * player
        self.wins += result == 1
        self.draws += result == 0
        self.losses += result == -1
        self.against[opponent] = self.against.get(opponent, 0.0) + (1 + result) / 2
        self.longest = max(self.longest, seconds)
        if result == -1:
            self.lost_by[game.reason] += 1
            if game.detail:
                self.details[f"{game.reason}: {game.detail}"] += 1


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
        """The rows of all agents, sorted by points, then by wins, then by name.

        The strength is that of a Bradley–Terry model, which is updated game by game. Later games
        have more influence, so the first games of all pairings come first, then the second games.
        """
        rows = {name: Standing(name) for name in self.names}
        for game in self.games:
            rows[game.first].add(game, 1)
            rows[game.second].add(game, -1)
        model = BradleyTerryFull(tau=0)  # agents do not change while they play
        rated = {name: model.rating(name=name) for name in self.names}
        for game in sorted(self.games, key=lambda game: game.number):
            sides = game.first, game.second
            ranks = {1: [0.0, 1.0], -1: [1.0, 0.0], 0: [0.0, 0.0]}[game.winner]
            new = model.rate([[rated[name]] for name in sides], ranks=ranks)
            rated |= {name: team[0] for name, team in zip(sides, new, strict=True)}
        for name, row in rows.items():
            row.strength, row.give_or_take = rated[name].mu, _SURE * rated[name].sigma
        return sorted(rows.values(), key=lambda row: (-row.points, -row.wins, row.name))


def pairings_of(entries: Sequence[Entry], terms: Terms, confined: bool) -> list[Pairing]:
    """Return a pairing for every two agents, in the order of their names."""
    named = {entry.name: entry for entry in entries}
    pairs = combinations(sorted(named), 2)
    return [Pairing(named[one], named[other], terms, confined) for one, other in pairs]


def saved_games(folder: Path, pairing: Pairing) -> list[Played] | None:
    """Return the saved games of a pairing, or `None` if its file is missing or incomplete."""
    try:
        data = json.loads((folder / pairing.file).read_text("utf-8"))
        games = [
            Played(**{**game, "seconds": tuple(map(float, game["seconds"]))})
            for game in data["games"]
        ]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return games if len(games) == 2 * pairing.terms.games else None


def save_games(folder: Path, pairing: Pairing, games: list[Played]) -> None:
    """Save the games of a pairing that was played to its end."""
    names = [pairing.one.name, pairing.other.name]
    data = {"pairing": names, "games": [asdict(game) for game in games]}
    put_file(folder / pairing.file, json.dumps(data, ensure_ascii=False) + "\n")


def play_tournament(
    pairings: Sequence[Pairing],
    folder: Path,
    executors: Callable[[], Executor],
    prefetch: int,
    on_progress: Callable[[], object],
) -> Tournament:
    """Play all pairings whose games are not saved in a folder; return the results of all pairings.

    `executors` returns a new executor, which gets at most `prefetch` pairings at a time. The games
    of a pairing are saved as soon as all are played. `on_progress` is called once for each pairing.
    Raise `JailMissing` if the agents cannot be confined, and `OSError` if games cannot be saved.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for unfinished in folder.glob(".unfinished-*"):
        if unfinished.is_dir():
            shutil.rmtree(unfinished, ignore_errors=True)
        else:
            unfinished.unlink(missing_ok=True)
    names = sorted({entry.name for pairing in pairings for entry in (pairing.one, pairing.other)})
    tournament = Tournament(names, pairings[0].terms)
    found = {pairing.file: saved_games(folder, pairing) for pairing in pairings}
    waiting = [(one.file, one) for one in pairings if found[one.file] is None]
    for _ in range(len(pairings) - len(waiting)):
        on_progress()
    for file, pairing, games in run(play_pairing, waiting, executors, prefetch):
        on_progress()
        if isinstance(games, JailMissing):
            raise games
        if isinstance(games, Exception):
            what = f"{pairing.one.name} against {pairing.other.name}"
            tournament.problems.append(f"{what} was not played: {type(games).__name__}: {games}")
            continue
        save_games(folder, pairing, games)
        found[file] = games
        tournament.played_now += len(games)
    tournament.games = [game for pairing in pairings for game in found[pairing.file] or ()]
    return tournament
