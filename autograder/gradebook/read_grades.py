"""Reading the grades of an assignment from the gradebook: by student, and cell by cell."""

import csv
import io
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Comment, Grade, Student
from nbgrader.preprocessors import ClearSolutions
from sqlalchemy import select

from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.open_gradebook import GradebookError, NotEnteredError, is_there, opened
from autograder.gradebook.read_graded_notebook import Key, Notes, Withhold, read_notes
from autograder.gradebook.write_grades import NO_RESPONSE, NOTHING, rows_of, submitted_notebooks
from autograder.groups.group_names_file import Named, read_names
from autograder.notebook.safe_text import (
    WITHOUT_NAME,
    as_it_was,
    cell_title,
    is_by_chance,
    without_common_start,
)

COLUMNS = (
    *("student", "last_name", "first_name", "handed_in", "score", "max_score"),
    *("score_before_penalty", "late_penalty", "late_seconds"),
    *("points_waiting", "cells_by_hand", "unreadable", "seen"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True)
class Result:
    """One student's result; numbers are points, except `late_seconds` and the numbers of cells.

    `points_waiting` are the points of the cells that a person must still grade. `cells_by_hand` is
    the number of cells whose score a person entered. `cells_again` is how many of these cells were
    graded again since, so that the person must look again. `unreadable` is the reason if a notebook
    could not be read; if there are several, it names the notebook. If the student has no grade, but
    a file was found that is or may be theirs, `seen` says so. If `is_withdrawn` is true, the
    gradebook has the submission, but its folder is gone from `submitted/`. `is_due` is false before
    the due date.
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
    cells_again: int = 0
    unreadable: str = ""
    seen: str = ""
    is_withdrawn: bool = False
    is_due: bool = True

    @property
    def name(self) -> str:
        """The name of the student in the gradebook, or the id if there is no name."""
        return f"{self.first_name} {self.last_name}".strip() or self.student

    @property
    def is_missing(self) -> bool:
        """True if the student handed nothing in, and no file was found that may be theirs."""
        return not self.handed_in and not self.seen

    @property
    def score(self) -> float:
        """The score after the late penalty, as in nbgrader's own export."""
        return max(0.0, self.score_before_penalty - self.late_penalty)

    def as_json(self) -> dict[str, Any]:
        """Return a dictionary from the names in `COLUMNS` to the values of this result."""
        return {name: getattr(self, name) for name in COLUMNS}


def read_results(course: CourseFolder, assignment: str) -> list[Result]:
    """Return a result for each student in the gradebook, sorted by the students' ids."""
    if not is_there(course):
        raise NotEnteredError("There is no gradebook yet; autograder grade makes one.")
    seen = course.seen(assignment)
    there = {folder.student for folder in course.handed_in(assignment)}
    found: dict[str, dict[str, Any]] = {}  # student → fields of `Result`
    with opened(course) as gradebook:
        db, row = gradebook.db, gradebook.find_assignment(assignment)
        for submission, notebook, late, score in submitted_notebooks(db, row.id):
            sums = found.setdefault(submission.student_id, defaultdict(int, late_seconds=late))
            sums["score_before_penalty"] += score
            sums["late_penalty"] += (notebook and notebook.late_submission_penalty) or 0.0
        worths = {
            cell.id: cell.max_score
            for notebook in row.notebooks
            for cell in (*notebook.grade_cells, *notebook.task_cells)
        }
        by_persons = Grade.needs_manual_grade | Grade.manual_score.is_not(None)
        query = rows_of(Grade, row.id, Grade.cell_id, Grade.needs_manual_grade, Grade.manual_score)
        for student, _, _, cell, waits, by_hand in db.execute(query.where(by_persons)):
            is_given = by_hand is not None
            found[student]["points_waiting"] += worths[cell] if waits and not is_given else 0.0
            found[student]["cells_by_hand"] += is_given
            found[student]["cells_again"] += waits and is_given
        query = rows_of(Comment, row.id, Comment.auto_comment)
        query = query.where(Comment.auto_comment.startswith(NOTHING))
        reasons: dict[str, set[str]] = defaultdict(set)
        for student, notebook, _, said in db.execute(query):
            reason = as_it_was(said.removeprefix(NOTHING).removesuffix("."))
            before = f"{notebook}.ipynb: " if len(row.notebooks) > 1 else ""
            reasons[student].add(before + reason)
        for student, said in reasons.items():
            found[student]["unreadable"] = "; ".join(sorted(said))
        most = float(row.max_score)
        now = datetime.now(UTC).replace(tzinfo=None)  # nbgrader's dates have no zone, and are UTC
        is_due = row.duedate is None or row.duedate <= now
        names = db.execute(select(Student.id, Student.last_name, Student.first_name)).all()
    results = []
    for student, last_name, first_name in sorted(names, key=itemgetter(0)):
        if fields := found.get(student):
            place = course.submitted(student, assignment).path
            fields["is_withdrawn"] = student not in there and not os.path.lexists(place)
        name, known = (last_name or "", first_name or ""), fields or {"seen": seen.get(student, "")}
        results.append(Result(student, *name, fields is not None, most, is_due=is_due, **known))
    return results


def read_all(course: CourseFolder) -> dict[str, list[Result]]:
    """Return a dictionary from the assignments in the gradebook to their results.

    Raise `GradebookError` if there is no assignment.
    """
    names: list[str] = []
    if is_there(course):
        with opened(course) as gradebook:
            names = sorted(str(one.name) for one in gradebook.assignments)
    if not names:
        raise GradebookError("The gradebook has no assignment yet; autograder grade enters one.")
    return {name: read_results(course, name) for name in names}


@dataclass(frozen=True)
class GradedCell:
    """One graded cell; if `is_by_hand` is true, a person grades it.

    `idea` says in one line what the cell is about.
    """

    key: Key
    idea: str
    points: float
    is_by_hand: bool

    @property
    def name(self) -> str:
        """The name of the cell or, if the editor made that name up at random, the `idea`."""
        return self.idea if is_by_chance(self.key[1]) else self.key[1]


@dataclass(frozen=True)
class Mark:
    """A student's score for one graded cell; a person must still give it if `waits` is true.

    If `is_again` is true, a person gave the score, and the cell was graded again since.
    """

    score: float
    waits: bool = False
    is_again: bool = False


@dataclass(frozen=True)
class StudentGrades:
    """The grades of one student: the result, the mark for each cell, and the comments by a person.

    `untouched` are the answer cells in which the student wrote nothing: cell → its name on pages.
    """

    result: Result
    handed_in_at: datetime | None = None
    marks: Mapping[Key, Mark] = field(default_factory=dict)
    comments: Mapping[Key, str] = field(default_factory=dict)
    untouched: Mapping[Key, str] = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)


