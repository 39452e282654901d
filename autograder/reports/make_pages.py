"""Functions that read grades, and write reports, students' pages, comments and names of groups."""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.audit.audit_assignment import Audit
from autograder.course_adapter import title_of
from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.gradebook_backups import copy_kept
from autograder.gradebook.locks import one_at_a_time
from autograder.gradebook.read_grades import COLUMNS, ClassGrades, as_rows, read_all, read_class
from autograder.gradebook.timestamp import FILE as TIMESTAMP
from autograder.gradebook.write_grades import write_comments
from autograder.groups.group_names_file import FILE, cleaned, names_by_hand, read_names, write_name
from autograder.notebook.master import notebooks_in
from autograder.notebook.submitted_files import Unreadable, read_bytes
from autograder.reports.class_report import mistakes_of, report_page, wrong_groups_of
from autograder.reports.failure_causes import causes_of
from autograder.reports.feedback import feedback_page, told_page
from autograder.reports.html_templates import page, script
from autograder.system import Trouble
from autograder.system.atomic_write import put_file, put_table

_SECRET = "submission_secret.txt"


def make_report(
    course: CourseFolder,
    assignment: str,
    table: Path | None = None,
    served: Mapping[str, tuple[int, int]] | None = None,
    before: Sequence[Path] = (),
) -> Path:
    """Write the page about the class, and return its path; also write CSV to `table` if given.

    `served` is what `autograder serve` counted. It is a dictionary from students to pairs: the
    number of hand-ins, and the number of results of hidden tests that the student was told.
    `before` are the course folders of earlier years, the oldest first. Raise `Trouble` if one of
    these folders cannot be read.
    """
    book = read_class(course, assignment)
    years: dict[str, ClassGrades] = {}
    for folder in before:
        name = folder.resolve().name
        years[str(folder) if name in years else name] = _earlier(folder, course, assignment)
    path = course.root / "reports" / f"{assignment}.html"
    path.parent.mkdir(exist_ok=True)
    links = {}  # student → relative link to the feedback page
    for one in book.students:
        folder = course.feedback(one.result.student, assignment)
        for feedback in sorted(folder.glob("*.html"))[:1]:
            links[one.result.student] = quote(os.path.relpath(feedback, path.parent))
    by_hand = names_by_hand(course.root).get(assignment, {})
    put_file(path, report_page(book, links, served or {}, years, by_hand))
    if table is not None:
        names = [asked.key if len(book.notebooks) > 1 else asked.key[1:] for asked in book.asked]
        heads = [*COLUMNS, *map(" / ".join, names), "mistakes", "problems", "seconds"]
        rows: list[list[Any]] = [heads]
        for one in book.students:
            marks = [one.marks.get(asked.key) for asked in book.asked]
            scores = ["" if mark is None else mark.score for mark in marks]
            seconds = "" if one.notes.seconds is None else one.notes.seconds
            found = ["; ".join(causes_of(one)), "; ".join(one.notes.all_problems), seconds]
            rows.append([*one.result.as_json().values(), *scores, *found])
        put_table(table, as_rows(rows))
    return path


def _earlier(folder: Path, course: CourseFolder, assignment: str) -> ClassGrades:
    """Return the grades in the course folder of an earlier year, with this year's group names."""
    names = read_names(course.root).get(assignment, {})
    try:
        with chdir(folder):  # nbgrader reads the configuration in the current folder
            earlier = CourseFolder()
            if earlier.db_url == course.db_url or earlier.root.resolve() != Path.cwd():
                raise Trouble("its configuration names the gradebook or the root of another folder")
            return read_class(earlier, assignment, names)
    except Trouble as error:
        raise Trouble(f"{folder}: {error}") from error


def make_audit(audit: Audit, path: Path) -> None:
    """Write the page about an audit to `path`. Raise `OSError` if that is not possible."""
    put_file(path, page("audit.html", title=title_of(audit.assignment), audit=audit))


def make_overview(course: CourseFolder, table: Path | None = None) -> Path:
    """Write the page about all assignments, and return its path; write CSV to `table` if given."""
    found = read_all(course)
    rows = list(zip(*found.values(), strict=True))
    path = course.root / "reports" / "index.html"
    path.parent.mkdir(exist_ok=True)
    pages = {one: f"{quote(one)}.html" for one in found if (path.parent / f"{one}.html").exists()}
    begun = [name for name, results in found.items() if any(one.handed_in for one in results)]
    most = {name: results[0].max_score if results else 0.0 for name, results in found.items()}
    text = page(
        "overview.html",
        course=course.course_id,
        rows=rows,
        most=most,
        begun=begun,
        pages=pages,
        unmade=[name for name in begun if name not in pages],
        **script("overview.js"),
    )
    put_file(path, text)
    if table is not None:
        lines: list[list[Any]] = [["student", "last_name", "first_name", "sum", *found]]
        for row in rows:
            scores = [result.score if result.handed_in else "" for result in row]
            name = row[0].student, row[0].last_name, row[0].first_name
            lines.append([*name, sum(result.score for result in row), *scores])
        put_table(table, as_rows(lines))
    return path


