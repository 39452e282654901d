"""The page of a tournament: standings, who beat whom, errors of agents, and games to replay."""

import json
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from autograder.reports.pages import page
from autograder.system.disk import put_file
from autograder.tournament.print_standings import lost_by
from autograder.tournament.running import Standing, Tournament

_MOST_DETAILS = 4


@dataclass(frozen=True)
class PageRow:
    """One agent's row on the page.

    `lost_by` is a text about why the agent lost. `against` are the agent's points against each
    other agent, in the order of the standings. `details` are pairs: a text about an error or a
    wrong answer because of which the agent lost, and the number of games that it lost so.
    `longest` is the most time, in seconds, that the agent used in a game.
    """

    row: Standing
    lost_by: str
    against: list[str]
    details: list[tuple[str, int]]
    longest: float


def write_page(folder: Path, tournament: Tournament, left_out: Sequence[tuple[str, str]]) -> Path:
    """Write the page into a folder and return its path. Raise `OSError` if that fails."""
    path = folder / "standings.html"
    put_file(path, tournament_page(tournament, left_out))
    return path


def tournament_page(tournament: Tournament, left_out: Sequence[tuple[str, str]] = ()) -> str:
    """Return the HTML page; text from agents is escaped, and only the page's own script can run."""
    script = files("autograder.reports").joinpath("templates/tournament.js").read_text("utf-8")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return page(
        "tournament.html",
        lines=_lines(tournament),
        ratings=tournament.ratings,
        terms=tournament.terms,
        games=len(tournament.games),
        problems=tournament.problems,
        left_out=left_out,
        script=Markup(script),
        script_digest=digest,
        replays=_replays(tournament),
    )


def _lines(tournament: Tournament) -> list[PageRow]:
    rows = tournament.standings
    points: dict[tuple[str, str], float] = defaultdict(float)
    longest: dict[str, float] = defaultdict(float)
    details: dict[str, Counter[str]] = defaultdict(Counter)  # errors by which games were lost
    for game in tournament.games:
        sides = game.first, game.second
        share = (1 + game.winner) / 2
        points[sides] += share
        points[sides[::-1]] += 1 - share
        for name, seconds in zip(sides, game.seconds, strict=True):
            longest[name] = max(longest[name], seconds)
        if game.detail:
            loser = sides[1] if game.winner == 1 else sides[0]
            details[loser][f"{game.reason}: {game.detail}"] += 1
    against = defaultdict(lambda: "–", {pair: f"{number:g}" for pair, number in points.items()})
    return [
        PageRow(
            row,
            lost_by(row),
            ["" if row is other else against[row.name, other.name] for other in rows],
            details[row.name].most_common(_MOST_DETAILS),
            longest[row.name],
        )
        for row in rows
    ]


def _replays(tournament: Tournament) -> Markup:
    """Return JSON, which cannot contain an HTML tag, of the games that the page can replay.

    They are the first game of each pairing, once with each of the two agents as first player.
    """
    names = [row.name for row in tournament.standings]
    places = {name: place for place, name in enumerate(names)}
    shown = [game for game in tournament.games if game.number == 0]
    games = [
        (
            places[game.first],
            places[game.second],
            game.answers,
            game.winner,
            game.reason,
            game.detail,
        )
        for game in shown
    ]
    text = json.dumps({"names": names, "games": games}, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
