"""The rules with some functions exchanged, at every depth."""

import builtins
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from course import rules

Function = Callable[..., Any]


def reference(given: Mapping[str, Function]) -> dict[str, Function]:
    """Return the reference's functions by name; they call the given ones in place of their own.

    Each has the same code with other globals, so that an exchanged piece is used at every depth.

    >>> reference({"merge": lambda line: line})["slide"]([[0, 2]], "left")
    [[0, 2]]
    """
    world: dict[str, Any] = {"__builtins__": builtins}
    for name in dir(rules):
        value = getattr(rules, name)
        if isinstance(value, FunctionType):
            world |= {key: each for key, each in value.__globals__.items() if key[:2] != "__"}
            world[name] = value
    own = {name: value for name, value in world.items() if _is_rule(value)}
    for name, value in own.items():
        world[name] = FunctionType(value.__code__, world, name, value.__defaults__)
        world[name].__kwdefaults__ = value.__kwdefaults__
    world |= given
    if "slide" not in given and given.keys() & {"start_squares", "traverse", "slide_by_offsets"}:
        world["slide"] = world["slide_by_offsets"]
    if "merge" not in given and "close_gaps" in given:
        world["merge"] = world["close_gaps"]
    return {name: world[name] for name in own}


def _is_rule(value: Any) -> bool:
    return isinstance(value, FunctionType) and value.__module__.startswith(rules.__name__)
