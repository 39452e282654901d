"""Printing in the terminal: verdicts, plans (which test runs where), and audits of the tests."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.grading_data import Outcome, Verdict
from autograder.notebook.safe_text import gathered, lost_in_short, printable, with_titles
from autograder.plan import Place, Plan

if TYPE_CHECKING:  # it loads nbgrader, which takes long
    from autograder.audit.audit_assignment import Audit
    from autograder.gradebook.read_grades import Result
    from autograder.misconceptions import TriedMistake

_WORD = 24  # letters; a longer word may be broken
_STOPPED = "its cell stopped with "  # a message with these words is not about a call
_LONGEST = 240  # letters of a message that are shown: sentences, but not a large board
_WIDEST = 100  # letters of a line of a table, also in a pipe
_COLOURS = {Place.OUTSIDE: "green", Place.INSIDE: "yellow", Place.NOWHERE: "red"}


def show_verdicts(console: Console, verdicts: Iterable[tuple[str, Verdict]], heading: str) -> None:
    """Print a table of pairs (name, verdict): name, score, failed checks and likely cause."""
    rows, has_states = [], False
    for name, verdict in verdicts:
        has_states |= bool(verdict.waiting)
        score = score_text(verdict) if verdict.checks else Text("–")
        rows.append((name, score, to_give(verdict.points_waiting), verdict))
    console.print(verdict_table(heading, rows, has_states))


def verdict_table(
    heading: str, rows: Iterable[tuple[str, Text, str, Verdict]], has_states: bool
) -> Table:
    """Return a table of names, scores, states (only if `has_states`), lost checks and causes."""
    table = plain_table(heading, has_score=True)
    if has_states:
        table.add_column("state", ratio=2, overflow="fold")
    table.add_column("checks lost", ratio=2, overflow="fold")
    table.add_column("likely cause", ratio=3, overflow="fold")
    for name, score, state, verdict in rows:
        states = [state] if has_states else []
        table.add_row(Text(name), score, *map(Text, (*states, *_lost_and_cause(verdict))))
    keep_words_whole(table)
    return table


def plain_table(heading: str, *, width: int = 40, has_score: bool = False) -> Table:
    """Return an empty table without lines, with a column for names and, if wanted, for scores."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(heading, overflow="fold", max_width=width)
    if has_score:
        table.add_column("score", justify="right", no_wrap=True)
    return table


def print_lines(console: Console, lines: Iterable[str], style: str = "") -> None:
    """Print lines; in a pipe, none is broken, so that the output can be searched."""
    for line in lines:
        console.print(Text(line, style=style), soft_wrap=not console.is_terminal)


def keep_words_whole(table: Table) -> None:
    """Make each flexible column at least as wide as its longest word, up to a limit."""
    for column in table.columns:
        words = [word for cell in column.cells for word in str(cell).split()]
        if column.ratio and words:
            column.min_width = min(_WORD, max(map(len, words)))


def score_text(result: "Verdict | Result") -> Text:
    """Return a score such as `8/12` in green (full), yellow (in part) or red (nothing).

    If a person must give all points, the text is `waits`.
    """
    score, most = result.score, result.max_score
    if result.points_waiting and result.points_waiting >= most:
        return Text("waits", style="yellow")
    colour = "green" if score >= most else "yellow" if score > 0 else "red"
    return Text(f"{score:g}/{most:g}", style=colour)


def to_give(points: float) -> str:
    """Return a remark on the points that a person must give; empty if there are none."""
    return f"{points:g} point{'' if points == 1 else 's'} for a person to give" if points else ""


def show_problems(console: Console, verdicts: Iterable[tuple[str, Verdict]]) -> None:
    """Print the repairs and problems of each verdict below its name, if there are any.

    Why a notebook cannot be read is left out: the table of verdicts has it already.
    """
    listed = [
        (name, problems)
        for name, verdict in verdicts
        if (problems := [one for one in verdict.problems if one not in verdict.unreadable])
    ]
    if listed:
        console.print("\n[bold]Repairs and problems[/]")
    for name, problems in listed:
        console.print(Text(name, style="bold"))
        print_lines(console, (f"  {problem}" for problem in gathered(problems)))


def _lost_and_cause(verdict: Verdict) -> tuple[str, str]:
    """Return the failed checks of a verdict, and the likely cause of lost points.

    The cause is the reason why a notebook cannot be read, else the known mistakes, else the empty
    answers, else the message of the first failed check.
    """
    tests = [check for check in verdict.checks if check.outcome is not Outcome.MANUAL]
    failed = [check for check in tests if check.points < check.max_points]
    passed = [check.id for check in tests if check not in failed]
    lost = with_titles(lost_in_short([check.id for check in failed], passed), verdict.titles)
    if verdict.unreadable:
        return lost, "; ".join(verdict.unreadable)
    usual = {Outcome.FAILED.value, Outcome.PASSED.value}  # a test can pass in part
    if how := {check.outcome.value.replace("_", " ") for check in failed} - usual:
        lost += f" ({', '.join(sorted(how))})"
    by_hand = {check.id for check in verdict.checks} - {check.id for check in tests}
    untouched = [name for name in verdict.untouched if name not in by_hand]
    if mistakes := {check.mistake for check in failed if check.mistake}:
        return lost, "; ".join(sorted(mistakes)).replace("`", "")
    if failed and untouched:
        nothing = f"nothing was written in {' and '.join(untouched)}"
        return lost, with_titles(nothing, verdict.titles)
    # what the student reads may begin with the same words, and go on with the line of the test
    said = (one.told if one.told.startswith(one.message) else one.message for one in failed)
    summary = printable(_in_short(next(filter(None, said), "")))
    if summary == "AssertionError":  # the line would follow if students could see it
        summary = "only a hidden line fails"
    return lost, summary if len(summary) <= _LONGEST else f"{summary[: _LONGEST - 1]}…"


