"""Printing of a class in the terminal: who handed in, what a run graded, and the results."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.cli.print_verdicts import (
    not_protected,
    plain_table,
    print_lines,
    score_text,
    show_problems,
    to_give,
    verdict_table,
)
from autograder.grade_assignment import Grading, withdraw_command
from autograder.gradebook.lms.export_grades import Filled
from autograder.gradebook.lms.put_into_submitted import (
    FAILED,
    LEFT,
    NEW,
    REPLACED,
    SAME,
    Collection,
)
from autograder.gradebook.read_grades import Result
from autograder.notebook.safe_text import duration, printable
from autograder.reports.class_report import Mistake, example_of

_SHORT = 10  # names that are listed at most
_PART = 1000  # lines of a table; a longer table is printed in parts, which needs less memory
_STATES = {NEW: "green", REPLACED: "yellow", SAME: "", LEFT: "yellow"}
_COMMENTED = {
    "new": "Written to",
    "added": "Added below a comment that was there, for",
    "same": "Left as it is, because it was there already, for",
    "nowhere": "Not written, because the notebook has no answer's cell to comment on, for",
}


def show_collection(console: Console, collection: Collection, assignment: str) -> None:
    """Print a table of the hand-ins from archives, then what to do next and who is missing."""
    lines = sorted(collection.lines, key=lambda one: (one.state in FAILED, one.student, one.sender))
    table = plain_table("in the archive", width=60)
    table.add_column("student", overflow="fold", max_width=40)
    table.add_column("state", no_wrap=True)
    table.add_column("remarks", ratio=1, overflow="fold")
    for one in lines:
        state = Text(one.state, _STATES.get(one.state, "red"))
        student = Text(printable(one.student) or "–")
        table.add_row(Text(one.sender), student, state, Text("; ".join(one.remarks)))
    if lines:
        console.print(table)
        console.print()
    print_lines(console, collection.troubles, "red")
    count = Counter(one.state for one in lines)
    told = list(collection.remarks)
    failed = sum(count[state] for state in FAILED)
    if lines and failed == len(lines):
        told.append("Nothing was taken in.")
    elif not count[NEW] + count[REPLACED]:
        told.append("Nothing changed: all that could be matched was there before.")
    else:
        said = [f"{count[state]} {state}" for state in _STATES if count[state]]
        told.append(f"Students: {', '.join(said)}. Now: autograder grade {assignment}")
    if failed:
        told.append(f"Could not be taken in: {failed}; the remarks say why, and what to do.")
    if missing := [printable(student) for student in collection.missing]:
        told.append(f"Nothing came from {len(missing)}: {', '.join(missing)}")
    print_lines(console, told)


def show_results(console: Console, results: Sequence[Result], assignment: str) -> None:
    """Print a table of a class: the student, the score that counts, and remarks on it.

    If more than ten students handed in nothing, they are counted but not listed.
    """
    is_whole = sum(result.is_missing for result in results) <= _SHORT
    table = plain_table("student", has_score=True)
    has_names = any(result.first_name or result.last_name for result in results)
    if has_names:
        table.add_column("name", overflow="fold", max_width=40)
    table.add_column("state", ratio=1, overflow="fold")
    for result in (one for one in results if is_whole or not one.is_missing):
        name = printable(f"{result.first_name} {result.last_name}".strip())
        names, student = [Text(name)] if has_names else [], Text(printable(result.student))
        table.add_row(student, score_text(result), *names, Text(state(result)))
    console.print(table)
    console.print(Text(f"\n{_summary(results, assignment)}"))


def show_filled(console: Console, filled: Filled, path: Path) -> None:
    """Print where Moodle's filled worksheet is, which grades changed, and what was left out."""
    said = [f"{path} has the grades of {filled.count}; upload it in Moodle."]
    said += [f"Another grade was there: {', '.join(filled.changed)}"] if filled.changed else []
    print_lines(console, ("", *said, *filled.left_out))


def show_grading(console: Console, grading: Grading) -> None:
    """Print a table of the hand-ins that a run graded, then unprotected tests and problems."""
    if grading.graded:
        results, rows = {result.student: result for result in grading.results}, []
        for line in grading.graded:
            assert line.verdict is not None
            result = results.get(line.student)
            # the last column says what could not be read
            said = state(replace(result, unreadable="")) if result else ""
            rows.append((line.student, score_text(result or line.verdict), said, line.verdict))
        has_states = any(said for _, _, said, _ in rows)
        for first in range(0, len(rows), _PART):
            console.print(verdict_table("student", rows[first : first + _PART], has_states))
        print_lines(console, not_protected(grading.plans))
        show_problems(console, ((name, verdict) for name, _, _, verdict in rows))


