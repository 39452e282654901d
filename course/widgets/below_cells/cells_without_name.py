"""Cells that have run, but have not defined the name of their exercise."""

import inspect
import re
import textwrap
from difflib import get_close_matches

from course import rules
from course.checks.failed import DEFINED
from course.lessons import cell_of, definition
from course.mine.source_statements import Block
from course.plain_errors import MISSING, place_of, said_by
from course.widgets.below_cells.syntax_advice import syntax_advice

COMPARED = re.compile(r"^[ \t]*+[\w.\[\]]++ *==", re.MULTILINE)
TYPED = re.compile(r"^\w++(?=[ \t]*+:[^=\n]*+$)", re.MULTILINE)
STUB = "raise NotImplementedError"

COMPARES = "A line in it begins with a name and ==, which only compares: one = gives a value."
STOPPED = "The cell of {name} stops with an error, so what is new in it does not count yet. {error}"
NO_FUNCTION = (
    "The cell of {name} does not define {name}. It needs a line that begins with {word} {name}."
)
NO_VALUE = (
    "The cell of {name} does not give it a value. Write {name} = and the value behind it, with one "
    "sign: == only compares, a : gives no value, def makes a function, print only shows, and a "
    "line that begins with # does nothing."
)
MISSPELT = "What the cell of {name} defines is called {like}. Is that misspelt?"


# The last run of each cell, by its id: its text, and its error in words; "" if it had no error.
_runs: dict[str, tuple[str, str]] = {}


def note_last_run(cell: str, source: str, error: BaseException | None) -> None:
    """Note that the cell with the id `cell` has run, with an error or without one."""
    _runs[cell] = textwrap.dedent(source), "" if error is None else _in_words(error)


def lack_of(name: str, is_known: bool) -> str:
    """Return the reason why the last run of the cell of an exercise has not defined its `name`.

    `is_known` is true if the notebook knows the name, perhaps from an earlier run. Return "" if the
    name is defined, or if nothing is written in the cell yet.
    """
    source, trouble = _runs.get(cell_of(name), (STUB, ""))
    lines = list(filter(None, map(str.strip, source.splitlines())))
    is_stub = any(line.startswith(STUB) for line in lines)
    if is_stub and all(line.startswith(("#", STUB)) for line in lines):
        return ""
    piece = getattr(rules, name, None)
    lacking = NO_VALUE if piece is None and "." not in name else NO_FUNCTION
    word = "class" if isinstance(piece, type) else "def"
    try:
        defined = Block(source).names - {*TYPED.findall(source)}  # as in `winning_tile: 2048`
    except SyntaxError:
        defined = set(DEFINED.findall(source))
    is_asked = f"name {name!r} is not defined" in trouble and name not in defined
    if trouble and not is_asked:
        more = f" {COMPARES}" if COMPARED.search(source) else ""
        return STOPPED.format(name=name, error=trouble) + more
    of, _, own = name.rpartition(".")
    if lacking == NO_VALUE and name in DEFINED.findall(source):
        return NO_VALUE.format(name=name)
    if own in defined or of in defined or (name in source if of else is_known):
        return ""
    like = get_close_matches(own, defined, 1, 0.75)
    return MISSPELT.format(name=name, like=like[0]) if like else lacking.format(name=own, word=word)


def lost_def(cell: str, source: str, error: BaseException | None) -> str:
    """Return advice if a cell fails because the `def` line of its function is missing; else ""."""
    name = error.name if isinstance(error, NameError) else None
    piece = getattr(rules, cell, None)
    is_lost = inspect.isfunction(piece) and name in inspect.signature(piece).parameters
    is_lost = is_lost and not definition(cell).search(source)
    return NO_FUNCTION.format(name=cell, word="def") if is_lost else ""


def _in_words(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        number, code = error.lineno, (error.text or "").strip()
        said = f"{error.msg}. {syntax_advice(error)}".strip()
    else:
        place = place_of(error)
        number, code = (place.number, place.code) if place else (None, "")
        said = f"{type(error).__name__}: {said_by(error) or MISSING}"
    return f"In line {number} ({code}): {said}" if code else said
