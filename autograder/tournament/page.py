"""The results of a tournament: a page with standings, errors and replays, and a table to print."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from markupsafe import Markup
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.notebook.safe_text import printable
from autograder.reports.html_templates import page, script
from autograder.system.atomic_write import put_file
from autograder.tournament.play_tournament import Tournament


def write_page(folder: Path, tournament: Tournament, left_out: Sequence[tuple[str, str]]) -> Path:
    """Write the page into a folder and return its path. Raise `OSError` if that fails.

    Text from agents is escaped, and only the page's own script can run.
    """
    rows = tournament.standings
    text = page(
        "tournament.html",
        rows=rows,
        terms=tournament.terms,
        games=len(tournament.games),
        problems=tournament.problems,
        left_out=left_out,
        replays=_replays(tournament, [row.name for row in rows]),
        **script("tournament.js"),
    )
    path = folder / "standings.html"
    put_file(path, text)
    return path


def _replays(tournament: Tournament, names: list[str]) -> Markup:
    """Return the games that the page can replay, as JSON that cannot contain an HTML tag.

    They are the first two games of each pairing, in which each agent is the first player once.
    """
    games = []
    for one in tournament.games:
        if one.number == 0:
            sides = names.index(one.first), names.index(one.second)
            games.append([*sides, one.answers, one.winner, one.reason, one.detail])
    text = json.dumps({"names": names, "games": games}, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def show_standings(console: Console, tournament: Tournament) -> None:
    """Print a table of all agents, the best first, and the pairings that could not be played."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("place", justify="right")
    table.add_column("agent", overflow="fold", max_width=40)
    for heading in ("points", "wins", "draws", "losses", "rating"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("why it lost", overflow="fold")
    for place, row in enumerate(tournament.standings, 1):
        numbers = (f"{row.points:g}", str(row.wins), str(row.draws), str(row.losses))
        strength = f"{row.strength:.1f} ± {row.give_or_take:.1f}"
        table.add_row(str(place), Text(row.name), *numbers, strength, Text(row.reasons))
    console.print(table)
    for problem in tournament.problems:
        console.print(Text(printable(problem), style="red"))


def show_left_out(console: Console, left_out: Iterable[tuple[str, str]]) -> None:
    """Print the files that were left out, each with the reason."""
    for name, reason in left_out:
        console.print(Text(f"{name} was left out: {reason}"))


def show_speed(console: Console, tournament: Tournament, seconds: float) -> None:
    """Print how many games a second this run played, and how much of a game's time agents used."""
    if not tournament.played_now:
        console.print("All games were there from an earlier run.")
        return
    wall = sum(game.wall for game in tournament.games) or 1.0
    agents = sum(sum(game.seconds) for game in tournament.games) / wall
    speed = tournament.played_now / seconds
    console.print(
        f"{tournament.played_now} games in {seconds:.1f} s, {speed:.2f} games a second. Of a "
        f"game's time {agents:.0%} is the agents' (with the way there and back), {1 - agents:.0%} "
        "is the referee's: its rules, and beginning and ending the processes."
    )