def comment_on(
    course: CourseFolder, assignment: str, typed: str, text: str, on_wait: Callable[[], object]
) -> dict[str, list[str]]:
    """Write one comment to all students who made the same mistake.

    `typed` is the mistake's title as in the report, or a beginning that no other title has. Return
    what `write_comments` returns: a dictionary from what was done to students. Raise `Trouble` if
    `typed` fits no mistake or several, or if `text` is empty.
    """
    if not text.strip():
        raise Trouble("The comment is empty. Write it as the last word, in quotes.")
    kept = copy_kept(course.db_url, f"comment {assignment}")
    with one_at_a_time(course.root, course.db_url, on_wait), kept:
        book = read_class(course, assignment)
        words = " ".join(typed.replace("`", "").casefold().split())
        titles = {" ".join(one.typed.casefold().split()): one for one in mistakes_of(book)}
        found = [one for title, one in titles.items() if title.startswith(words)]
        found = [titles[words]] if words in titles else found
        if not found:
            raise Trouble(
                f"No mistake begins with {typed!r}; autograder comment {assignment} lists them."
            )
        if len(found) > 1:
            those = "; ".join(one.typed for one in found)
            many = f"{len(found)} mistakes begin with {typed!r}: {those}"
            raise Trouble(f"{many}. Write more of one of them.")
        cells = found[0].cells.items()
        places = {who: book.answer_cells.get(key, key) for who, key in cells}
        return write_comments(course, assignment, places, text.strip())


def name_group(course: CourseFolder, assignment: str, group: str, title: str, hint: str) -> str:
    """Name a group of wrong programs in `names.toml`, and return a sentence on what was done.

    Raise `Trouble` if there is no such group, if it has a name already, or if the title is empty.
    """
    groups = wrong_groups_of(read_class(course, assignment))
    one = next((one for one in groups if one.difference.group == group), None)
    name = cleaned(title, hint)
    if one is None:
        listed = "; ".join(
            f"{one.difference.group} ({len(one.students)}: {one.name or one.difference.question})"
            for one in groups
        )
        raise Trouble(f"{assignment} has no group {group!r}. Its groups are: {listed or 'none'}.")
    if not name.mistake:
        raise Trouble("The title is empty. Write it in quotes.")
    if one.name:
        raise Trouble(
            f"{group} has a name: {one.name}. If it stands in {FILE} or exercises.toml, change it "
            "there; one of the catalogue of known mistakes stays."
        )
    write_name(course.root, assignment, group, name)
    students = ", ".join(one.result.student for one in one.students)
    return (
        f"{FILE} has the name. {students} and all who come will read it: autograder feedback "
        f"{assignment} makes their pages anew."
    )


def write_told(
    course: CourseFolder, student: str, assignment: str, answer: Mapping[str, Any]
) -> None:
    """Write a page for each notebook of a hand-in that was checked as soon as it came."""
    folder = course.feedback(student, assignment)
    _begin_feedback(folder, course.submitted(student, assignment).path)
    for path in notebooks_in(course.masters(assignment)):
        put_file(folder / f"{path.stem}.html", told_page(answer, student, path.stem))


def make_feedback(
    course: CourseFolder, assignment: str, student: str | None = None
) -> tuple[int, list[str]]:
    """Write a page about each notebook for every graded student, or only for `student`.

    Return the number of pages, and the students with cells that a person must still grade.
    Raise `Trouble` if nobody was graded.
    """
    book = read_class(course, assignment)
    graded = [
        one
        for one in book.students
        if student in (None, one.result.student)
        and one.result.handed_in
        and course.graded(one.result.student, assignment).is_dir()
    ]
    if not graded:
        who = f" of {student}" if student else ""
        raise Trouble(f"nothing{who} was graded; autograder grade {assignment} comes first")
    for one in graded:
        folder = course.feedback(one.result.student, assignment)
        _begin_feedback(folder, course.graded(one.result.student, assignment))
        for notebook in book.notebooks:
            put_file(folder / f"{notebook}.html", feedback_page(book, one, notebook))
    waiting = [one.result.student for one in graded if one.result.points_waiting]
    return len(graded) * len(book.notebooks), waiting


def _begin_feedback(folder: Path, handed_in: Path) -> None:
    """Make a student's folder of feedback, with nbgrader's two files: the date and the secret.

    Both files are copied from `handed_in`; one that is missing there stays as it is in the folder.
    If there is no secret at all, a new one is made. Without the two files,
    `nbgrader release_feedback` releases no pages.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for file, otherwise in ((TIMESTAMP, ""), (_SECRET, secrets.token_hex(64))):
        put_file(folder / file, _text(handed_in / file) or _text(folder / file) or otherwise)


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8")
    except (Unreadable, ValueError):
        return ""
