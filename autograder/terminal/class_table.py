"""Printing of a class in the terminal: who handed in, what a run graded, and the results."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.grade_assignment import Grading
from autograder.grade_class import GradedHandin
from autograder.gradebook.lms.export_grades import Filled
from autograder.gradebook.lms.put_into_submitted import (
    LEFT,
    NEW,
    NOBODY,
    REPLACED,
    SAME,
    Collection,
)
from autograder.gradebook.read_grades import Result
from autograder.notebook.safe_text import duration, printable
from autograder.reports.class_report import Mistake
from autograder.terminal.verdict_table import (
    causes,
    keep_words_whole,
    new_table,
    not_protected,
    score_text,
    show_problems,
    to_give,
)

_SHORT = 10  # names that are listed at most
_PART = 1000  # lines of a table; a longer table is printed in parts, which needs less memory


_COLOURS = {NEW: "green", REPLACED: "yellow", LEFT: "yellow", NOBODY: "red"}


def show_collection(console: Console, collection: Collection, assignment: str) -> None:
    """Print a table of what was taken in from archives, then what is to do and who is missing."""
    lines = sorted(collection.lines, key=lambda one: (one.state == NOBODY, one.student, one.sender))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("in the archive", overflow="fold", max_width=60)
    table.add_column("student", overflow="fold", max_width=40)
    table.add_column("state", no_wrap=True)
    table.add_column("remarks", ratio=1, overflow="fold")
    for one in lines:
        state = Text(one.state, style=_COLOURS.get(one.state, ""))
        student = Text(printable(one.student) or "–")
        table.add_row(Text(one.sender), student, state, Text("; ".join(one.remarks)))
    if lines:
        console.print(table)
        console.print()
    for text in collection.troubles:
        console.print(Text(text, style="red"), soft_wrap=not console.is_terminal)
    for text in (*collection.remarks, *_counts(collection, assignment)):
        console.print(Text(text), soft_wrap=not console.is_terminal)


def _counts(collection: Collection, assignment: str) -> Iterable[str]:
    """Yield the sentences below the table of what was taken in."""
    states = [one.state for one in collection.lines]
    count = {state: states.count(state) for state in (NEW, REPLACED, SAME, LEFT)}
    if states and not sum(count.values()):
        yield "Nothing was taken in."
    elif not count[NEW] + count[REPLACED]:
        yield "Nothing changed: all that could be matched was there before."
    else:
        said = [f"{number} {state}" for state, number in count.items() if number]
        yield f"Students: {', '.join(said)}. Now: autograder grade {assignment}"
    if NOBODY in states:
        yield f"Could not be taken in: {states.count(NOBODY)}; the remarks say why, and what to do."
    missing = [printable(student) for student in collection.missing]
    if missing:
        yield f"Nothing came from {len(missing)}: {', '.join(missing)}"


def show_results(console: Console, results: Sequence[Result]) -> None:
    """Print a table of a class: the student, the score that counts, and remarks on it.

    If more than ten students handed in nothing, they are counted but not listed.
    """
    is_whole = sum(result.is_missing for result in results) <= _SHORT
    table = new_table("student")
    has_names = any(_name(result) for result in results)
    if has_names:
        table.add_column("name", overflow="fold", max_width=40)
    table.add_column("state", ratio=1, overflow="fold")
    for result in (one for one in results if is_whole or not one.is_missing):
        who = [Text(_name(result))] if has_names else []
        score = score_text(result.score, result.max_score, result.points_waiting)
        table.add_row(Text(printable(result.student)), score, *who, Text(state(result)))
    console.print(table)
    console.print(Text(f"\n{_summary(results)}"))


def show_filled(console: Console, filled: Filled, path: Path) -> None:
    """Print where Moodle's filled worksheet is, which grades changed, and what was left out."""
    said = [f"{path} has the grades of {filled.count}; upload it in Moodle."]
    said += [f"Another grade was there: {', '.join(filled.changed)}"] if filled.changed else []
    for text in ("", *said, *filled.left_out):
        console.print(Text(text), soft_wrap=not console.is_terminal)


def show_grading(console: Console, grading: Grading) -> None:
    """Print a table of the hand-ins that a run graded, then unprotected tests and problems."""
    if grading.graded:
        lines, known = grading.graded, {result.student: result for result in grading.results}
        has_states = any(_state_of(known.get(line.student)) for line in lines)
        for first in range(0, len(lines), _PART):
            console.print(_table(lines[first : first + _PART], known, has_states))
        for sentence in not_protected(grading.plans):
            console.print(Text(sentence), soft_wrap=not console.is_terminal)
        show_problems(
            console, ((one.student, one.verdict) for one in grading.graded if one.verdict)
        )


def show_remarks(console: Console, grading: Grading) -> None:
    """Print why hand-ins were graded again, what was not graded, and what is left to do."""
    for text in _remarks(grading):
        console.print(Text(text))


