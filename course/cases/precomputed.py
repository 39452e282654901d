"""Cases that take long to make: they are made once, however many submissions meet them.

The grader runs the tests of each submission in a process of its own. What is made there ends with
it, so the grader makes ahead what the tests of an assignment have asked for.
"""

from collections.abc import Callable, Collection, Iterable
from copy import deepcopy
from functools import wraps
from random import Random
from typing import Any, TypeVar, cast

Making = TypeVar("Making", bound=Callable[..., Any])

_makers: dict[str, Callable[..., Any]] = {}
_made: dict[str, Any] = {}
_asked: dict[str, tuple[str, Any, Any]] = {}


def made_once(make: Making) -> Making:
    """Decorate a function that makes cases of plain arguments: it gives copies of what it made.

    A `Random` among the arguments goes on each time as if the cases had been drawn from it.
    """

    @wraps(make)
    def made(*arguments: Any, **options: Any) -> Any:
        chances = [each for each in arguments if isinstance(each, Random)]
        states = [each.getstate() for each in chances]
        key = repr((make.__name__, [each for each in arguments if each not in chances], options))
        key += repr(states)
        if key not in _made:
            asked = make.__name__, deepcopy(arguments), options
            _made[key] = make(*arguments, **options), [each.getstate() for each in chances], asked
        cases, left, _asked[key] = _made[key]
        for chance, state in zip(chances, left, strict=True):
            chance.setstate(state)
        return deepcopy(cases)

    _makers[make.__name__] = made
    return cast(Making, made)


def asked_for() -> Collection[tuple[str, Any, Any]]:
    """Return what will be asked for from now on: names of functions, arguments, and options."""
    _asked.clear()
    return _asked.values()


def precompute(asked: Iterable[tuple[str, Any, Any]]) -> None:
    """Make what will be asked for, as `asked_for` has told it."""
    for name, arguments, options in asked:
        _makers[name](*arguments, **options)
