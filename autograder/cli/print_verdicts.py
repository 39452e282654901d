"""Printing in the terminal: verdicts, plans (which test runs where), and audits of the tests."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.table import Column, Table
from rich.text import Text

from autograder.console_output import stdout
from autograder.grading_data import Outcome, Verdict
from autograder.notebook.safe_text import gathered, lost_in_short, printable, with_titles
from autograder.plan import Place, Plan

if TYPE_CHECKING:  # it loads nbgrader, which takes long
    from autograder.audit.audit_assignment import Audit
    from autograder.gradebook.read_grades import Result
    from autograder.misconceptions import TriedMistake

_WORD = 24  # letters; a longer word may be broken
_STOPPED = "its cell stopped with "  # a message with these words is about no call
_LONGEST = 240  # letters of a message that are shown: sentences, but not a large board
_WIDEST = 100  # letters of a line of a table, also in a pipe
_COLOURS = {Place.OUTSIDE: "green", Place.INSIDE: "yellow", Place.NOWHERE: "red"}

Row = list[str | Text]
"""The cells of one line of a table. No text in it is markup."""


def show_verdicts(verdicts: Iterable[tuple[str, Verdict]]) -> None:
    """Print a table of pairs (name, verdict): name, score, failed checks and likely cause."""
    rows = [
        (name, score_text(one) if one.checks else Text("–"), to_give(one.points_waiting), one)
        for name, one in verdicts
    ]
    stdout().print(verdict_table("notebook", rows))


def verdict_table(heading: str, rows: Sequence[tuple[str, Text, str, Verdict]]) -> Table:
    """Return a table of names, scores, states (only if there are any), lost checks and causes."""
    has_states = any(state for _, _, state, _ in rows)
    columns = [folded(heading, max_width=40), score_column()]
    columns += [folded("state", ratio=2)] if has_states else []
    columns += [folded("checks lost", ratio=2), folded("likely cause", ratio=3)]
    cells: list[Row] = []
    for name, score, state, verdict in rows:
        states = [state] if has_states else []
        cells.append([name, score, *states, *_lost_and_cause(verdict)])
    return table_of(columns, cells)


def folded(heading: str, max_width: int | None = None, ratio: int | None = None) -> Column:
    """Return a column for texts of which nothing is cut off."""
    return Column(heading, overflow="fold", max_width=max_width, ratio=ratio)


def score_column() -> Column:
    """Return a column for scores, which is as wide as they are."""
    return Column("score", justify="right", no_wrap=True)


def table_of(columns: Iterable[Column], rows: Iterable[Row]) -> Table:
    """Return a table without lines; no flexible column is narrower than its longest word."""
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    for column in table.columns:
        words = [word for cell in column.cells for word in str(cell).split()]
        if column.ratio and words:
            column.min_width = min(_WORD, max(map(len, words)))
    return table


def print_lines(lines: Iterable[str], style: str = "", is_code: bool = False) -> None:
    """Print lines; none is broken in a pipe, to be searched, nor if it is code, to be copied."""
    console = stdout()
    for line in lines:
        is_whole = is_code or not console.is_terminal
        console.print(Text(line, style=style), soft_wrap=is_whole)


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


def show_problems(verdicts: Iterable[tuple[str, Verdict]]) -> None:
    """Print the repairs and problems of each verdict below its name, if there are any.

    Why a notebook cannot be read is left out: the table of verdicts has it already.
    """
    heading = ["", "Repairs and problems"]
    for name, verdict in verdicts:
        if problems := [one for one in verdict.problems if one not in verdict.unreadable]:
            print_lines([*heading, name], "bold")
            print_lines(f"  {problem}" for problem in gathered(problems))
            heading = []


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


def show_tried(tried: "Sequence[TriedMistake]") -> None:
    """Print which tests each mistake in `exercises.toml` fails, and if students read its name."""
    rows: list[Row] = []
    for one in tried:
        name = f"{one.mistake.exercise}: {one.mistake.id}"
        rows.append([name, ", ".join(one.loses), one.trouble or "as itself"])
    if rows:
        columns = [folded("known mistake", max_width=40), folded("loses"), folded("named")]
        stdout().print(table_of(columns, rows), width=min(stdout().width, _WIDEST))


def show_plans(plans: Mapping[str, Sequence[Plan]]) -> None:
    """Print for each assignment where each test of its notebooks runs, and then a summary."""
    for assignment, found in plans.items():
        for plan in found:
            _show_plan(f"{assignment}/{plan.notebook}", plan)
        tests = [test for plan in found for test in plan.tests]
        if not tests:
            print_lines(["There are no tests: all points are given by a person."])
            continue
        count = Counter(test.place for test in tests)
        said = [
            f"{len(tests)} test{'' if len(tests) == 1 else 's'}: {count[Place.OUTSIDE]} protected, "
            f"{count[Place.INSIDE]} not protected, {count[Place.NOWHERE]} that the answer key does "
            "not pass."
        ]
        for plan in found:
            warned = [f"Look at {test.id}: {test.warning}." for test in plan.tests if test.warning]
            said += [with_titles(sentence, plan.titles) for sentence in warned]
        if troubles := [trouble for plan in found for trouble in plan.troubles]:
            more = f" (and {len(troubles) - 1} more)" if len(troubles) > 1 else ""
            until = "Nothing is graded until it is mended, or with --anyway"
            said.append(f"{until}: {troubles[0]}{more}.")
        print_lines(said)


def _show_plan(name: str, plan: Plan) -> None:
    print_lines([name], "bold")
    rows: list[Row] = []
    for test in plan.tests:
        marks = [f"{points:g}" for points in (test.points, test.key, test.stub)]
        place = Text(test.place.value, style=_COLOURS[test.place])
        why = with_titles(test.trouble or test.warning or test.why, plan.titles)
        rows.append([plan.titles.get(test.id, test.id), *marks, place, why])
    if rows:
        numbers = [Column(one, justify="right") for one in ("points", "answer key", "stub")]
        columns = [folded("test", max_width=40), *numbers, Column("runs"), folded("why")]
        stdout().print(table_of(columns, rows), width=min(stdout().width, _WIDEST))
    for cell, why_not in plan.failing:
        print_lines([with_titles(f"The given cell {cell} fails: {why_not}", plan.titles)], "red")
    for cell, why_inside in plan.given:
        if cell not in dict(plan.failing):
            told = f"The given cell {cell} runs inside only: {why_inside}"
            print_lines([with_titles(told, plan.titles)])


def not_protected(plans: Sequence[Plan]) -> Iterator[str]:
    """Yield a sentence for each test that is not protected, that is, runs inside of the jail."""
    for plan in plans:
        where = f"{plan.notebook.removesuffix('.ipynb')}/" if len(plans) > 1 else ""
        for test in plan.inside:
            said = with_titles(f"{where}{test.id} ({test.why})", plan.titles)
            yield f"Not protected, it runs beside the student's code: {said}"


def show_audit(audit: "Audit") -> None:
    """Print the changed programs that keep full marks, cell by cell, and what would catch them."""
    parts = (
        ("", audit.wrong),
        ("Arguable, differing on unusual inputs or in the order only:", audit.arguable),
        ("Perhaps the same program:", audit.alike),
    )
    for heading, ones in parts:
        print_lines([heading] if heading and ones else [], "bold")
        cell = ""
        for one in ones:
            if cell != (cell := f"{one['notebook']}, {one['cell']}"):
                print_lines([printable(cell)], "bold")
            print_lines([f"  line {one['line']}"])
            for sign, lines, style in (("-", one["before"], "red"), ("+", one["after"], "green")):
                print_lines((printable(f"  {sign} {line}") for line in lines.splitlines()), style)
            for asked, right, wrong, lines in one["found"][:1]:
                said = f"{asked.splitlines()[-1]} {wrong}; the answer key {right}"
                print_lines([printable(f"    {said}. {one['where']}")])
                code = (printable(f"    {line}") for line in lines.splitlines())
                print_lines(code, "bold", is_code=True)
    if len(audit.wrong) > 1:
        print_lines(["These together catch all of them:"], "bold")
        for where, asserts in audit.to_paste.items():
            print_lines([printable(where)], is_code=True)
            code = (printable(f"  {line}") for line in "\n".join(asserts).splitlines())
            print_lines(code, is_code=True)
    print_lines(map(printable, (*audit.remarks, *audit.summary)))
