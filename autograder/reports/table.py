"""The class as a table for a spreadsheet: a row for each student, a column for each check."""

from typing import Any

from autograder.gradebook.grades import COLUMNS, ClassGrades, StudentGrades, as_rows
from autograder.reports.causes import causes_of

_MORE = ("mistakes", "problems", "seconds")


def as_table(book: ClassGrades) -> str:
    """Return the results, the points of each check, and what was found; no name is a formula."""
    checks = [
        " / ".join(asked.key) if len(book.notebooks) > 1 else asked.key[1] for asked in book.asked
    ]
    return as_rows([(*COLUMNS, *checks, *_MORE), *(_row(book, one) for one in book.students)])


def _row(book: ClassGrades, one: StudentGrades) -> list[Any]:
    scores = [one.marks[asked.key].score if asked.key in one.marks else "" for asked in book.asked]
    seconds = "" if one.notes.seconds is None else one.notes.seconds
    found = ["; ".join(causes_of(one)), "; ".join(one.notes.problems), seconds]
    return [*one.result.as_json().values(), *scores, *found]
