"""Functions that write scores, comments and late penalties of an assignment into the gradebook.

The grader adds a table of its own, `autograder_entered`, to the gradebook. The table says which
submission of each student was entered last. A student who is in this table, but not in the
gradebook any more, is not new: a person has removed the student from the course.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nbgrader.api import (
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import Column, MetaData, String, Table, delete, func, insert, inspect, select
from sqlalchemy.exc import DataError, IntegrityError, StatementError
from sqlalchemy.orm import selectinload

from autograder.gradebook.course_folder import CourseFolder, Folder
from autograder.gradebook.open_gradebook import GradebookError, opened
from autograder.gradebook.read_graded_notebook import Key
from autograder.gradebook.staleness import Dependencies, digest_of
from autograder.grading_data import Verdict
from autograder.notebook.safe_text import without_markup

NO_RESPONSE = "No response."  # nbgrader's words for an answer cell that nobody changed
NOTHING = "Nothing could be graded: "
_AT_ONCE = 500  # rows that are read from the database together
# errors that concern one result, not the database itself
_REFUSALS = (DataError, IntegrityError, ValueError)
_ENTERED = Table(
    "autograder_entered",
    MetaData(),
    Column("student", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("digest", String(64), nullable=False),
)

# The keys are the names of cells, that is, their `grade_id`s.
Scores = dict[str, float | None]
"""A dictionary from cells to the grader's scores; `None` if a person must give the score."""


@dataclass(frozen=True)
class Graded:
    """A graded hand-in: a verdict on each notebook, and what each verdict depends on."""

    folder: Folder
    verdicts: Sequence[Verdict]
    dependencies: Sequence[Dependencies]
    timestamp: datetime | None = None

    @property
    def student(self) -> str:
        """The id of the student."""
        return self.folder.student


def submission_digest(dependencies: Sequence[Dependencies]) -> str:
    """Return a digest of a submission; it changes if the work is changed or handed in again."""
    return digest_of([(one["submission"], one["time"]) for one in dependencies])


def read_recorded(
    course: CourseFolder, assignment: str
) -> tuple[dict[str, dict[str, Scores]], dict[str, str], frozenset[str]]:
    """Return what earlier runs have recorded of an assignment, and all students.

    The first value is the grader's scores, by student and notebook. The second is a dictionary:
    student → digest of the submission that was entered last. The third is all students' ids.
    """
    scores: dict[str, dict[str, Scores]] = {}
    digests: dict[str, str] = {}
    with opened(course) as gradebook:
        db, identity = gradebook.db, gradebook.find_assignment(assignment).id
        rows = db.execute(rows_of(Grade, identity, Grade.auto_score))
        for student, notebook, cell, score in rows:
            scores.setdefault(student, {}).setdefault(f"{notebook}.ipynb", {})[cell] = score
        if inspect(db.connection()).has_table(_ENTERED.name):
            query = select(_ENTERED.c.student, _ENTERED.c.digest)
            digests.update(iter(db.execute(query.where(_ENTERED.c.assignment == assignment))))
        return scores, digests, frozenset(db.scalars(select(Student.id)))


def note_entered(course: CourseFolder, assignment: str, digests: Mapping[str, str]) -> None:
    """Note in the gradebook which submissions were entered.

    `digests` is a dictionary from students to the digests of their submissions.
    """
    with opened(course) as gradebook:
        _note(gradebook, assignment, digests)
        gradebook.db.commit()


def _note(gradebook: Gradebook, assignment: str, digests: Mapping[str, str]) -> None:
    db, columns = gradebook.db, _ENTERED.c
    _ENTERED.create(db.connection(), checkfirst=True)
    for student, digest in digests.items():
        is_old = (columns.student == student) & (columns.assignment == assignment)
        db.execute(delete(_ENTERED).where(is_old))
        db.execute(insert(_ENTERED).values(student=student, assignment=assignment, digest=digest))


def scores_of(verdict: Verdict) -> Scores:
    """Return a dictionary: cell → score, which is `None` if a person must grade the cell."""
    waits = verdict.waiting
    return {check.id: None if check.id in waits else check.points for check in verdict.checks}


