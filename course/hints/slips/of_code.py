"""Slips that are plain from the code itself: a value is computed, and then thrown away."""

import dis
import inspect
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

# Instructions that compute a value; the next one does something with it, or throws it away.
_WORKED_OUT = ("COMPARE_OP", "BINARY_OP", "BUILD_TUPLE")


@dataclass(frozen=True)
class Waste:
    """A line that computes a value and does nothing with it; `id` is the slip.

    `method` is the part of a class that the line is in; it is empty for a function.
    """

    id: str
    method: str
    number: int
    code: str

    @property
    def example(self) -> str:
        """A sentence that shows the number of the line, and its text if that is known."""
        return f"Look at line {self.number}" + (f": `{self.code}`." if self.code else ".")


def wasted(function: Callable[..., Any]) -> Waste | None:
    """Return the first line of a function or class whose value is thrown away, or `None`.

    >>> def add(total, gained):
    ...     total == total + gained
    >>> wasted(add).id
    'compares-in-place-of-storing'
    """
    parts = _methods(function) if isinstance(function, type) else [("", function)]
    functions = ((name, each) for name, each in parts if inspect.isfunction(each))
    return next((waste for name, each in functions for waste in _wasted_in(name, each)), None)


def _methods(own_class: type) -> Iterator[tuple[str, Any]]:
    """Yield the name and the function of each method and property that a class itself defines."""
    for name, part in vars(own_class).items():
        yield name, getattr(part, "fget", part)


def _wasted_in(method: str, function: Any) -> Iterator[Waste]:
    code = function.__code__
    for worked_out, then in pairwise(dis.get_instructions(code)):
        place = worked_out.positions
        is_wasted = worked_out.opname in _WORKED_OUT and then.opname == "POP_TOP"
        if is_wasted and place is not None and place.lineno is not None:
            is_question = worked_out.opname == "COMPARE_OP" and "==" in str(worked_out.argval)
            slip = "compares-in-place-of-storing" if is_question else "value-thrown-away"
            line = linecache.getline(code.co_filename, place.lineno).strip()
            yield Waste(slip, method, place.lineno, line)
