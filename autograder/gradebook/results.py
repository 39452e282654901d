"""The results of an assignment in the gradebook now, student by student."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from nbgrader.api import Grade, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select
from sqlalchemy.orm import joinedload

from autograder.gradebook.database import GradebookError, is_there, opened
from autograder.gradebook.folder import CourseFolder
from autograder.gradebook.lateness import seconds_late
from autograder.gradebook.scores import in_parts, notebook_scores, reasons_of

COLUMNS = (
    "student",
    "last_name",
    "first_name",
    "handed_in",
    "score",
    "max_score",
    "score_before_penalty",
    "late_penalty",
    "late_seconds",
    "points_waiting",
    "cells_by_hand",
    "unreadable",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True)
class Result:
    """One student's result; all numbers are points except `late_seconds` and `cells_by_hand`.

    `score` is what counts, with the late penalty taken off. `points_waiting` are those that a
    person still has to give. `cells_by_hand` is the number of cells whose score a person entered.
    `unreadable` says why nothing could be graded.
    """

    student: str
    last_name: str
    first_name: str
    handed_in: bool
    max_score: float
    score_before_penalty: float = 0.0
    late_penalty: float = 0.0
    late_seconds: float = 0.0
    points_waiting: float = 0.0
    cells_by_hand: int = 0
    unreadable: str = ""

    @property
    def score(self) -> float:
        """The score that counts, as in nbgrader's own export."""
        return max(0.0, self.score_before_penalty - self.late_penalty)

    def as_json(self) -> dict[str, Any]:
        """Return the columns and their values, in order."""
        return {name: getattr(self, name) for name in COLUMNS}


def read_results(course: CourseFolder, assignment: str) -> list[Result]:
    """Return a result for each student that the gradebook knows, in order of the ids.

    Raise `GradebookError` if there is no such assignment in it, or it cannot be used.
    """
    if not is_there(course):
        raise GradebookError("There is no gradebook yet; autograder grade makes one.")
    with opened(course) as gradebook:
        row = gradebook.find_assignment(assignment)
        waiting, by_hand = _by_persons(gradebook.db, row.id)
        reasons = reasons_of(gradebook.db, row.id)
        found = _submissions(gradebook.db, row)
        return [
            replace(
                _result(student, found.get(student.id), row),
                points_waiting=waiting[student.id],
                cells_by_hand=by_hand[student.id],
                unreadable=reasons.get(student.id, ""),
            )
            for student in sorted(
                gradebook.db.scalars(in_parts(select(Student))), key=attrgetter("id")
            )
        ]


@dataclass
class _Submission:
    """The sums over all notebooks of one student, and the seconds that the student was late."""

    late: float
    score: float = 0.0
    penalty: float = 0.0


def _submissions(db: Any, assignment: Any) -> dict[str, _Submission]:
    """Return student → submission."""
    scores = notebook_scores(db, assignment.id)
    query = (
        select(SubmittedAssignment, SubmittedNotebook.id, SubmittedNotebook.late_submission_penalty)
        .outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .where(SubmittedAssignment.assignment_id == assignment.id)
    )
    found: dict[str, _Submission] = {}
    for submission, notebook, penalty in db.execute(in_parts(query)):
        late = seconds_late(submission)
        one = found.setdefault(submission.student_id, _Submission(late))
        one.score += scores.get(notebook, 0.0)
        one.penalty += penalty or 0.0
    return found


def _result(student: Any, submission: _Submission | None, row: Any) -> Result:
    who = student.id, student.last_name or "", student.first_name or ""
    if submission is None:
        return Result(*who, handed_in=False, max_score=float(row.max_score))
    return Result(
        *who,
        handed_in=True,
        max_score=float(row.max_score),
        score_before_penalty=submission.score,
        late_penalty=submission.penalty,
        late_seconds=submission.late,
    )


def _by_persons(db: Any, assignment: str) -> tuple[dict[str, float], dict[str, int]]:
    """Return student → points that wait for a person, and → number of cells scored by hand."""
    waiting: dict[str, float] = defaultdict(float)
    by_hand: dict[str, int] = defaultdict(int)
    query = (
        select(SubmittedAssignment.student_id, Grade)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .where(
            SubmittedAssignment.assignment_id == assignment,
            Grade.needs_manual_grade | Grade.manual_score.is_not(None),
        )
        .options(joinedload(Grade.cell))
    )
    for student, grade in db.execute(query):
        by_hand[student] += grade.manual_score is not None
        waiting[student] += grade.cell.max_score if grade.needs_manual_grade else 0.0
    return waiting, by_hand


def as_csv(results: Iterable[Result]) -> str:
    """Return the results as a table for a spreadsheet, in which no name is taken for a formula.

    >>> print(as_csv([Result("=cmd", "", "", False, 12.0)]).splitlines()[1])
    '=cmd,,,no,0.0,12.0,0.0,0.0,0.0,0.0,0,
    """
    return as_rows([COLUMNS, *(result.as_json().values() for result in results)])


def as_rows(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as a table for a spreadsheet, in which no text is taken for a formula."""
    text = io.StringIO()
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    # a spreadsheet would run it; an apostrophe makes it text
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