def show_mistakes(console: Console, mistakes: Sequence[Mistake], assignment: str) -> None:
    """Print the mistakes, each with the number of its students, and how to comment on one."""
    if not mistakes:
        console.print("Nobody lost points for a mistake that is known here.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("students", justify="right")
    table.add_column("mistake", overflow="fold")
    for one in mistakes:
        table.add_row(str(len(one.students)), Text(printable(one.typed)))
    console.print(table)
    command = printable(mistakes[0].comment_command(assignment))
    console.print(Text(f"\nOne comment to all who made the first: {command}"))


def show_commented(console: Console, done: Mapping[str, Sequence[str]], assignment: str) -> None:
    """Print to whom a comment was written, and what to do next."""
    for state, said in (
        ("new", "Written to"),
        ("added", "Added below a comment that was there, for"),
        ("same", "Left as it is, because it was there already, for"),
        ("nowhere", "Not written, because the notebook has no answer's cell to comment on, for"),
    ):
        if names := [printable(student) for student in done[state]]:
            console.print(Text(f"{said} {len(names)}: {', '.join(names)}"))
    if done["new"] or done["added"]:
        console.print(
            Text(
                f"formgrader shows it; autograder feedback {assignment} makes the students' pages "
                "anew. autograder undo takes it back, if the gradebook is a file."
            )
        )


def state(result: Result) -> str:
    """Return remarks on a result, such as points that a person must give, or a late hand-in."""
    if not result.handed_in:
        return result.seen or ("handed in nothing" if result.is_due else "not yet due")
    parts = [f"nothing could be graded: {result.unreadable}"] if result.unreadable else []
    if result.is_withdrawn:
        parts.append("its folder is gone from submitted/")
    if result.points_waiting:
        parts.append(to_give(result.points_waiting))
    if result.cells_by_hand:
        scores = "score" if result.cells_by_hand == 1 else "scores"
        parts.append(f"{result.cells_by_hand} {scores} given by hand")
    if result.late_seconds:
        penalty = f"{result.late_penalty:g}" if result.late_penalty else "nothing"
        parts.append(f"{duration(result.late_seconds)} late, {penalty} taken off")
    return "; ".join(parts)


def _table(lines: Sequence[GradedHandin], results: Mapping[str, Result], has_states: bool) -> Table:
    table = new_table("student")
    if has_states:
        table.add_column("state", ratio=2, overflow="fold")
    table.add_column("checks lost", ratio=2, overflow="fold")
    table.add_column("likely cause", ratio=3, overflow="fold")
    for line in lines:
        assert line.verdict is not None
        result = results.get(line.student)
        said = [Text(_state_of(result))] if has_states else []
        found = result or line.verdict
        score = score_text(found.score, found.max_score, found.points_waiting)
        table.add_row(Text(line.student), score, *said, *causes(line.verdict))
    keep_words_whole(table)
    return table


def _state_of(result: Result | None) -> str:
    """Return remarks on a result for a table whose last column says what could not be read."""
    return state(replace(result, unreadable="")) if result else ""


def _remarks(grading: Grading) -> Iterable[str]:
    """Yield the sentences that are printed after the table of a run."""
    again = defaultdict(list)
    for line in grading.graded:
        if line.why:
            again[line.why].append(line.student)
    for why, students in again.items():
        yield f"Graded again because {why}: {', '.join(students)}"
    if grading.penalties:
        names = ", ".join(grading.penalties)
        yield f"The late penalty changed (late policy, due date, extension or score): {names}"
    removed = [line.student for line in grading.lines if line.is_removed]
    if removed:
        yield (
            f"Removed from the course since they were graded, so not entered again: "
            f"{', '.join(removed)} (nbgrader db student add ID takes one back)."
        )
    kept = len(grading.lines) - len(grading.graded) - len(removed)
    if kept:
        were = "was graded before and has" if kept == 1 else "were graded before and have"
        yield f"{kept} {were} not changed (--force: once more)."
    for line in grading.lines:
        if line.unreadable:
            yield f"Still nothing could be graded of {line.student}: {line.unreadable}"
    if grading.results:
        yield _summary(grading.results)


def _summary(results: Sequence[Result]) -> str:
    """Return lines that say how many handed in, whom to look at, and who handed in nothing."""
    waiting = [printable(result.student) for result in results if result.points_waiting]
    missing = [printable(result.student) for result in results if result.is_missing]
    seen = [printable(result.student) for result in results if result.seen]
    lines = [
        f"In the gradebook: {len(results) - len(missing) - len(seen)} of {len(results)} handed in."
    ]
    if waiting:
        lines.append(f"A person has to look at: {', '.join(waiting)}")
    if gone := [printable(result.student) for result in results if result.is_withdrawn]:
        more = f" and {len(gone) - _SHORT} more" if len(gone) > _SHORT else ""
        lines.append(
            f"Withdrawn? In the gradebook, but gone from submitted/: {', '.join(gone[:_SHORT])}"
            f"{more}. Nothing was removed; to remove it: "
            "autograder grade ASSIGNMENT --withdraw STUDENT"
        )
    if seen:
        lines.append(f"Seen, but without a grade: {', '.join(seen)} (autograder results says why)")
    nothing = "Handed in nothing" if results and results[0].is_due else "Not yet due, and not here"
    if len(missing) > _SHORT:
        lines.append(f"{nothing}: {len(missing)} (autograder results --csv FILE: who)")
    elif missing:
        lines.append(f"{nothing}: {', '.join(missing)}")
    return "\n".join(lines)


def _name(result: Result) -> str:
    return printable(f"{result.first_name} {result.last_name}".strip())
