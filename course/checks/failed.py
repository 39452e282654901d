"""The error that a check raises if it fails, and notes on the cells whose last run failed.

If the last run of a cell failed, Python still has the function that an earlier run of this cell
defined. The notes serve to tell the learner that a check has tested this older function.
"""

import linecache
import re
from collections.abc import Callable
from typing import Any, ClassVar

from course.hints import Diagnosis

DEFINED = re.compile(r"^(?:def|class) +(\w+)", re.MULTILINE)
HINT = "\nHint: "  # stands in a message between what went wrong and the hint


class CheckFailed(AssertionError):  # noqa: N818 — learners read this name
    """The error that says that a check failed; `str()` of it gives the whole message.

    Attributes: `call` (the call as text), `expected` and `got` (values, or `None` if the check
    expects no single answer), `arguments` (the values passed in), `diagnosis` (the mistake that the
    function shows, or `None`), `of` (the function or class that was checked, or `None`). `picture`
    is a function that shows the error as a picture in a notebook. The widgets set it, since the
    checks know no widgets.
    """

    picture: ClassVar[Callable[["CheckFailed"], None] | None] = None
    call = ""
    arguments: tuple[Any, ...] = ()
    expected: Any = None
    got: Any = None

    def __init__(
        self, message: str, diagnosis: Diagnosis | None = None, of: Callable[..., Any] | None = None
    ) -> None:
        super().__init__(message)
        self.diagnosis = diagnosis
        self.of = of

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows in place of a traceback; show the picture, if any."""
        if CheckFailed.picture is not None:
            CheckFailed.picture(self)
        return [*str(self).splitlines(), *filter(None, [from_before(self.of)])]


# A dictionary from names to the id and the text of the cell that should define the name. It has the
# names of those cells only whose last run failed.
_failed: dict[str, tuple[str, str]] = {}


def note_run(cell: str, source: str, is_done: bool) -> None:
    """Note that the cell with the id `cell` has run; `is_done` is true if it ran without error."""
    for name in [name for name, (failed, _) in _failed.items() if failed == cell]:
        del _failed[name]
    for name in DEFINED.findall(source):
        _failed.pop(name, None)
        if not is_done:
            _failed[name] = cell, source


def from_before(function: Callable[..., Any] | None) -> str:
    """Return a sentence if `function` is old because the last run of its cell failed; else `""`."""
    name = getattr(function, "__name__", "")
    if name not in _failed or _text_of(function).strip() == _failed[name][1].strip():
        return ""
    return f"Your last change has an error, so this is still your {name} from before."


def _text_of(piece: Any) -> str:
    """Return the text of the cell that defined `piece`, a function or class; `""` if not known."""
    members = vars(piece).values() if isinstance(piece, type) else [piece]
    codes = [code for each in members if (code := getattr(each, "__code__", None)) is not None]
    return "".join(linecache.getlines(codes[0].co_filename)) if codes else ""
