"""The learner's own functions that a function or a part of a class uses."""

from collections.abc import Callable, Iterator
from dis import get_instructions
from types import CodeType, FunctionType
from typing import Any

Function = Callable[..., Any]

_OF_SELF = ("LOAD_ATTR", "LOAD_METHOD")
MOST = 20  # functions to look into: a program may create ever more of them


def own_helpers(function: Function, method: str = "") -> Iterator[Function]:
    """Yield the learner's other functions that a function or class uses, even indirectly.

    With `method`, only this method of a class counts, with the other methods that it uses.
    """
    waiting, met = [function], [function]
    while waiting and len(met) <= MOST:
        for helper in _used_by(waiting.pop(0), method).values():
            if all(helper is not other and helper != other for other in met):
                met.append(helper)
                waiting.append(helper)
                yield helper


def uses(piece: Any, other: Any) -> bool:
    """Return true if `piece`, a learner's function or class, uses `other`, even indirectly.

    A class uses itself and its base classes.

    >>> class Game: ...
    >>> class SpecialGame(Game): ...
    >>> uses(SpecialGame, Game), uses(Game, SpecialGame), uses(uses, None)
    (True, False, False)
    """
    if isinstance(piece, type) and isinstance(other, type):
        return issubclass(piece, other)
    return callable(piece) and any(helper is other for helper in own_helpers(piece))


def _used_by(function: Function, method: str) -> dict[str, Function]:
    """Return a dictionary from names to the learner's functions that `function` uses directly.

    `function` may be a class. Then only `method`, and the methods that it uses, count; `""` stands
    for all methods.
    """
    members = [function]
    if isinstance(function, type):
        every = {name: getattr(member, "fget", member) for name, member in vars(function).items()}
        chosen = [each for each in every if method in ("", each)]
        for name in chosen:
            code = getattr(every[name], "__code__", None)
            steps = [] if code is None else get_instructions(code)
            used = [each.argval for each in steps if each.opname in _OF_SELF]
            chosen += [each for each in dict.fromkeys(used) if each in every and each not in chosen]
        members = [every[name] for name in chosen]
    found: dict[str, Function] = {}
    for member in members:
        known = getattr(member, "__globals__", {})
        codes = [getattr(member, "__code__", None)]
        for code in codes:  # the loop itself adds the inner functions
            codes += [each for each in getattr(code, "co_consts", ()) if isinstance(each, CodeType)]
            for name in getattr(code, "co_names", ()):
                value = known.get(name)
                if isinstance(value, FunctionType) and not str(value.__module__).startswith(
                    "course."
                ):
                    found[name] = value
    return found
