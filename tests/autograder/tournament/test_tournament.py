"""A tournament of sample agents in real jails: it is killed, resumed, and played again."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder.tournament.entry import Entry
from autograder.tournament.play_tournament import save_games, saved_games
from autograder.tournament.referee import Pairing, Played, Terms
from tests.autograder.conftest import Autograder
from tests.autograder.test_killed import alive, below
from tests.samples.agents import names_of_agents, write_agents
from tests.waiting import until

# All tests here use one tournament, so one worker runs them.
pytestmark = pytest.mark.xdist_group("tournament")

OPTIONS = ("--games", "1", "--rounds", "4", "--seconds", "0.8", "--seed", "7", "--workers", "2")
SLOW = {"loops", "sleeps"}
# The reasons for which an agent loses games, apart from its tiles.
FATES = {
    "answers_a_list": {"illegal answer"},
    "answers_before_it_is_asked": {"illegal answer"},
    "can_not_be_made": {"error"},
    "does_not_parse": {"error"},
    "leaves_at_once": {"crashed"},
    "loops": {"out of time", "error"},
    "places_where_it_may_not": {"illegal answer"},
    "pushes_at_the_wall": {"illegal answer"},
    "raises_in_round_3": {"error"},
    "sleeps": {"out of time"},
}
ATTACKERS = {
    "attacks",
    "thinks_in_the_others_time",
    "remembers_the_last_game",
    "answers_before_it_is_asked",
}


@dataclass
class Run:
    """A tournament that was played: its folder, its table, and what it printed to stderr."""

    into: Path
    table: str
    said: str

    @property
    def games(self) -> list[dict[str, Any]]:
        files = sorted((self.into / "games").glob("*.json"))
        games = [game for file in files for game in json.loads(file.read_text())["games"]]
        return sorted(games, key=lambda game: (game["first"], game["second"]))


def command(agents: Path, into: Path) -> list[str]:
    program = [sys.executable, "-m", "autograder", "tournament", str(agents), *OPTIONS]
    return [*program, "--into", str(into)]


def played(agents: Path, into: Path) -> Run:
    wide = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    words = command(agents, into)
    done = subprocess.run(words, check=False, capture_output=True, text=True, env=wide)
    assert done.returncode == 0, done.stderr
    return Run(into, done.stdout, done.stderr)


def without_times(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in game.items() if key not in ("seconds", "wall")}
        for game in games
    ]


# These agents play in every run; `make deep` lets all agents play.
SOME = ("attacks", "greedy", "in_a_notebook", "plays_by_chance", "raises_in_round_3")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(SOME, id="some"),
        pytest.param(names_of_agents(), id="all", marks=pytest.mark.deep),
    ],
)
def names(request: pytest.FixtureRequest) -> list[str]:
    """Return the names of the agents that play."""
    return list(request.param)


@pytest.fixture(scope="module")
def agents(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("agents")
    write_agents(folder)
    for path in folder.iterdir():
        if path.stem not in names:
            path.unlink()
    return folder


@pytest.fixture(scope="module")
def tournament(agents: Path, names: list[str], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Play a tournament that is killed after some pairings, and completed by a second run."""
    pairings = len(names) * (len(names) - 1) // 2
    into = tmp_path_factory.mktemp("tournament")
    running = subprocess.Popen(
        command(agents, into), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    games = partial(into.glob, "games/*.json")
    until(lambda: len(list(games())) >= pairings // 9, "some pairings are kept")
    processes = below(running.pid)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert len(processes) >= 8  # two workers with two jails each
    until(lambda: not alive(processes), "nothing of the tournament lives")
    kept = {path: path.read_bytes() for path in games()}
    assert pairings // 9 <= len(kept) < pairings
    run = played(agents, into)
    assert all(path.read_bytes() == text for path, text in kept.items())
    return run


def losses(run: Run, name: str) -> list[dict[str, Any]]:
    return [
        game
        for game in run.games
        if (game["first"], game["second"])[game["winner"] == 1] == name and game["winner"] != 0
    ]


def test_everybody_played_everybody_in_both_orders(tournament: Run, names: list[str]) -> None:
    orders = {(game["first"], game["second"]) for game in tournament.games}
    assert orders == {(one, other) for one in names for other in names if one != other}
    assert len(tournament.games) == len(orders)


def test_everybody_loses_for_the_reason_that_is_expected(tournament: Run, names: list[str]) -> None:
    for name in names:
        reasons = {game["reason"] for game in losses(tournament, name)} - {"tiles"}
        assert reasons == FATES.get(name, set()), name
        if name in FATES:
            assert f"{sorted(FATES[name])[-1]} " in row_of(tournament, name)


def row_of(run: Run, name: str) -> str:
    return next(line for line in run.table.splitlines() if re.search(rf"\b{name}\b", line))


def test_who_attacks_gains_nothing(tournament: Run, names: list[str]) -> None:
    """An agent fails against an attacker only for the reasons for which it fails anyway."""
    for name in names:
        usual = FATES.get(name, set()) | {"tiles"}
        against = [game for game in losses(tournament, name) if winner_of(game) in ATTACKERS]
        assert {game["reason"] for game in against} <= usual
    first = [line.split()[1] for line in tournament.table.splitlines()[1 : 1 + len(names) // 5]]
    assert not ATTACKERS & set(first)


def winner_of(game: dict[str, Any]) -> str:
    return str(game["first"] if game["winner"] == 1 else game["second"])


@pytest.mark.deep
def test_the_same_seed_gives_the_same_games_and_standings(agents: Path, tournament: Run) -> None:
    """All pairings are played once more, except for those with an agent that loops or sleeps."""
    before, table = without_times(tournament.games), tournament.table
    for path in (tournament.into / "games").glob("*.json"):
        if not SLOW & set(json.loads(path.read_text())["pairing"]):
            path.unlink()
    again = played(agents, tournament.into)
    assert without_times(again.games) == before
    assert again.table == table
    assert "games a second" in again.said


def test_what_was_played_is_not_played_again(agents: Path, tournament: Run) -> None:
    again = played(agents, tournament.into)
    assert again.table == tournament.table
    assert "All games were there from an earlier run." in again.said


def test_a_tournament_of_one_is_refused(autograder: Autograder, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Agent:\n    pass\n")
    refused = autograder("tournament", tmp_path)
    assert refused.exit_code == 2
    assert "needs two agents or more, and 1 could be read" in refused.stderr
    nowhere = autograder("tournament", tmp_path / "nowhere")
    assert nowhere.exit_code == 2
    assert "there is no such file or folder" in nowhere.stderr
    nothing = autograder("tournament", tmp_path, "--games", "0")
    assert nothing.exit_code == 2
    assert "0 would do nothing. Write 1 or more." in nothing.stderr


def test_a_damaged_result_counts_as_none(tmp_path: Path) -> None:
    pairing = Pairing(Entry("a", ()), Entry("b", ()), Terms(games=1))
    game = Played("a", "b", 0, 1, "tiles", "", "", (0.1, 0.2), 0.4)
    save_games(tmp_path, pairing, [game, game])
    assert saved_games(tmp_path, pairing) == [game, game]
    (file,) = tmp_path.glob("*.json")
    for damage in (file.read_text()[:50], "[]", '{"games": [1, 2]}', '{"games": []}'):
        file.write_text(damage)
        assert saved_games(tmp_path, pairing) is None
    other = Pairing(pairing.one, pairing.other, Terms(games=1, seed=2))
    assert saved_games(tmp_path, other) is None
