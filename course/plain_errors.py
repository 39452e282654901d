"""Errors in plain words: a notebook shows a sentence, and no traceback of the course's files.

A sentence has the message, the line of the learner's code, and the name that was perhaps meant.
"""

import ast
import builtins
import linecache
import sys
from codeop import PyCF_ALLOW_INCOMPLETE_INPUT  # type: ignore[attr-defined]
from collections.abc import Callable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import wraps
from traceback import walk_tb
from types import TracebackType
from typing import Any, NamedTuple, ParamSpec, TypeVar

from course.function_calls import NoAnswer

P = ParamSpec("P")
T = TypeVar("T")

ENDLESS = "It had not answered yet. Does one of its loops never end?"
MISSING = "the line raise NotImplementedError() is still there. Your code takes its place"


def plainly(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function that learners call: a notebook then shows its errors as sentences.

    An error that has a method `_render_traceback_`, as `Refusal` has, is shown in its own way.
    """

    @wraps(function)
    def asked(*arguments: P.args, **options: P.kwargs) -> T:
        try:
            return function(*arguments, **options)
        except (Exception, KeyboardInterrupt) as error:
            if not hasattr(error, "_render_traceback_"):
                lines = told(error)
                with suppress(Exception):  # a learner's error may refuse to be changed
                    error._render_traceback_ = lambda: lines  # type: ignore[union-attr]
            raise

    return asked


def ipython_shell() -> Any:
    """Return the shell of IPython that runs the learner's cells; `None` outside of IPython."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def say_what_is_missing(shell: Any) -> None:
    """Make IPython show Python's own message for an unfinished cell, not "incomplete input"."""
    shell.compile.flags &= ~PyCF_ALLOW_INCOMPLETE_INPUT


def told(error: BaseException) -> list[str]:
    """Return lines on an error: a sentence and, if it is known, the learner's line it comes from.

    >>> told(KeyboardInterrupt()), told(TypeError("tally() needs a function"))
    (['Stopped.'], ['TypeError: tally() needs a function'])
    """
    place = place_of(error)
    is_stopped = isinstance(error, KeyboardInterrupt | NoAnswer)
    if place is None:
        said = "Stopped." if is_stopped else error_text(error)
    elif is_stopped:
        said = (
            f"Your {_name(error)} was stopped. {ENDLESS}\n    in line {place.number}: {place.code}"
        )
    else:
        said = f"Your {_name(error)} raised an error. {error_text(error)}"
    return said.splitlines()


def _name(error: BaseException) -> str:
    """Return the name of the first function of the learner's in a traceback, or "code"."""
    for frame, _ in walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__") == "__main__":
            return frame.f_code.co_name if frame.f_code.co_name.isidentifier() else "code"
    return "code"


class CodeLine(NamedTuple):
    """A line of a learner's program: its number in the cell or file, its function, and its text.

    An error may arise in a function whose cell is not the cell in which the learner's code began.
    Then `is_elsewhere` is true, and `caller` is the line of the first cell that led to the call. If
    the error is about an index that a list does not have, `reach` says which index is the last.
    """

    number: int
    function: str
    code: str
    is_elsewhere: bool = False
    caller: str = ""
    reach: str = ""


def error_text(error: BaseException) -> str:
    """Return an error in words, with the line of the learner's code it comes from, if there is one.

    >>> error_text(ValueError("the board is full"))
    'ValueError: the board is full'
    """
    try:
        message = said_by(error)
    except Exception:  # a learner's own error whose text cannot even be made
        return type(error).__name__
    if not message and isinstance(error, NotImplementedError):
        message = MISSING
    place = place_of(error)
    where = ""
    if place and place.code:
        of = f" of {place.function}" if place.is_elsewhere else ""
        where = f"\n            in line {place.number}{of}: {place.code}"
        where += f"\n            called in {place.caller}" if place.caller else ""
        where += f"\n            there, {place.reach}" if place.reach else ""
    return type(error).__name__ + (f": {message}" if message else "") + where


def said_by(error: BaseException) -> str:
    """Return the message of an error; if it is about an unknown name, add a similar known name.

    >>> said_by(AttributeError("no attribute 'appendd'", name="appendd", obj=[]))
    "no attribute 'appendd'. Did you mean 'append'?"
    """
    like = name_like(error)
    return f"{error}. Did you mean {like!r}?" if like else str(error)


def name_like(error: BaseException) -> str:
    """Return the known name that is most similar to the unknown name in an error, or else `""`."""
    name, known = getattr(error, "name", None), set[str]()
    if isinstance(error, AttributeError) and not hasattr(type(error.obj), "__take_steps__"):
        with suppress(Exception):  # a learner's class may refuse to be looked at
            known = {*dir(error.obj)}
    elif isinstance(error, NameError) and error.__traceback__ is not None:
        *_, (frame, _) = walk_tb(error.__traceback__)
        known = {*frame.f_locals, *frame.f_globals, *dir(builtins)} - {"slice"}  # too like `slide`
    own = [each for each in known - {name} if each.startswith("_") == str(name).startswith("_")]
    same = [each for each in own if each.lower() == str(name).lower()]  # for `Len`, `TRUE`
    like = same or get_close_matches(str(name), sorted(own), 1, 0.75)
    return like[0] if name and like else ""


def place_of(error: BaseException, source: str | None = None) -> CodeLine | None:
    """Return the innermost line of an error's traceback that is in a cell or in the file `source`.

    In an endless recursion, that is the line that calls a function for the second time. Return
    `None` if no line of the traceback is in a cell or in `source`.
    """
    place, entry, first, caller = None, error.__traceback__, "", ""
    called = set()
    while entry is not None:
        code = entry.tb_frame.f_code
        if isinstance(error, RecursionError) and place is not None and code in called:
            break
        called.add(code)
        if code.co_filename == source or entry.tb_frame.f_globals.get("__name__") == "__main__":
            text = linecache.getline(code.co_filename, entry.tb_lineno).strip()
            first = first or code.co_filename
            is_elsewhere = code.co_filename != first and code.co_name.isidentifier()
            caller = caller if is_elsewhere or not text else f"line {entry.tb_lineno}: {text}"
            at = entry.tb_lineno, code.co_name, text
            reach = _reach(error, entry) if entry.tb_next is None else ""
            place = CodeLine(*at, is_elsewhere, caller if is_elsewhere else "", reach)
        entry = entry.tb_next
    return place


def _reach(error: BaseException, entry: TracebackType) -> str:
    """Return a text on the last index of a list, if an error is about an index outside of the list.

    For any other error, return `""`. The line at `entry` in the traceback is not run again: its
    names are looked up, and its sums computed.
    """
    frame = entry.tb_frame
    line, end, left, right = list(frame.f_code.co_positions())[entry.tb_lasti // 2]
    text = linecache.getline(frame.f_code.co_filename, line or 0).encode()[left:right].decode()
    try:
        node = ast.parse(text if isinstance(error, IndexError) and line == end else "", mode="eval")
        part: Any = node.body
        row, index = (_value(each, frame.f_locals) for each in (part.value, part.slice))
    except (SyntaxError, LookupError, AttributeError, TypeError, ValueError):
        return ""
    if type(row) not in (list, tuple) or type(index) is not int or -len(row) <= index < len(row):
        return ""
    named, where = ast.unparse(part.value), ast.unparse(part.slice)
    last = f"the last index of {named} is {len(row) - 1}" if row else f"{named} is empty"
    return last + (f", and {where} is {index}" if where != str(index) else "")


def _value(node: Any, names: Mapping[str, Any]) -> Any:
    """Return the value of a name, item, number or sum; raise `LookupError` for anything else."""
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return names[name]
        case ast.Subscript(value=row, slice=index) if type(_value(row, names)) in (list, tuple):
            return _value(row, names)[_value(index, names)]
        case ast.UnaryOp(op=ast.USub(), operand=one):
            return -_value(one, names)
        case ast.BinOp(left=one, op=ast.Add() | ast.Sub() as sign, right=other):
            more = _value(other, names)
            return _value(one, names) + (more if isinstance(sign, ast.Add) else -more)
    raise LookupError(node)
