"""The decorator `@add_to(Game)`: it adds one method to a class that was defined in another cell."""

from collections.abc import Callable
from dis import get_instructions
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from course.plain_errors import plainly

PLAIN = (bool, int, float, str, type(None))

# For each class: its own attributes with plain values, as before a method was first added to it.
_begun: WeakKeyDictionary[type, dict[str, Any]] = WeakKeyDictionary()


@plainly
def add_to(some_class: type) -> Callable[[Any], Any]:
    """Add the function or property below the line `@add_to(...)` to a class, under its own name.

    If you run the cell again, the new version replaces the earlier one, and changes of the class's
    own plain values, as by `Game.score = 4`, are undone. If the notebook already has something else
    with that name, such as a function `is_over`, the name keeps its meaning in the notebook. Raise
    `TypeError` if `some_class` is no class, if there is no function below `@add_to`, or if that
    function calls `super()` with nothing in the brackets.

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
        _begin_again(some_class, name)
        setattr(some_class, name, piece)
        # If `@property` stands above `@add_to`, the notebook has a property of that name; so the
        # functions inside are compared.
        before = _inside(function.__globals__.get(name, piece))
        return piece if getattr(before, "__qualname__", "") == function.__qualname__ else before

    return add


def _begin_again(some_class: type, name: str) -> None:
    """Undo changes of a class's own plain values, if it already has the method or property `name`.

    A value such as `Game.score` becomes what it was before a method was first added.
    """
    own = {key: value for key, value in vars(some_class).items() if type(value) in PLAIN}
    begun = _begun.setdefault(some_class, own)
    for key, value in begun.items() if name in vars(some_class) else ():
        if key in own and own[key] is not value:
            setattr(some_class, key, value)


def _calls_bare_super(function: FunctionType) -> bool:
    """Return true if a function calls `super()` with nothing in the brackets."""
    is_super = False  # true from the name `super` up to the next call
    for step in get_instructions(function):
        if step.opname.startswith("LOAD") and step.argval == "super":
            is_super = True
        elif step.opname.startswith("CALL") and is_super:
            if step.arg == 0:
                return True
            is_super = False
    return False


def _inside(thing: Any) -> Any:
    return thing.fget if isinstance(thing, property) else thing
