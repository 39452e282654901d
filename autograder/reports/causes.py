"""Functions that find why points were lost: a known mistake, or what the check's message says."""

import re

from autograder.gradebook.grading_metadata import Remark
from autograder.gradebook.read_grades import StudentGrades
from autograder.reports.failure_messages import error_in

_LONGEST = 140  # characters of an error
_PASSED = ("", "passed", "manual")
_STOPPED = re.compile(r"its cell stopped with (.+)")
_UNKNOWN = re.compile(r"NameError: name '(\w+)' is not defined")
_LACKING = re.compile(r"^ *(?:this )?(\w+) has no (\w+)(?: yet)?\.", re.MULTILINE)
_UNWRITTEN = "NotImplementedError: the line raise NotImplementedError() is still there"


def causes_of(student: StudentGrades) -> tuple[str, ...]:
    """Return the reasons why a student lost points, each reason once."""
    if not student.notes.is_readable:
        return tuple(student.notes.problems[:1])
    found = [cause_of(remark) for remark in student.notes.remarks.values()]
    if student.untouched:
        cells = ", ".join(f"`{cell}`" for _, cell in sorted(student.untouched))
        found.insert(0, f"Nothing was written in {cells}")
    return tuple(dict.fromkeys(filter(None, found)))


def cause_of(remark: Remark) -> str:
    """Return in a few words why one check failed.

    The text is empty if the check passed, if a person grades the cell, or if the student wrote no
    answer.

    >>> cause_of(Remark("error", told="NameError: name 'merge' is not defined"))
    'There is no `merge`; it may have another name'
    """
    told = remark.told
    if remark.outcome in _PASSED or _UNWRITTEN in told:
        return ""
    if remark.mistake:
        return remark.mistake
    if stopped := _STOPPED.search(told):
        return f"The cell stops: {_short(stopped[1])}"
    if lacking := _UNKNOWN.search(told) or _LACKING.search(told):
        return f"There is no `{'.'.join(lacking.groups())}`; it may have another name"
    if remark.outcome == "timeout":
        return "It does not come back in time"
    if remark.outcome == "crashed":
        return "It ends the process that it runs in"
    unnamed = "Wrong answers that have no name yet" if told else "Only a hidden test fails"
    return _short(error_in(told)) or unnamed


def _short(error: str) -> str:
    return error if len(error) <= _LONGEST else f"{error[:_LONGEST]} …"
