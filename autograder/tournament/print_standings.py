"""Printing of the results of a tournament in the terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.notebook.safe_text import printable
from autograder.tournament.running import Standing, Tournament


def show_standings(console: Console, tournament: Tournament) -> None:
    """Print a table of all agents, the best first, and the pairings that could not be played."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("place", justify="right")
    table.add_column("agent", overflow="fold", max_width=40)
    for heading in ("points", "wins", "draws", "losses", "rating"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("why it lost", overflow="fold")
    rated = tournament.ratings
    for place, row in enumerate(tournament.standings, 1):
        rating = rated[row.name]
        numbers = (f"{row.points:g}", str(row.wins), str(row.draws), str(row.losses))
        strength = f"{rating.strength:.1f} ± {rating.give_or_take:.1f}"
        table.add_row(str(place), Text(row.name), *numbers, strength, Text(lost_by(row)))
    console.print(table)
    for problem in tournament.problems:
        console.print(Text(printable(problem), style="red"))


def lost_by(row: Standing) -> str:
    """Return the reasons why an agent lost, each with its count, the most frequent first.

    >>> from collections import Counter
    >>> lost_by(Standing("a", losses=3, lost_by=Counter({"error": 2, "out of time": 1})))
    'error 2, out of time 1'
    """
    return ", ".join(f"{reason} {count}" for reason, count in row.lost_by.most_common())


def show_left_out(console: Console, left_out: Iterable[tuple[str, str]]) -> None:
    """Print the files that were left out, each with the reason."""
    for name, reason in left_out:
        console.print(Text(f"{name} was left out: {reason}"))


def show_speed(console: Console, tournament: Tournament, seconds: float) -> None:
    """Print how many games a second this run played, and the agents' share of the time of games."""
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
