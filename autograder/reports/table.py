"""The class as a table for a spreadsheet: a row for each student, a column for each check."""

from typing import Any

from autograder.gradebook.classbook import ClassBook, StudentBook
from autograder.gradebook.results import COLUMNS, as_rows
from autograder.reports.causes import causes_of

_MORE = ("mistakes", "problems", "seconds")


def as_table(book: ClassBook) -> str:
    """Return the results, the points of each check, and what was found; no name is a formula."""
    checks = [
        " / ".join(asked.key) if len(book.notebooks) > 1 else asked.key[1] for asked in book.asked
    ]
    return as_rows([(*COLUMNS, *checks, *_MORE), *(_row(book, one) for one in book.students)])


def _row(book: ClassBook, one: StudentBook) -> list[Any]:
    scores = [one.marks[asked.key].score if asked.key in one.marks else "" for asked in book.asked]
    seconds = "" if one.kept.seconds is None else one.kept.seconds
    found = ["; ".join(causes_of(one)), "; ".join(one.kept.problems), seconds]
    return [*one.result.as_json().values(), *scores, *found]
