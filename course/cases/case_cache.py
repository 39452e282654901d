"""Cases (arguments to test with) that take long to make, made only once for all submissions.

The grader runs the tests of each submission in a process of its own. Cases that such a process
makes are lost when it ends. So the grader notes which cases the tests of an assignment ask for
(`asked_for`), and makes them in advance (`precompute`), before it starts these processes.
"""

import pickle
from collections.abc import Callable, Collection, Iterable
from copy import deepcopy
from functools import wraps
from importlib import import_module
from random import Random
from typing import Any, TypeVar, cast

Making = TypeVar("Making", bound=Callable[..., Any])
Asked = tuple[str, Any, Any]  # the name of a function, with its module; its arguments; its options

_makers: dict[str, Callable[..., Any]] = {}
_made: dict[str, tuple[bytes, list[Any], Asked]] = {}
_asked: dict[str, Asked] = {}


def made_once(make: Making) -> Making:
    """Decorate a function that makes cases, so that it makes them only once for equal arguments.

    Each later call returns a copy of these cases. It also leaves each `Random` among the arguments
    in the state in which making the cases would have left it.
    """

    name = f"{make.__module__}.{make.__name__}"

    @wraps(make)
    def made(*arguments: Any, **options: Any) -> Any:
        chances = [each for each in arguments if isinstance(each, Random)]
        states = [each.getstate() for each in chances]
        others = [each for each in arguments if each not in chances]
        key = repr((name, others, options, states))
        if key not in _made:
            asked = name, deepcopy(arguments), options
            cases = pickle.dumps(make(*arguments, **options))
            _made[key] = cases, [each.getstate() for each in chances], asked
        cases, left, _asked[key] = _made[key]
        for chance, state in zip(chances, left, strict=True):
            chance.setstate(state)
        return pickle.loads(cases)  # safe: made above; ten times as fast as `deepcopy`

    _makers[name] = made
    return cast(Making, made)


def asked_for() -> Collection[Asked]:
    """Forget old calls for cases; return a collection to which each new call is added."""
    _asked.clear()
    return _asked.values()


def precompute(asked: Iterable[Asked]) -> None:
    """Make and store in advance the cases of the calls that `asked_for` has collected."""
    for name, arguments, options in asked:
        if name not in _makers and name.startswith("course."):
            import_module(name.rpartition(".")[0])
        _makers[name](*arguments, **options)