@dataclass(frozen=True)
class ClassGrades:
    """The grades of all students for one assignment; `asked` are the graded cells.

    Three dictionaries have cells of the masters, the instructor's notebooks, as keys.
    `answer_cells`: cell → the answer cell to which it belongs, that is, the cell itself or the last
    answer cell above it, else the first in the notebook. `called`: cell → its name on pages.
    `texts`: answer cell → what students read below the previous answer cell, down to this one.
    """

    course: str
    assignment: str
    due: datetime | None
    asked: tuple[GradedCell, ...]
    students: tuple[StudentGrades, ...]
    answer_cells: Mapping[Key, Key] = field(default_factory=dict)
    called: Mapping[Key, str] = field(default_factory=dict)
    texts: Mapping[Key, str] = field(default_factory=dict)

    @property
    def notebooks(self) -> tuple[str, ...]:
        """The names of the assignment's notebooks."""
        return tuple(dict.fromkeys(one.key[0] for one in self.asked))


def read_class(
    course: CourseFolder, assignment: str, names: Mapping[str, Named] | None = None
) -> ClassGrades:
    """Return the grades of a class, read from the gradebook and the graded notebooks.

    `names`, id of a group of wrong programs → its name, are used in addition to those in the course
    folder. Raise `GradebookError` if the assignment has no graded cells.
    """
    results = read_results(course, assignment)
    masters, texts = _masters(course, assignment)
    marks: dict[str, dict[Key, Mark]] = defaultdict(dict)
    comments: dict[str, dict[Key, str]] = defaultdict(dict)
    untouched: dict[str, dict[Key, str]] = defaultdict(dict)
    called = {key: cell_title(key[1], source) for key, (source, _) in masters.items()}
    with opened(course) as gradebook:
        row = gradebook.find_assignment(assignment)
        asked = _asked(row, masters)
        handed_in = {one.student_id: one.timestamp for one in row.submissions}
        due = row.duedate
        noted = Grade.score, Grade.needs_manual_grade, Grade.manual_score
        for student, notebook, cell, score, looks, by_hand in gradebook.db.execute(
            rows_of(Grade, row.id, *noted)
        ):
            waits, is_again = looks and by_hand is None, looks and by_hand is not None
            marks[student][notebook, cell] = Mark(float(score), waits, is_again)
        said = Comment.manual_comment, Comment.auto_comment
        rows = gradebook.db.execute(rows_of(Comment, row.id, *said))
        for student, notebook, cell, manual, auto in rows:
            if manual:
                comments[student][notebook, cell] = manual
            if auto == NO_RESPONSE:
                untouched[student][notebook, cell] = called.get((notebook, cell), cell)
    if not asked:
        raise GradebookError(f"{assignment} has no graded cells; autograder grade enters them.")
    shows_hidden = Withhold(parent=course.app).show_hidden
    named = {**read_names(course.root).get(assignment, {}), **(names or {})}
    students = []
    for result in results:
        who, notes = result.student, Notes()
        if result.handed_in:  # a withdrawn submission may still have graded notebooks
            notes = read_notes(course.graded(who, assignment), named, shows_hidden)
        marked = marks[who], comments[who], untouched[who]
        students.append(StudentGrades(result, handed_in.get(who), *marked, notes))
    answers = [key for key, (_, its) in masters.items() if its.get("solution") or its.get("task")]
    last = {key[0]: key for key in reversed(answers)}
    answer_cells = {}
    for key in masters:
        last |= {key[0]: key} if key in answers else {}
        if key[0] in last:
            answer_cells[key] = last[key[0]]
    about = course.course_id, assignment, due
    return ClassGrades(*about, asked, tuple(students), answer_cells, called, texts)


