"""Making the pages of an assignment: read the records, lay them out, put them where they belong."""

from dataclasses import dataclass
from pathlib import Path

from autograder.records.classbook import read_class
from autograder.records.folder import CourseFolder
from autograder.records.pages import put_page
from autograder.reports.feedback import feedback_page
from autograder.trouble import Trouble


@dataclass(frozen=True)
class Made:
    """The pages of an assignment, and whose points still wait for a person."""

    pages: tuple[Path, ...]
    waiting: tuple[str, ...]


def make_feedback(course: CourseFolder, assignment: str, student: str | None = None) -> Made:
    """Makes a page for everybody who was graded, or for one student.

    Raises `Trouble` if there is nobody.
    """
    book = read_class(course, assignment)
    graded = [
        one
        for one in book.students
        if student in (None, one.result.student)
        and course.graded(one.result.student, assignment).is_dir()
    ]
    if not graded:
        who = f" of {student}" if student else ""
        raise Trouble(f"nothing{who} was graded; autograder grade {assignment} comes first")
    pages = [
        put_page(
            course, one.result.student, assignment, notebook, feedback_page(book, one, notebook)
        )
        for one in graded
        for notebook in book.notebooks
    ]
    waiting = tuple(one.result.student for one in graded if one.result.points_waiting)
    return Made(tuple(pages), waiting)
