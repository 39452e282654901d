"""What a person sees in the terminal: one line a submission, then every repair in words."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.misconceptions import catalogue
from autograder.notebook.reading import printable
from autograder.submission import Outcome, Verdict


def show_results(console: Console, results: Iterable[tuple[str, Verdict]], heading: str) -> None:
    """A table: whose, the score, the checks that were lost, and what the likely cause is."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(heading, no_wrap=True, overflow="ellipsis", max_width=40)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("checks lost", ratio=2)
    table.add_column("likely cause", ratio=3)
    for name, graded in results:
        score = Text(f"{graded.score:g}/{graded.max_score:g}", style=_colour(graded))
        table.add_row(Text(name), score, Text(_lost(graded)), Text(_cause(graded)))
    console.print(table)


def show_problems(console: Console, results: Iterable[tuple[str, Verdict]]) -> None:
    """Every repair and every reason, under the name that it belongs to."""
    listed = [(name, graded) for name, graded in results if graded.problems]
    if listed:
        console.print("\n[bold]Repairs and problems[/]")
    for name, graded in listed:
        console.print(Text(name, style="bold"))
        for problem in graded.problems:
            console.print(Text(f"  {problem}"))


def _lost(graded: Verdict) -> str:
    """The checks that were lost, or, where those are fewer, all but the ones that passed."""
    tests = [check for check in graded.checks if check.outcome is not Outcome.MANUAL]
    lost = [check for check in tests if check.points < check.max_points]
    passed = [check.id for check in tests if check not in lost]
    how = {check.outcome.value.replace("_", " ") for check in lost} - {Outcome.FAILED.value}
    manner = f" ({', '.join(sorted(how))})" if how and graded.is_readable else ""
    if not lost:
        return ""
    if not passed:
        return f"all{manner}"
    names = [check.id for check in lost]
    fewer = names if len(names) <= len(passed) + 2 else ["all but " + passed[0], *passed[1:]]
    return ", ".join(fewer) + manner


def _cause(graded: Verdict) -> str:
    """The known mistakes by their titles, or else the first thing that went wrong."""
    if not graded.is_readable:
        return graded.problems[0]
    titles = {entry.id: entry.title for entry in catalogue(graded.lesson).misconceptions}
    lost = [check for check in graded.checks if check.points < check.max_points]
    known = {titles[check.misconception] for check in lost if check.misconception in titles}
    if known:
        return "; ".join(sorted(known))
    if lost and graded.untouched:
        return f"nothing was written in {' and '.join(graded.untouched)}"
    return next((_summary(check.message) for check in lost if check.message), "")


def _summary(message: str) -> str:
    lines = [" ".join(line.split()) for line in message.splitlines() if line.strip()]
    summary = printable(" · ".join(lines[:3]))
    return summary if len(summary) <= 80 else f"{summary[:79]}…"


def _colour(graded: Verdict) -> str:
    if graded.score == graded.max_score:
        return "green"
    return "yellow" if graded.score > 0 else "red"