def rows_of(kind: Any, assignment: str, *columns: Any) -> Any:
    """Return a query for an assignment's rows in the table `kind`, `Grade` or `Comment`.

    `assignment` is a database id. Rows have student, notebook and cell name, then the `columns`.
    """
    return (
        select(SubmittedAssignment.student_id, Notebook.name, BaseCell.name, *columns)
        .select_from(SubmittedAssignment)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(kind, kind.notebook_id == SubmittedNotebook.id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(BaseCell, BaseCell.id == kind.cell_id)
        .where(SubmittedAssignment.assignment_id == assignment)
    )


def submitted_notebooks(db: Any, assignment: str) -> Iterator[tuple[Any, Any, float, float]]:
    """Yield tuples (submission, notebook, seconds late, score before the late penalty).

    `assignment` is a database id. A submission without notebooks is yielded once, with `None` as
    its notebook. The rows are loaded in parts, so that a large class needs little memory.
    """
    of_this = SubmittedAssignment.assignment_id == assignment
    joined = SubmittedNotebook.assignment_id == SubmittedAssignment.id
    # one query for all scores; nbgrader's own sum would read all grades for each notebook
    sums = select(Grade.notebook_id, func.sum(Grade.score)).join(
        SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id
    )
    sums = sums.join(SubmittedAssignment, joined).where(of_this).group_by(Grade.notebook_id)
    scores = {notebook: float(score or 0.0) for notebook, score in db.execute(sums)}
    query = select(SubmittedAssignment, SubmittedNotebook).outerjoin(SubmittedNotebook, joined)
    query = query.where(of_this).order_by(SubmittedAssignment.student_id)
    for submission, notebook in db.execute(query.execution_options(yield_per=_AT_ONCE)):
        late = _seconds_late(submission)
        yield submission, notebook, late, scores.get(notebook.id, 0.0) if notebook else 0.0


def _seconds_late(submission: Any) -> float:
    # nbgrader's own property fails if there is an extension but no due date
    has_date = submission.assignment.duedate is not None
    return float(submission.total_seconds_late) if has_date else 0.0


def write(course: CourseFolder, entries: Sequence[Graded]) -> dict[str, str]:
    """Write results of one assignment into the gradebook; what a person has entered stays.

    Return a dictionary: student whose result the gradebook refused → the reason. All results are
    written in one transaction or, if one of them is refused, one by one.
    """
    refused = {}
    with opened(course) as gradebook:
        try:
            _write(gradebook, entries)
            return {}
        except _REFUSALS:
            gradebook.db.rollback()
        for entry in entries:
            try:
                _write(gradebook, [entry])
            except _REFUSALS as error:
                with suppress(StatementError):
                    gradebook.db.rollback()
                refused[entry.student] = next(iter(str(error).splitlines()), repr(error))[:200]
    return refused


def _write(gradebook: Gradebook, entries: Sequence[Graded]) -> None:
    db = gradebook.db
    assignment = gradebook.find_assignment(entries[0].verdicts[0].lesson)
    submissions = _submissions(gradebook, assignment, [entry.student for entry in entries])
    rows = {f"{row.name}.ipynb": row for row in assignment.notebooks}
    for entry in entries:
        submission = submissions.get(entry.student)
        if submission is None:
            student = db.get(Student, entry.student) or Student(id=entry.student)
            submission = SubmittedAssignment(assignment=assignment, student=student)
            db.add(submission)
        if entry.timestamp is not None:
            submission.timestamp = entry.timestamp
        there = {one.notebook_id: one for one in submission.notebooks}
        for verdict in entry.verdicts:
            row = rows[verdict.file]
            submitted = there.get(row.id) or _new(
                submission.notebooks, SubmittedNotebook(notebook_id=row.id)
            )
            _write_notebook(submitted, row, verdict)
    digests = {entry.student: submission_digest(entry.dependencies) for entry in entries}
    _note(gradebook, str(assignment.name), digests)
    db.commit()


def _write_notebook(submitted: Any, notebook: Any, verdict: Verdict) -> None:
    grades = {grade.cell_id: grade for grade in submitted.grades}
    comments = {comment.cell_id: comment for comment in submitted.comments}
    scores = scores_of(verdict)
    for cell in (*notebook.grade_cells, *notebook.task_cells):
        grade = grades.get(cell.id) or _new(submitted.grades, Grade(cell_id=cell.id))
        grade.auto_score = scores.get(cell.name, 0.0)
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
    for cell in (*notebook.solution_cells, *notebook.task_cells):
        comment = comments.get(cell.id) or _new(submitted.comments, Comment(cell_id=cell.id))
        if not verdict.is_readable:
            comment.auto_comment = f"{NOTHING}{without_markup(verdict.problems[0])}."
        else:
            comment.auto_comment = NO_RESPONSE if cell.name in verdict.untouched else None


def _new(rows: Any, row: Any) -> Any:
    rows.append(row)
    return row


def _submissions(
    gradebook: Gradebook, assignment: Any, students: list[str]
) -> dict[str, SubmittedAssignment]:
    notebooks = selectinload(SubmittedAssignment.notebooks)
    query = (
        select(SubmittedAssignment)
        .where(
            SubmittedAssignment.assignment_id == assignment.id,
            SubmittedAssignment.student_id.in_(students),
        )
        # if they were loaded one by one, each query would read the grades of the whole class
        .options(
            notebooks.selectinload(SubmittedNotebook.grades),
            notebooks.selectinload(SubmittedNotebook.comments),
        )
    )
    return {found.student_id: found for found in gradebook.db.scalars(query)}


def withdraw(
    course: CourseFolder, assignment: str, students: Sequence[str], tell: Callable[[str], object]
) -> None:
    """Remove the submissions of some students from the gradebook, with their grades and comments.

    `tell` is called with a sentence on what is removed for each student. All are removed in one
    transaction. Raise `GradebookError` if a student has no submission in the gradebook.
    """
    with opened(course) as gradebook:
        row = gradebook.find_assignment(assignment)
        found = _submissions(gradebook, row, list(students))
        if missing := [student for student in students if student not in found]:
            raise GradebookError(
                f"The gradebook has no submission of {', '.join(missing)} for {assignment}; "
                "nothing was changed."
            )
        gone: list[Any] = []
        for student, submission in found.items():
            grades = [one for notebook in submission.notebooks for one in notebook.grades]
            comments = [one for notebook in submission.notebooks for one in notebook.comments]
            by_hand = sum(one.manual_score is not None or bool(one.extra_credit) for one in grades)
            said = sum(bool(one.manual_comment) for one in comments)
            score, moment = sum(one.score or 0.0 for one in grades), submission.timestamp
            when = f", handed in {moment:%Y-%m-%d %H:%M:%S} UTC" if moment else ""
            tell(
                f"{student}{when}: {score:g} of {float(row.max_score):g} points; graded cells: "
                f"{len(grades)}, with a score by hand: {by_hand}, with a comment by hand: {said}"
            )
            gone += [*grades, *comments, *submission.notebooks, submission]
        for one in gone:
            gradebook.db.delete(one)
        gradebook.db.commit()


def write_comments(
    course: CourseFolder, assignment: str, places: Mapping[str, Key], text: str
) -> dict[str, list[str]]:
    """Write a person's comment, `text`, on one answer cell of each student in `places`.

    If a person has commented on this cell before, the text is added below, but never twice. Return
    the students by what was done: `new`, `added`, `same` (the text was there before), and `nowhere`
    if there is no such cell, or nbgrader allows no comment on it.
    """
    done: dict[str, list[str]] = {"new": [], "added": [], "same": [], "nowhere": []}
    with opened(course) as gradebook:
        row = gradebook.find_assignment(assignment)
        cells = {
            (notebook.name, cell.name): cell.id
            for notebook in row.notebooks
            for cell in (*notebook.solution_cells, *notebook.task_cells)
        }
        for student, submission in sorted(_submissions(gradebook, row, list(places)).items()):
            notebooks = {one.notebook.name: one for one in submission.notebooks}
            cell, submitted = cells.get(places[student]), notebooks.get(places[student][0])
            if cell is None or submitted is None:
                done["nowhere"].append(student)
                continue
            there = {comment.cell_id: comment for comment in submitted.comments}
            comment = there.get(cell) or _new(submitted.comments, Comment(cell_id=cell))
            before = (comment.manual_comment or "").rstrip()
            if f"\n\n{text}\n\n" in f"\n\n{before}\n\n":
                done["same"].append(student)
                continue
            comment.manual_comment = f"{before}\n\n{text}" if before else text
            done["added" if before else "new"].append(student)
        gradebook.db.commit()
    return done


def assign_penalties(course: CourseFolder, assignment: str) -> list[str]:
    """Compute all late penalties of an assignment; return the students whose penalty changed.

    Submissions that were not graded in this run are included. Raise `GradebookError` if the
    instructor's late-submission plugin fails.
    """
    plugin = _penalty_plugin(course)
    changed = []
    with opened(course) as gradebook:
        row = gradebook.find_assignment(assignment)
        for submission, notebook, late, score in submitted_notebooks(gradebook.db, row.id):
            if notebook is None:
                continue
            student = str(submission.student_id)
            penalty = _penalty(plugin, student, score, late)
            if (penalty or 0.0) != (notebook.late_submission_penalty or 0.0):
                notebook.late_submission_penalty = penalty
                changed.append(student)
        gradebook.db.commit()
    return list(dict.fromkeys(changed))


def score_if_at(
    course: CourseFolder, assignment: str, student: str, scores: Sequence[float], at: datetime
) -> float:
    """Return the sum of `scores`, less the late penalties for a hand-in at the time `at`.

    The student must have a submission in the gradebook. Nothing is changed. Raise `GradebookError`
    if the instructor's late-submission plugin fails.
    """
    plugin = _penalty_plugin(course)
    with opened(course) as gradebook:
        submission = gradebook.find_submission(assignment, student)
        submission.timestamp = at  # `_seconds_late` reads it; it is not committed
        late = _seconds_late(submission)
    return sum(score - (_penalty(plugin, student, score, late) or 0.0) for score in scores)


def _penalty_plugin(course: CourseFolder) -> Any:
    preprocessor = AssignLatePenalties(parent=course.app)
    preprocessor.init_plugin()
    return preprocessor.plugin_inst


def _penalty(plugin: Any, student: str, score: float, late: float) -> float | None:
    """Return the late penalty for a notebook, or `None` if there is none."""
    try:
        penalty = plugin.late_submission_penalty(student, score, late) if late > 0 else None
        return None if penalty is None else float(min(max(penalty, 0), score))
    except Exception as error:  # the plugin is the instructor's own program
        name, cause = type(plugin).__name__, f"{type(error).__name__}: {error}"
        raise GradebookError(
            f"The late-submission plugin {name} failed for {student} ({cause}). No "
            "penalty was changed; mend it and grade again."
        ) from error
