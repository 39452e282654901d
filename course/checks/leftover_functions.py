"""Functions from an earlier run of a cell: if the cell fails now, they are still there."""

import linecache
import re
from collections.abc import Callable
from typing import Any, NamedTuple

DEFINED = re.compile(r"^(?:def|class) +(\w+)", re.MULTILINE)


class Failed(NamedTuple):
    """A cell whose last run failed: its id and its text."""

    cell: str
    source: str


_failed: dict[str, Failed] = {}  # the failed cell, by each name that it was to define


def note_run(cell: str, source: str, is_done: bool) -> None:
    """Note that the cell with the id `cell` has run; `is_done` is true if it ran without error."""
    for name in [name for name, failed in _failed.items() if failed.cell == cell]:
        del _failed[name]
    for name in DEFINED.findall(source):
        _failed.pop(name, None)
        if not is_done:
            _failed[name] = Failed(cell, source)


def from_before(function: Callable[..., Any] | None) -> str:
    """Return a sentence if a function is older than its cell, whose last run failed; else `""`."""
    name = getattr(function, "__name__", "")
    failed = _failed.get(name)
    if failed is None or _text_of(function).strip() == failed.source.strip():
        return ""
    return f"Your last change has an error, so this is still your {name} from before."


def _text_of(piece: Any) -> str:
    """Return the text of the cell that defined a function or class, or `""` if it is not known."""
    members = vars(piece).values() if isinstance(piece, type) else [piece]
    codes = [code for each in members if (code := getattr(each, "__code__", None)) is not None]
    return "".join(linecache.getlines(codes[0].co_filename)) if codes else ""
