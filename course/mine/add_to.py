"""`@add_to(Game)`: a class grows, one method a cell."""

from collections.abc import Callable
from dis import get_instructions
from types import FunctionType
from typing import Any

from course.plainly import plainly


@plainly
def add_to(some_class: type) -> Callable[[Any], Any]:
    """The function or property below becomes a part of a class, under its own name.

    Run again, it takes the place of the one before. Where the notebook knows something else by
    that name, such as the function `is_over`, the name keeps that meaning. Raises `TypeError` for
    what is no class, and for what is no function.

    >>> class Basket:
    ...     apples = 0
    >>> @add_to(Basket)
    ... def put(self, count):
    ...     self.apples += count
    >>> basket = Basket()
    >>> basket.put(3)
    >>> basket.apples
    3
    """
    if not isinstance(some_class, type):
        raise TypeError("add_to needs the name of a class in parentheses, as in @add_to(Game)")

    @plainly
    def add(piece: Any) -> Any:
        function = _inside(piece)
        if not isinstance(function, FunctionType):
            raise TypeError("below @add_to(...) stands a method: a def, or @property and a def")
        name = function.__name__
        if _calls_bare_super(function):
            above = some_class.__mro__[1].__name__
            raise TypeError(
                f"super() works only in the cell of the class: in this cell, write {above}.{name} "
                f"in the place of super().{name}, and give it self"
            )
        function.__qualname__ = f"{some_class.__name__}.{name}"
        setattr(some_class, name, piece)
        # A property by that name was made by decorators in the wrong order: what is in it counts.
        before = _inside(function.__globals__.get(name, piece))
        return piece if getattr(before, "__qualname__", "") == function.__qualname__ else before

    return add


def _calls_bare_super(function: FunctionType) -> bool:
    """Whether a function asks `super()` without saying of which class and object.

    Python knows that only for what is written inside the class.
    """
    steps = list(get_instructions(function))
    calls = [step for step in steps if step.opname.startswith("CALL")]
    after = (
        next((call for call in calls if call.offset > step.offset), None)
        for step in steps
        if step.opname.startswith("LOAD") and step.argval == "super"
    )
    return any(call is not None and call.arg == 0 for call in after)


def _inside(thing: Any) -> Any:
    return thing.fget if isinstance(thing, property) else thing
