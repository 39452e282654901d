"""One assignment of a class as its reports need it: what was asked, and what everybody has."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.api import BaseCell, Comment, Grade, Notebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select

from autograder.gradebook.database import GradebookError, opened
from autograder.gradebook.folder import CourseFolder
from autograder.gradebook.hidden import Withhold
from autograder.gradebook.kept import Kept, Key, read_kept
from autograder.gradebook.results import Result, read_results
from autograder.gradebook.scores import NO_RESPONSE


@dataclass(frozen=True)
class Asked:
    """One graded cell: what it is about in one sentence, its points, and who gives them."""

    key: Key
    idea: str
    points: float
    is_by_hand: bool


@dataclass(frozen=True)
class Mark:
    """A student's score for one graded cell; `waits` is true if a person has to look at it."""

    score: float
    waits: bool = False
    extra: float = 0.0


@dataclass(frozen=True)
class StudentBook:
    """One student: the result, the mark of each cell, a person's comments, and what a run noted.

    `untouched` are the answers in which nothing was written.
    """

    result: Result
    handed_in_at: datetime | None = None
    marks: Mapping[Key, Mark] = field(default_factory=dict)
    comments: Mapping[Key, str] = field(default_factory=dict)
    untouched: frozenset[Key] = frozenset()
    kept: Kept = field(default_factory=Kept)

    @property
    def name(self) -> str:
        """The name of the student in the gradebook, or else the id."""
        return f"{self.result.first_name} {self.result.last_name}".strip() or self.result.student


@dataclass(frozen=True)
class ClassBook:
    """One assignment, and all students whom the gradebook knows."""

    course: str
    assignment: str
    due: datetime | None
    asked: tuple[Asked, ...]
    students: tuple[StudentBook, ...]

    @property
    def notebooks(self) -> tuple[str, ...]:
        """The names of the assignment's notebooks."""
        return tuple(dict.fromkeys(one.key[0] for one in self.asked))


def read_class(course: CourseFolder, assignment: str) -> ClassBook:
    """Return the class as the gradebook and the graded notebooks have it now.

    Raise `GradebookError` if there is no such assignment, if it has no graded cells, or if the
    gradebook cannot be used.
    """
    results = read_results(course, assignment)
    with opened(course) as gradebook:
        row = gradebook.find_assignment(assignment)
        asked = _asked(gradebook.db, row.id, _masters(course, assignment))
        handed_in = {one.student_id: one.timestamp for one in row.submissions}
        marks = _marks(gradebook.db, row.id)
        comments, untouched = _comments(gradebook.db, row.id)
        due = row.duedate
    if not asked:
        raise GradebookError(f"{assignment} has no graded cells; autograder grade enters them.")
    shows_hidden = Withhold(parent=course.app).show_hidden
    students = tuple(
        StudentBook(
            result,
            handed_in.get(result.student),
            marks[result.student],
            comments[result.student],
            frozenset(untouched[result.student]),
            read_kept(course.graded(result.student, assignment), shows_hidden),
        )
        for result in results
    )
    return ClassBook(course.course_id, assignment, due, asked, students)


def _asked(db: Any, assignment: str, masters: Mapping[Key, Mapping[str, Any]]) -> tuple[Asked, ...]:
    """Return the graded cells in the order of the masters; those in no master come last."""
    query = (
        select(BaseCell, Notebook.name)
        .join(Notebook, Notebook.id == BaseCell.notebook_id)
        .where(Notebook.assignment_id == assignment, BaseCell.type.in_(("GradeCell", "TaskCell")))
        .order_by(Notebook.name, BaseCell.name)
    )
    places = {key: place for place, key in enumerate(masters)}
    found = []
    for cell, notebook in db.execute(query):
        key = notebook, cell.name
        master = masters.get(key, {})
        is_answer = master.get("metadata", {}).get("nbgrader", {}).get("solution", False)
        is_by_hand = is_answer or cell.type == "TaskCell" or cell.cell_type != "code"
        idea = _idea(cell.name, master.get("source", ""))
        found.append(Asked(key, idea, float(cell.max_score), bool(is_by_hand)))
    return tuple(sorted(found, key=lambda one: places.get(one.key, len(places))))


def _idea(name: str, source: str) -> str:
    """Return the first line of a cell if it is a comment or a heading, else the cell's name.

    >>> _idea("no-chain", "# no-chain: a new tile rests.\\ncheck(1)")
    'a new tile rests.'
    """
    first = next((line.strip() for line in source.splitlines() if line.strip()), "")
    text = first.lstrip("#").strip() if first.startswith("#") else ""
    return text.removeprefix(f"{name}:").strip() or name


def _marks(db: Any, assignment: str) -> dict[str, dict[Key, Mark]]:
    """Return student → cell → mark."""
    found: dict[str, dict[Key, Mark]] = defaultdict(dict)
    query = _of_everybody(Grade, assignment).add_columns(Grade)
    for student, notebook, cell, grade in db.execute(query):
        mark = Mark(float(grade.score), bool(grade.needs_manual_grade), grade.extra_credit or 0.0)
        found[student][notebook, cell] = mark
    return found


def _comments(db: Any, assignment: str) -> tuple[dict[str, dict[Key, str]], dict[str, set[Key]]]:
    """Return student → cell → what a person wrote, and student → the untouched answers."""
    comments: dict[str, dict[Key, str]] = defaultdict(dict)
    untouched: dict[str, set[Key]] = defaultdict(set)
    query = _of_everybody(Comment, assignment).add_columns(Comment)
    for student, notebook, cell, comment in db.execute(query):
        if comment.manual_comment:
            comments[student][notebook, cell] = comment.manual_comment
        if comment.auto_comment == NO_RESPONSE:
            untouched[student].add((notebook, cell))
    return comments, untouched


def _of_everybody(kind: Any, assignment: str) -> Any:
    """Return a query for student, notebook and cell of all rows of a kind in an assignment."""
    return (
        select(SubmittedAssignment.student_id, Notebook.name, BaseCell.name)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(kind, kind.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, BaseCell.id == kind.cell_id)
        .where(SubmittedAssignment.assignment_id == assignment)
    )


def _masters(course: CourseFolder, assignment: str) -> dict[Key, dict[str, Any]]:
    """Return the masters' cells that nbgrader knows, in order, with the sources students have."""
    found = {}
    for path in sorted((course.source / assignment).glob("*.ipynb")):
        for cell in _cells(path):
            grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if grade_id:
                source = course.hidden.without_hidden("".join(cell["source"]))
                found[path.stem, grade_id] = {**cell, "source": source}
    return found


def _cells(path: Path) -> list[dict[str, Any]]:
    try:
        cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return cells
    except (OSError, ValueError, LookupError):  # the gradebook has all that is really needed
        return []
