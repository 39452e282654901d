"""Frames: what Python knows about a call while it runs."""

import dis
from functools import lru_cache
from random import Random
from types import CodeType, FrameType
from typing import Any

from course.steps.values import text


def way_out(frame: FrameType) -> str:
    """Return RETURN or YIELD, by which a frame is left; "" if it is left by an error."""
    last = dis.opname[_code_bytes(frame.f_code)[frame.f_lasti]]
    return next((way for way in ("RETURN", "YIELD") if last.startswith(way)), "")


@lru_cache(maxsize=256)
def _code_bytes(code: CodeType) -> bytes:
    """Return the bytes of code; cached, because Python makes them anew each time."""
    return code.co_code


def name_of(code: CodeType) -> str:
    """Return the name of a function; of a method with its class, as `Game.move`."""
    name = code.co_qualname.rpartition("<locals>.")[2]
    return name.replace("<lambda>", "the lambda")


def call_text(frame: FrameType, name: str) -> str:
    """Return a call as it would be written, with what it is given."""
    code, values = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount
    names = [each for each in code.co_varnames[:count] if each in values]
    if names[:1] == ["self"]:
        names = names[1:]
    return f"{name}({', '.join(argument_text(each, values[each]) for each in names)})"


def argument_text(name: str, value: Any) -> str:
    """Return an argument as it stands in a call; a `Random` stands there by its name."""
    return name if issubclass(type(value), Random) else text(value)