def _masters(
    course: CourseFolder, assignment: str
) -> tuple[dict[Key, tuple[str, dict[str, Any]]], dict[Key, str]]:
    """Return two dictionaries of cells of the masters, in the notebooks' order.

    The first is: cell → the source that students get, and nbgrader's metadata. The second is as
    `ClassGrades.texts`, without tests.
    """
    found, texts, clearing = {}, {}, ClearSolutions(parent=course.app)
    for path in sorted(course.masters(assignment).glob("*.ipynb")):
        # unreadable masters are left out: the gradebook has all that is really needed
        with suppress(OSError, ValueError, LookupError, RuntimeError):
            text: list[str] = []
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
                marks = cell["metadata"].get("nbgrader", {})
                is_answer = marks.get("solution") or marks.get("task")
                source = "".join(cell["source"])
                if grade_id := marks.get("grade_id"):
                    given = NotebookNode({**cell, "source": source})  # type: ignore[no-untyped-call]
                    if marks.get("solution"):
                        stubs = clearing.code_stub["python"], clearing.text_stub
                        clearing.preprocess_cell(given, {"language": "python"}, 0)
                        given.source = "" if given.source in stubs else given.source
                    source = course.hidden.without_hidden(given.source)
                    found[path.stem, grade_id] = source, marks
                if is_answer or not marks.get("grade"):
                    text.append(source)
                if is_answer and grade_id:
                    texts[path.stem, grade_id], text = "\n\n".join(text), []
    for notebook in {notebook for notebook, _ in found}:
        here = {key: source for key, (source, _) in found.items() if key[0] == notebook}
        for key, source in without_common_start(here).items():
            found[key] = source, found[key][1]
    return found, texts


def _asked(
    assignment: Any, masters: Mapping[Key, tuple[str, Mapping[str, Any]]]
) -> tuple[GradedCell, ...]:
    """Return the graded cells in the order of `masters`; cells that are not in it come last."""
    places = {key: place for place, key in enumerate(masters)}
    found = []
    for notebook in assignment.notebooks:
        for cell in (*notebook.grade_cells, *notebook.task_cells):
            source, marks = masters.get((notebook.name, cell.name), ("", {}))
            is_by_hand = marks.get("solution") or cell.type == "TaskCell"
            is_by_hand = bool(is_by_hand or cell.cell_type != "code")
            key = notebook.name, cell.name
            idea = idea_of(cell.name, source)
            if is_by_hand and idea == WITHOUT_NAME:
                idea = "Written answer"
            found.append(GradedCell(key, idea, float(cell.max_score), is_by_hand))
    return tuple(sorted(found, key=lambda one: (places.get(one.key, len(places)), one.key)))


def idea_of(name: str, source: str) -> str:
    """Return the comment or heading in a cell's first line, without the cell's `name`.

    If there is none, return the title of the cell.

    >>> idea_of("no-chain", "# no-chain: a new tile rests.\\ncheck(1)")
    'a new tile rests.'
    """
    first = next((line.strip() for line in source.splitlines() if line.strip()), "")
    text = first.lstrip("#").strip() if first.startswith("#") else ""
    return text.removeprefix(f"{name}:").strip() or cell_title(name, source)


def as_csv(results: Iterable[Result]) -> str:
    """Return the results as CSV text that is safe to open in a spreadsheet (see `as_rows`).

    >>> print(as_csv([Result("=cmd", "", "", False, 12.0)]).splitlines()[1])
    '=cmd,,,no,0.0,12.0,0.0,0.0,0.0,0.0,0,,
    """
    return as_rows([COLUMNS, *(result.as_json().values() for result in results)])


def as_rows(rows: Iterable[Iterable[Any]]) -> str:
    """Return CSV text, with `'` before each value that a spreadsheet would run as a formula."""

    def shown(value: Any) -> Any:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value

    text = io.StringIO()
    csv.writer(text).writerows([shown(value) for value in row] for row in rows)
    return text.getvalue()
