"""nbgrader's gradebook, which stays the record: results are written to it in batches."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import nbformat
from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import AssignLatePenalties, SaveCells
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from autograder.course import lesson
from autograder.notebook.master import Master, master_of
from autograder.notebook.text import without_markup
from autograder.records.folder import CourseFolder
from autograder.submission import Outcome, Verdict


class GradebookError(Exception):
    """nbgrader does not let this happen to its gradebook; the message says what to do."""


@dataclass(frozen=True)
class Entry:
    """One result to be written: whose it is, and when it was handed in, if that is known."""

    student: str
    graded: Verdict
    timestamp: datetime | None = None


def register(course: CourseFolder, lesson_id: str) -> Master:
    """Enters a lesson in the gradebook, as `nbgrader generate_assignment` would, and returns it.

    The master that is returned has nbgrader's checksums. Raises `GradebookError` if submissions
    were graded whose cells are not the master's any more.
    """
    path = course.source / lesson_id / course.master(lesson_id).notebook
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with closing(Gradebook(course.db_url, course.course_id)) as gradebook:
        gradebook.update_or_create_assignment(lesson_id)
    resources = _resources(course, lesson_id, path.stem)
    converter = GenerateAssignment(coursedir=course.app.coursedir, parent=course.app)
    for kind in converter.preprocessors:
        try:
            notebook, resources = kind(parent=course.app).preprocess(notebook, resources)
        except RuntimeError as error:
            raise GradebookError(f"{error}; remove them, or put the cells back") from error
        if kind is SaveCells:
            break
    return master_of(lesson_id, notebook)


def write(course: CourseFolder, entries: Sequence[Entry]) -> dict[str, str]:
    """Writes the results of one lesson, all in one go; returns student → why it was refused.

    What a person has entered stays as it is: manual scores, extra credit and comments.
    """
    with closing(Gradebook(course.db_url, course.course_id)) as gradebook:
        gradebook.db.autoflush = False
        try:
            late = _write(gradebook, entries)
            refused: dict[str, str] = {}
        except (SQLAlchemyError, ValueError):
            gradebook.db.rollback()
            late, refused = _write_one_by_one(gradebook, entries)
    for entry in late:
        _assign_late_penalty(course, entry)
    return refused


def _write_one_by_one(
    gradebook: Gradebook, entries: Sequence[Entry]
) -> tuple[list[Entry], dict[str, str]]:
    """So that one result that the database refuses does not keep the others out."""
    late, refused = [], {}
    for entry in entries:
        try:
            late += _write(gradebook, [entry])
        except (SQLAlchemyError, ValueError) as error:
            gradebook.db.rollback()
            refused[entry.student] = str(error).splitlines()[0][:200]
    return late, refused


def _write(gradebook: Gradebook, entries: Sequence[Entry]) -> list[Entry]:
    """Writes and commits; returns the entries that were handed in late."""
    db = gradebook.db
    lesson_id = entries[0].graded.lesson
    assignment = gradebook.find_assignment(lesson_id)
    submissions = _submissions(gradebook, assignment, [entry.student for entry in entries])
    notebook = gradebook.find_notebook(_notebook_name(entries[0].graded), lesson_id)
    late = []
    for entry in entries:
        submission = submissions.get(entry.student)
        if submission is None:
            student = db.get(Student, entry.student) or Student(id=entry.student)
            submission = SubmittedAssignment(assignment=assignment, student=student)
            db.add(submission)
        if entry.timestamp is not None:
            submission.timestamp = entry.timestamp
        _write_notebook(_submitted_notebook(submission, notebook), notebook, entry.graded)
        if submission.total_seconds_late > 0:
            late.append(entry)
    db.commit()
    return late


def _submissions(
    gradebook: Gradebook, assignment: Any, students: list[str]
) -> dict[str, SubmittedAssignment]:
    query = select(SubmittedAssignment).where(
        SubmittedAssignment.assignment_id == assignment.id,
        SubmittedAssignment.student_id.in_(students),
    )
    return {found.student_id: found for found in gradebook.db.scalars(query)}


def _submitted_notebook(submission: Any, notebook: Notebook) -> Any:
    """The student's notebook in the gradebook, made as nbgrader makes it if there is none."""
    for found in submission.notebooks:
        if found.notebook_id == notebook.id:
            return found
    return _new(submission.notebooks, SubmittedNotebook(notebook_id=notebook.id))


def _write_notebook(submitted: Any, notebook: Any, graded: Verdict) -> None:
    submitted.late_submission_penalty = None
    grades = {grade.cell_id: grade for grade in submitted.grades}
    comments = {comment.cell_id: comment for comment in submitted.comments}
    checks = {check.id: check for check in graded.checks}
    for cell in (*notebook.grade_cells, *notebook.task_cells):
        grade = grades.get(cell.id) or _new(submitted.grades, Grade(cell_id=cell.id))
        check = checks.get(cell.name)
        is_open = check is not None and check.outcome is Outcome.MANUAL
        # nbgrader gives 0 at once for an answer that nobody touched
        is_open = is_open and graded.is_readable and cell.name not in graded.untouched
        grade.auto_score = None if is_open else check.points if check is not None else 0.0
        grade.needs_manual_grade = is_open or grade.manual_score is not None
    for cell in (*notebook.solution_cells, *notebook.task_cells):
        comment = comments.get(cell.id) or _new(submitted.comments, Comment(cell_id=cell.id))
        comment.auto_comment = _comment(cell.name, graded)


def _new(rows: Any, row: Any) -> Any:
    rows.append(row)
    return row


def _comment(cell: str, graded: Verdict) -> str | None:
    if not graded.is_readable:
        return f"Nothing could be graded: {without_markup(graded.problems[0])}."
    return "No response." if cell in graded.untouched else None


def _assign_late_penalty(course: CourseFolder, entry: Entry) -> None:
    """What nbgrader's own late-submission plugin, as configured, says."""
    resources = _resources(course, entry.graded.lesson, _notebook_name(entry.graded))
    resources["nbgrader"]["student"] = entry.student
    no_cells = nbformat.NotebookNode(cells=[])  # type: ignore[no-untyped-call]
    AssignLatePenalties(parent=course.app).preprocess(no_cells, resources)


def _resources(course: CourseFolder, lesson_id: str, notebook: str) -> dict[str, Any]:
    """What nbgrader's preprocessors want to be told."""
    names = {"assignment": lesson_id, "notebook": notebook, "db_url": course.db_url}
    return {"nbgrader": names}


def _notebook_name(graded: Verdict) -> str:
    return lesson(graded.lesson).notebook.removesuffix(".ipynb")
