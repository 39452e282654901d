"""Variables: everything that a running function can see and change, by name."""

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from course.steps.values import Plain, snapshot

MOST = 30
NOT_SHOWN = (FunctionType, BuiltinFunctionType, ModuleType, type)


def variables_of(frame: FrameType, is_bracket: bool = False) -> list[Plain]:
    """Return the variables of a call as they are now: `{"name", "value"}`, arguments first.

    If a list has two names, the second variable has `same`, which is the first name. What the
    function uses from outside of it comes last, marked by `outside`. Of a comprehension, only the
    variables that it names itself are returned, marked by `inside`.
    """
    values, code = frame.f_locals, frame.f_code
    names = [*code.co_varnames, *code.co_cellvars, *([] if is_bracket else code.co_freevars)]
    shown: list[Plain] = []
    lists: dict[int, str] = {}
    for name in dict.fromkeys(names):
        if name in values and name[:1] != "." and name[:2] != "__" and len(shown) < MOST:
            shown.append(_variable(name, values[name], lists))
    if is_bracket:
        return [variable | {"inside": True} for variable in shown]
    for name, value in _outside(frame):
        if len(shown) < MOST:
            shown.append(_variable(name, value, lists) | {"outside": True})
    return shown


def _variable(name: str, value: Any, lists: dict[int, str]) -> Plain:
    variable: Plain = {"name": name, "value": snapshot(value)}
    if type(value) is list:
        if id(value) in lists:
            variable["same"] = lists[id(value)]
        else:
            lists[id(value)] = name
    return variable


def _outside(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """Yield the global variables that a function uses, but no functions, classes or modules."""
    for name in outside_names(frame.f_code):
        value = frame.f_globals.get(name, NOT_SHOWN)
        if value is not NOT_SHOWN and not issubclass(type(value), NOT_SHOWN):
            yield name, value


@lru_cache(maxsize=256)
def outside_names(code: CodeType) -> tuple[str, ...]:
    """Return the names that code, or code inside it, takes from outside of all functions."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    own = [each.argval for each in dis.get_instructions(code) if each.opname.endswith("_GLOBAL")]
    return tuple(dict.fromkeys([*own, *(name for each in inner for name in outside_names(each))]))
