"""What is plain from the code itself: a value that is worked out, and then thrown away."""

import dis
import inspect
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

# What works a value out; what follows it does something with the value, or takes it away.
_WORKED_OUT = ("COMPARE_OP", "BINARY_OP", "BUILD_TUPLE")


@dataclass(frozen=True)
class Waste:
    """A line that works out a value and does nothing with it; `method` is the part of a class."""

    id: str
    method: str
    number: int
    code: str

    @property
    def example(self) -> str:
        """A sentence that shows the line, as far as it is known."""
        return f"Look at line {self.number}" + (f": `{self.code}`." if self.code else ".")


def wasted(function: Callable[..., Any]) -> Waste | None:
    """The first line of a function, or of a class, whose value is thrown away; `None` if none is.

    >>> def add(total, gained):
    ...     total == total + gained
    >>> wasted(add).id
    'compares-in-place-of-storing'
    """
    parts = _methods(function) if isinstance(function, type) else [("", function)]
    functions = ((name, each) for name, each in parts if inspect.isfunction(each))
    return next((waste for name, each in functions for waste in _wasted_in(name, each)), None)


def _methods(own_class: type) -> Iterator[tuple[str, Any]]:
    """The methods and properties that a class has of its own."""
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
