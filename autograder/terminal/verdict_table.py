"""Printing of verdicts, which are the results of graded submissions, in the terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.grading_data import Outcome, Verdict
from autograder.notebook.safe_text import gathered, lost_in_short, printable

_WORD = 24  # letters; a longer word may be broken
_STOPPED = "its cell stopped with "  # then no call could be made
_LONGEST = 240  # letters of a message: enough for sentences, but not for a large board


def show_verdicts(console: Console, verdicts: Iterable[tuple[str, Verdict]], heading: str) -> None:
    """Print a table of verdicts: name, score, failed checks and likely cause of each."""
    listed = list(verdicts)
    table = new_table(heading)
    has_waiting = any(verdict.waiting for _, verdict in listed)
    if has_waiting:
        table.add_column("state", ratio=2, overflow="fold")
    table.add_column("checks lost", ratio=2, overflow="fold")
    table.add_column("likely cause", ratio=3, overflow="fold")
    for name, verdict in listed:
        score = score_text(verdict.score, verdict.max_score, verdict.points_waiting)
        state = [Text(to_give(verdict.points_waiting))] if has_waiting else []
        table.add_row(Text(name), score if verdict.checks else Text("–"), *state, *causes(verdict))
    keep_words_whole(table)
    console.print(table)


def new_table(heading: str) -> Table:
    """Return an empty table with columns for name and score, in which long names are wrapped."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(heading, overflow="fold", max_width=40)
    table.add_column("score", justify="right", no_wrap=True)
    return table


def keep_words_whole(table: Table) -> None:
    """Make each flexible column at least as wide as its longest word, up to a limit."""
    for column in table.columns:
        words = [word for cell in column.cells for word in str(cell).split()]
        if column.ratio and words:
            column.min_width = min(_WORD, max(map(len, words)))


def score_text(score: float, max_score: float, waiting: float = 0.0) -> Text:
    """Return a score such as `8/12` in green (full), yellow (in part) or red (nothing).

    `waiting` are the points that a person must give; if these are all, the text says that it waits.
    """
    if waiting and waiting >= max_score:
        return Text("waits", style="yellow")
    colour = "green" if score >= max_score else "yellow" if score > 0 else "red"
    return Text(f"{score:g}/{max_score:g}", style=colour)


def to_give(points: float) -> str:
    """Return a remark on the points that a person must give; empty if there are none."""
    return f"{points:g} point{'' if points == 1 else 's'} for a person to give" if points else ""


def causes(verdict: Verdict) -> tuple[Text, Text]:
    """Return a verdict's texts for the last two columns: failed checks, and likely cause."""
    return Text(_lost(verdict)), Text(_cause(verdict))


def show_problems(console: Console, verdicts: Iterable[tuple[str, Verdict]]) -> None:
    """Print the repairs and problems of each verdict below its name, if there are any.

    If a submission cannot be read, the table has the reason already.
    """
    every = ((name, verdict.problems[not verdict.is_readable :]) for name, verdict in verdicts)
    listed = [(name, problems) for name, problems in every if problems]
    if listed:
        console.print("\n[bold]Repairs and problems[/]")
    for name, problems in listed:
        console.print(Text(name, style="bold"))
        for problem in gathered(problems):
            # in a pipe, no line is broken, so that the output can be searched
            console.print(Text(f"  {problem}"), soft_wrap=not console.is_terminal)


def _lost(verdict: Verdict) -> str:
    """Return the names of failed checks or, if shorter, "all but" the names of passed checks."""
    tests = [check for check in verdict.checks if check.outcome is not Outcome.MANUAL]
    lost = [check for check in tests if check.points < check.max_points]
    passed = [check.id for check in tests if check not in lost]
    usual = {Outcome.FAILED.value, Outcome.PASSED.value}  # passed in part
    how = {check.outcome.value.replace("_", " ") for check in lost} - usual
    manner = f" ({', '.join(sorted(how))})" if how and verdict.is_readable else ""
    return lost_in_short([check.id for check in lost], passed) + manner


def _cause(verdict: Verdict) -> str:
    """Return the likely cause of lost points, or the reason why nothing was graded.

    The cause is the known mistakes or, without them, the empty answers or, without these, the
    message of the first failed check.
    """
    if not verdict.is_readable:
        return verdict.problems[0]
    tests = {check.id: check for check in verdict.checks if check.outcome is not Outcome.MANUAL}
    lost = [check for check in tests.values() if check.points < check.max_points]
    by_hand = {check.id for check in verdict.checks} - set(tests)
    untouched = [name for name in verdict.untouched if name not in by_hand]
    if mistakes := {check.mistake for check in lost if check.mistake}:
        return "; ".join(sorted(mistakes))
    if lost and untouched:
        return f"nothing was written in {' and '.join(untouched)}"
    # what the student reads may begin with the same words, and go on with the line of the test
    said = (one.told if one.told.startswith(one.message) else one.message for one in lost)
    summary = printable(_in_short(next(filter(None, said), "")))
    return summary if len(summary) <= _LONGEST else f"{summary[: _LONGEST - 1]}…"


def _in_short(message: str) -> str:
    r"""Return a failed check's message in one line: its last call, and what became of that.

    >>> _in_short("game = Game(4, 4)\ngame.reset()\n  expected  0\n  got       8")
    'game.reset() · expected 0 · got 8'
    """
    written = [line for line in message.splitlines() if line.strip()]
    calls = next((n for n, line in enumerate(written) if line.startswith("  ")), 0)
    lines = [" ".join(line.split()) for line in written]
    if calls and _STOPPED in lines[calls]:
        return lines[calls]
    return " · ".join(lines[max(calls - 1, 0) :][:3])