def _in_short(message: str) -> str:
    """Return what a failed check's message says about a call and its result, in one line.

    If it says that a cell stopped, return only the line that says so.
    """
    written = [line for line in message.splitlines() if line.strip()]
    calls = next((n for n, line in enumerate(written) if line.startswith("  ")), 0)
    lines = [" ".join(line.split()) for line in written]
    if calls and _STOPPED in lines[calls]:
        return lines[calls]
    return " · ".join(lines[max(calls - 1, 0) :][:3])


def show_tried(console: Console, tried: "Sequence[TriedMistake]") -> None:
    """Print which tests each mistake in `exercises.toml` fails, and if students read its name."""
    if not tried:
        return
    table = plain_table("known mistake")
    table.add_column("loses", overflow="fold")
    table.add_column("named", overflow="fold")
    for each in tried:
        name = f"{each.mistake.exercise}: {each.mistake.id}"
        table.add_row(Text(name), Text(", ".join(each.loses)), Text(each.trouble or "as itself"))
    console.print(table, width=min(console.width, _WIDEST))


def show_plans(console: Console, plans: Mapping[str, Sequence[Plan]]) -> None:
    """Print for each assignment where each test of its notebooks runs, and then a summary."""
    for assignment, found in plans.items():
        for plan in found:
            console.print(Text(f"{assignment}/{plan.notebook}", style="bold"))
            table = plain_table("test")
            for heading in ("points", "answer key", "stub"):
                table.add_column(heading, justify="right")
            table.add_column("runs")
            table.add_column("why", overflow="fold")
            for test in plan.tests:
                marks = [Text(f"{points:g}") for points in (test.points, test.key, test.stub)]
                place = Text(test.place.value, style=_COLOURS[test.place])
                why = with_titles(test.trouble or test.warning or test.why, plan.titles)
                name = plan.titles.get(test.id, test.id)
                table.add_row(Text(name), *marks, place, Text(why))
            if plan.tests:
                console.print(table, width=min(console.width, _WIDEST))
            for name, why_not in plan.failing:
                told = with_titles(f"The given cell {name} fails: {why_not}", plan.titles)
                console.print(Text(told, style="red"))
            for name, why_inside in plan.given:
                if name not in dict(plan.failing):
                    told = f"The given cell {name} runs inside only: {why_inside}"
                    console.print(Text(with_titles(told, plan.titles)))
        tests = [test for plan in found for test in plan.tests]
        said = ["There are no tests: all points are given by a person."]
        if tests:
            count = Counter(test.place for test in tests)
            number = "1 test" if len(tests) == 1 else f"{len(tests)} tests"
            said = [
                f"{number}: {count[Place.OUTSIDE]} protected, {count[Place.INSIDE]} not "
                f"protected, {count[Place.NOWHERE]} that the answer key does not pass."
            ]
            said += [
                with_titles(f"Look at {test.id}: {test.warning}.", plan.titles)
                for plan in found
                for test in plan.tests
                if test.warning
            ]
            if troubles := [trouble for plan in found for trouble in plan.troubles]:
                more = f" (and {len(troubles) - 1} more)" if len(troubles) > 1 else ""
                until = "Nothing is graded until it is mended, or with --anyway"
                said.append(f"{until}: {troubles[0]}{more}.")
        for sentence in said:
            console.print(Text(sentence))


def not_protected(plans: Sequence[Plan]) -> Iterator[str]:
    """Yield a sentence for each test that is not protected, that is, runs inside of the jail."""
    for plan in plans:
        where = f"{plan.notebook.removesuffix('.ipynb')}/" if len(plans) > 1 else ""
        for test in plan.inside:
            said = with_titles(f"{where}{test.id} ({test.why})", plan.titles)
            yield f"Not protected, it runs beside the student's code: {said}"


def show_audit(console: Console, audit: "Audit") -> None:
    """Print the changed programs that keep full marks, cell by cell, and what would catch them."""
    parts = (
        ("", audit.wrong),
        ("Arguable, differing on unusual inputs or in the order only:", audit.arguable),
        ("Perhaps the same program:", audit.alike),
    )
    for heading, ones in parts:
        if heading and ones:
            console.print(Text(heading, style="bold"))
        cell = ""
        for one in ones:
            if cell != (cell := f"{one['notebook']}, {one['cell']}"):
                console.print(Text(printable(cell), style="bold"))
            console.print(Text(f"  line {one['line']}"))
            for sign, lines, style in (("-", one["before"], "red"), ("+", one["after"], "green")):
                for line in lines.splitlines():
                    console.print(Text(printable(f"  {sign} {line}"), style=style))
            for asked, right, wrong, lines in one["found"][:1]:
                said = f"{asked.splitlines()[-1]} {wrong}; the answer key {right}"
                console.print(Text(printable(f"    {said}. {one['where']}")))
                for line in lines.splitlines():
                    console.print(Text(printable(f"    {line}"), style="bold"), soft_wrap=True)
    if len(audit.wrong) > 1:
        console.print(Text("These together catch all of them:", style="bold"))
        for where, lines in audit.to_paste.items():
            for line in (where, *(f"  {one}" for one in "\n".join(lines).splitlines())):
                console.print(Text(printable(line)), soft_wrap=True)
    for sentence in (*audit.remarks, *audit.summary):
        console.print(Text(printable(sentence)))
