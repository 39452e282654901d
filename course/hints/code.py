"""Findings in a learner's code: other functions of the learner's, and values thrown away."""

import dis
import inspect
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

Function = Callable[..., Any]

MOST = 20  # functions to look into: a program may make ever more of them


def own_helpers(function: Function) -> Iterator[Function]:
    """Yield the learner's own functions that a function or class uses, directly or indirectly.

    The function itself is not among them. Once `MOST` functions are found, no further code is
    looked into.
    """
    waiting, met = [function], [function]
    while waiting and len(met) <= MOST:
        for helper in _used_by(waiting.pop(0)).values():
            if all(helper is not other and helper != other for other in met):
                met.append(helper)
                waiting.append(helper)
                yield helper


def uses(piece: Any, other: Any) -> bool:
    """Return true if a learner's function or class uses another one, directly or indirectly.

    A class uses itself and the classes that it is built on.

    >>> class Game: ...
    >>> class SpecialGame(Game): ...
    >>> uses(SpecialGame, Game), uses(Game, SpecialGame), uses(uses, None)
    (True, False, False)
    """
    if isinstance(piece, type) and isinstance(other, type):
        return issubclass(piece, other)
    return callable(piece) and any(helper is other for helper in own_helpers(piece))


def _used_by(function: Function) -> dict[str, Function]:
    """Return, by name, the learner's functions that the code of a function or class uses directly.

    >>> sorted(_used_by(own_helpers))
    []
    """
    members = list(vars(function).values()) if isinstance(function, type) else [function]
    found: dict[str, Function] = {}
    for member in (getattr(member, "fget", member) for member in members):
        known = getattr(member, "__globals__", {})
        for name in _names(getattr(member, "__code__", None)):
            value = known.get(name)
            if isinstance(value, FunctionType) and not str(value.__module__).startswith("course."):
                found[name] = value
    return found


def _names(code: CodeType | None) -> Iterator[str]:
    """Yield all global names and attributes that some code uses, in its inner functions, too."""
    if code is not None:
        yield from code.co_names
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield from _names(constant)


# Instructions that compute a value; the next instruction uses this value, or throws it away.
_WORKED_OUT = ("COMPARE_OP", "BINARY_OP", "BUILD_TUPLE")


@dataclass(frozen=True)
class Waste:
    """A line that computes a value and does nothing with it.

    `id` is the id of the general hint for it. `method` is the method or property of a class that
    the line is in; it is empty for a function.
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
    """Return the first line that computes a value and throws it away, or `None`.

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
