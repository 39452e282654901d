"""Help with errors that many learners meet: advice on what to do, and shorter tracebacks."""

import builtins
import re
from pathlib import Path
from types import TracebackType
from typing import Any

from course import HOMES
from course.lessons import built_before, cell_of, definition, lessons
from course.plain_errors import name_like
from course.widgets.below_cells.cells_without_name import lack_of
from course.widgets.below_cells.syntax_advice import syntax_advice
from course.widgets.static_html import with_code

FIRST_CELL = "Run the first code cell of this notebook, the one with: from course import …"
STUB = (
    "Python has stopped at the line `raise NotImplementedError()`. Your code takes its place: take "
    "that line away."
)
WITHOUT_END = "Your code calls itself again and again, and never stops."
PRINTED = re.compile(r"'(\w+)' is an invalid keyword argument for print")
IN_PRINT = (
    "`print` only shows a value. To give {0} a value, write `{0} =` and the value on a line of its "
    "own."
)
TAKEN = re.compile(
    r"^(?:(?:def|class) +|(?=\w+ *=[^=]))(check|hint|keep|play|watch|predict|progress)\b",
    re.MULTILINE,
)
SHOWN = 6  # calls of an endless recursion that a traceback shows; all others are like them


def advice_html(text: str) -> str:
    """Return advice as HTML; the parts of `text` between backticks become code."""
    return f'<p style="margin:4px 8px"><strong>{with_code(text)}</strong></p>'


def advice(error: BaseException | None, lesson: str = "") -> str:
    """Return advice on an error in a cell of `lesson`, by default the lesson of this folder.

    >>> advice(NameError("name 'check' is not defined", name="check"))
    'The notebook does not know check yet. Run the first code cell of this notebook, the one with: \
from course import … Then run this cell again.'
    >>> advice(NameError("name 'merge' is not defined", name="merge"), "1-merge-a-line")
    'The notebook does not know merge yet. Write it in its own cell, and run that cell. Then run \
this cell again.'
    >>> advice(NameError("name 'tlie' is not defined", name="tlie")), advice(None)
    ('', '')
    """
    if isinstance(error, RecursionError):
        return WITHOUT_END
    if isinstance(error, SyntaxError):
        return syntax_advice(error)
    if isinstance(error, NotImplementedError) and not str(error):
        return STUB
    printed = PRINTED.search(str(error)) if isinstance(error, TypeError) else None
    if printed is not None:
        return IN_PRINT.format(printed[1])
    name = (error.name if isinstance(error, NameError) else None) or ""
    here = next((each for each in lessons() if each.id == (lesson or Path.cwd().name)), None)
    what = ""  # how to define the name in this lesson's notebook
    if name in HOMES or (here is not None and name in built_before(here.id)):
        what = FIRST_CELL
    elif here is not None and name in [exercise.name for exercise in here.exercises]:
        what = lack_of(name, is_known=False) or "Write it in its own cell, and run that cell."
    like = "" if error is None else name_like(error)
    pieces = {exercise.name for entry in lessons() for exercise in entry.exercises}
    if like and not (what and (like in HOMES or like in pieces or hasattr(builtins, like))):
        return (
            f"The notebook does not know {name}, but it knows {like}. Is one of the two misspelt?"
        )
    if not what:
        return ""
    return f"The notebook does not know {name} yet. {what} Then run this cell again."


def not_added(source: str, cell: str) -> str:
    """Return advice if a cell has defined a method of a class, but not as a part of the class.

    >>> not_added("@property\\ndef is_high(self):\\n    return True", "Score-is_high")
    'This is not yet a part of Score: @add_to(Score) has to be the first line. Put it there. Run \
this cell again.'
    >>> not_added("@add_to(Score)\\ndef is_high(self):\\n    return True", "Score-is_high")
    ''
    """
    every = [exercise.name for entry in lessons() for exercise in entry.exercises]
    name = next((each for each in every if "." in each and cell_of(each) == cell), "")
    of, _, method = name.partition(".")
    if not name or definition(cell).search(source):
        return ""
    if not re.search(rf"^def +{re.escape(method)}\b", source, re.MULTILINE):
        return ""
    lost = any(method in entry.builds for entry in lessons())
    back = f" Run the first code cell, which brings the function {method} back." if lost else ""
    return (
        f"This is not yet a part of {of}: @add_to({of}) has to be the first line. "
        f"Put it there.{back} Run this cell again."
    )


def taken(source: str) -> str:
    """Return advice if a cell gives another meaning to a name of the course.

    >>> taken("def check(line):\\n    return line == []")
    "`check` is the name of a function of the course, and cells of this notebook need it. Give \
yours another name. Then run the first code cell, which brings the course's `check` back."
    >>> taken("hint = 3") == "", taken("check(merge, [2], gives=[2])"), taken("if play == 3: 0")
    (False, '', '')
    """
    found = TAKEN.search(source)
    if found is None:
        return ""
    return (
        f"`{found[1]}` is the name of a function of the course, and cells of this notebook need "
        "it. Give yours another name. Then run the first code cell, which brings the course's "
        f"`{found[1]}` back."
    )


def cut_recursion(shell: Any) -> None:
    """Show only the first calls of an endless recursion, unless the shell has handlers already."""
    if not shell.custom_exceptions:
        shell.set_custom_exc((RecursionError,), _show_cut)


def _show_cut(
    shell: Any, kind: type, error: RecursionError, calls: TracebackType, tb_offset: Any = None
) -> None:
    every = [calls]
    while (following := every[-1].tb_next) is not None:
        every.append(following)
    hidden = len(every) - SHOWN - 1
    if hidden > 0:
        every[SHOWN].tb_next = None
        error.add_note(f"{hidden} more calls are not shown: the same lines run again and again.")
    shell.showtraceback((kind, error, calls), tb_offset=tb_offset)
