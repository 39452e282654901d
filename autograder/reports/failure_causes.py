"""Functions that take a failed check's message apart, and say in short why points were lost."""

import ast
import re
from contextlib import suppress
from dataclasses import dataclass

from markupsafe import Markup

from autograder.course_adapter import FACT_LABELS, drawn, is_lesson
from autograder.gradebook.read_graded_notebook import Key, Remark
from autograder.gradebook.read_grades import StudentGrades
from autograder.notebook.safe_text import WITHOUT_NAME

_LONGEST = 4000  # characters of a message that a page shows
_ERROR = re.compile(r"^(?:  got +)?(\w*(?:Error|Exception|Interrupt|Exit)\b.*)$", re.M)
_LONGEST_ERROR = 140  # characters of an error
_PASSED = ("", "passed", "manual")
_STOPPED = re.compile(r"its cell stopped with (.+)")
_UNKNOWN = re.compile(r"NameError: name '(\w+)' is not defined")
_LACKING = re.compile(r"^ *(?:this )?(\w+) has no (\w+)(?: yet)?\.", re.MULTILINE)
_UNWRITTEN = "NotImplementedError: the line raise NotImplementedError() is still there"
_ATTRIBUTE = re.compile(r"(has no attribute )'[^']*'(?:\. Did you mean: .*\?)?")
_LINE = re.compile(r", line \d+(?=\)$)| \(line \d+\)$")
# Causes that stand for many different mistakes.
UNNAMED = ("Wrong answers that have no name yet", "Only a hidden test fails")
_FACTS = tuple(f"  {label} " for label in FACT_LABELS)


@dataclass(frozen=True)
class Said:
    """The parts of a check's message: the call, a picture of the values, and the rest of the text.

    If there is no picture, the whole message is in `text`.
    """

    call: str = ""
    picture: Markup = Markup()  # noqa: RUF009 — an empty text
    text: str = ""


def take_apart(message: str, assignment: str) -> Said:
    r"""Return the parts of a message without the hint. Only a lesson of this course gets a picture.

    >>> take_apart("merge([2])\n  expected  [2]\n  got       [4]\nHint: no.", "essay").text
    'merge([2])\n  expected  [2]\n  got       [4]'
    """
    lines = [line for line in message.splitlines() if not line.startswith("Hint: ")]
    whole = "\n".join(lines)
    begin = next((n for n, line in enumerate(lines) if line.startswith(_FACTS)), len(lines))
    call = "\n".join(line for line in lines[:begin] if not line.startswith("  "))
    arguments = []  # the positional ones that are plain values
    unreadable = (ValueError, TypeError, MemoryError, RecursionError)
    with suppress(SyntaxError, *unreadable):
        tree = ast.parse(call, mode="eval").body
        for argument in tree.args if isinstance(tree, ast.Call) else ():
            with suppress(*unreadable):
                arguments.append(ast.literal_eval(argument))
    picture = drawn(whole, call, arguments) if is_lesson(assignment) else ""
    if not picture or len(whole) > _LONGEST:
        return Said(text=whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]} …")
    known = call.splitlines()
    rest = [line for line in lines if line not in known and not line.startswith(_FACTS)]
    return Said(call, Markup(picture), "\n".join(line.strip() for line in rest))


def error_in(message: str) -> str:
    r"""Return the first Python error in a message: its type and its text; "" if there is none.

    >>> error_in("merge([2])\n  got       ZeroDivisionError: division by zero")
    'ZeroDivisionError: division by zero'
    """
    found = _ERROR.search(message)
    return found[1] if found else ""


def causes_of(student: StudentGrades) -> tuple[str, ...]:
    """Return the reasons why a student lost points, each reason once."""
    return (*student.notes.unreadable.values(), *where_lost(student))


def where_lost(student: StudentGrades) -> dict[str, Key]:
    """Return a dictionary: reason why a student lost points → the first cell in which it shows."""
    found: dict[str, Key] = {}
    if student.untouched:
        names = (called for _, called in sorted(student.untouched.items()))
        cells = ", ".join(one if one == WITHOUT_NAME else f"`{one}`" for one in names)
        found[f"Nothing was written in {cells}"] = min(student.untouched)
    places = {name for key, called in student.untouched.items() for name in (key[1], f'"{called}"')}
    for key, remark in student.notes.remarks.items():
        is_unwritten = any(f"({place}, line " in remark.told for place in places)
        is_read = key[0] not in student.notes.unreadable
        if is_read and not is_unwritten and (cause := cause_of(remark)):
            found.setdefault(cause, key)
    return found


def kind_of(cause: str) -> str:
    """Return a cause without attribute names and line numbers, in which equal mistakes may differ.

    >>> kind_of("AttributeError: 'Game' object has no attribute '_board' (move, line 3)")
    "AttributeError: 'Game' object has no attribute … (move)"
    """
    return _LINE.sub("", _ATTRIBUTE.sub(r"\1…", cause))


def cause_of(remark: Remark) -> str:
    """Return in a few words why a check failed; "" if it passed, or if the answer is not written.

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
    return _short(error_in(told)) or UNNAMED[0 if told else 1]


def _short(error: str) -> str:
    return error if len(error) <= _LONGEST_ERROR else f"{error[:_LONGEST_ERROR]} …"