def show_remarks(console: Console, grading: Grading, assignment: str) -> None:
    """Print which hand-ins were graded again and why, which were not, and what is left to do."""
    again = defaultdict(list)
    for line in grading.graded:
        if line.why:
            again[line.why].append(line.student)
    told = [f"Graded again because {why}: {', '.join(names)}" for why, names in again.items()]
    told += _changed_points(grading)
    if grading.penalties:
        what = "The late penalty changed (late policy, due date, extension or score)"
        told.append(f"{what}: {', '.join(grading.penalties)}")
    if removed := [line.student for line in grading.lines if line.is_removed]:
        told.append(
            f"Removed from the course since they were graded, so not entered again: "
            f"{', '.join(removed)} (nbgrader db student add ID takes one back)."
        )
    if kept := len(grading.lines) - len(grading.graded) - len(removed):
        were = "was graded before and has" if kept == 1 else "were graded before and have"
        told.append(f"{kept} {were} not changed (--force: once more).")
    for line in grading.lines:
        if line.unreadable:
            told.append(f"Still could not be graded: {line.student} ({line.unreadable})")
    if grading.results:
        told.append(_summary(grading.results, assignment))
    print_lines(console, told)


def _changed_points(grading: Grading) -> list[str]:
    """Return lines that say who has fewer points than before the run, and who has more."""
    changed: dict[str, list[str]] = {"Fewer": [], "More": []}
    for one in grading.results:
        before, now = round(grading.before.get(one.student, one.score), 2), round(one.score, 2)
        if one.handed_in and before != now:
            said = f"{printable(one.student)} {before:g} → {now:g}"
            changed["Fewer" if now < before else "More"].append(said)
    told = [f"{what} points than before: {', '.join(who)}" for what, who in changed.items() if who]
    is_again = any(line.why and line.student in grading.before for line in grading.graded)
    return told or (["Nobody has other points than before."] if is_again else [])


def show_mistakes(console: Console, mistakes: Sequence[Mistake], assignment: str) -> None:
    """Print the mistakes, each with its number of students, and the command to comment on one."""
    if not mistakes:
        console.print("Nobody lost points for a mistake that is known here.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("students", justify="right")
    table.add_column("mistake", overflow="fold")
    for one in mistakes:
        table.add_row(str(len(one.students)), Text(printable(one.typed)))
    console.print(table)
    command = printable(example_of(mistakes).comment_command(assignment))
    console.print(Text(f"\nOne comment to all who made one of them: {command}"))


def show_commented(console: Console, done: Mapping[str, Sequence[str]], assignment: str) -> None:
    """Print to whom a comment was written and to whom not, and what to do next."""
    for state, said in _COMMENTED.items():
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
    """Return remarks on a result as one text: points that a person must give, a late hand-in, …"""
    if not result.handed_in:
        return result.seen or ("handed in nothing" if result.is_due else "not yet due")
    parts = [f"could not be graded: {result.unreadable}"] if result.unreadable else []
    if result.is_withdrawn:
        parts.append("its folder is gone from submitted/")
    if result.points_waiting:
        parts.append(to_give(result.points_waiting))
    if result.cells_by_hand:
        scores = "score" if result.cells_by_hand == 1 else "scores"
        again = f", {result.cells_again} of them to look at again" if result.cells_again else ""
        again = ", to look at again" if result.cells_again == result.cells_by_hand else again
        parts.append(f"{result.cells_by_hand} {scores} given by hand{again}")
    if result.late_seconds:
        penalty = f"{result.late_penalty:g}" if result.late_penalty else "nothing"
        parts.append(f"{duration(result.late_seconds)} late, {penalty} taken off")
    return "; ".join(parts)


def _summary(results: Sequence[Result], assignment: str) -> str:
    """Return a text on how many handed in, whom a person has to look at, and who is missing."""
    looked = [result for result in results if result.points_waiting or result.cells_again]
    waiting = [printable(result.student) for result in looked]
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
            f"{more}. Nothing was removed; to remove {'it' if len(gone) == 1 else 'them'}: "
            f"{printable(withdraw_command(assignment, gone[:_SHORT]))}"
        )
    if seen:
        why = f"autograder results {assignment} says why"
        lines.append(f"Seen, but without a grade: {', '.join(seen)} ({why})")
    nothing = "Handed in nothing" if results and results[0].is_due else "Not yet due, and not here"
    if len(missing) > _SHORT:
        listed = f"autograder results {assignment} --csv FILE: who"
        lines.append(f"{nothing}: {len(missing)} ({listed})")
    elif missing:
        lines.append(f"{nothing}: {', '.join(missing)}")
    return "\n".join(lines)
