"""Values and variables as plain data that can be drawn.

No method or property of a learner's class is called here: a value is described by its type and by
the data that it stores. So looking at a value never changes what a program does. Large values are
cut.
"""

import dis
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from random import Random
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

from course.playing.learner_calls import SHOWN_CHARACTERS, cut
from course.rules.board import is_board

LONGEST = 32  # squares of a row that is drawn, and rows of a board, at most
SQUARES = 256  # of one board
TOO_LONG = 10**9  # the least tile that does not fit into a square
DEEPEST = 2  # levels of objects in objects
FIELDS = 24  # of one object
PARTS = 80  # values inside a value that is written
DIGITS = 40  # of a number that is written
VARIABLES = 30  # of one call
NOT_SHOWN = (FunctionType, BuiltinFunctionType, ModuleType, type)
# Values that are shown as text, and not opened to show their fields.
CLOSED = (
    *(Random, FunctionType, BuiltinFunctionType, MethodType, ModuleType, type, BaseException),
    *(int, float, complex, str, bytes, list, tuple, dict, set, frozenset),
)

Plain = dict[str, Any]

BRACKETS: list[tuple[Any, str, str]] = [
    (list, "[", "]"),
    (tuple, "(", ")"),
    (set, "{", "}"),
    (frozenset, "frozenset({", "})"),
]


def snapshot(value: Any, deep: int = DEEPEST) -> Plain:
    """Return a value as it is now, as plain data; objects in objects are opened `deep` levels deep.

    An object with stored data becomes `{"kind": "object", "name", "fields"}`, and each field is
    `{"name", "value"}`.

    >>> snapshot([2, 0])
    {'kind': 'tiles', 'rows': [[2, 0]], 'is_line': True}
    >>> snapshot("left")
    {'kind': 'text', 'text': "'left'"}
    """
    rows = rows_of(value)
    if rows is not None:
        return {"kind": "tiles", "rows": rows, "is_line": type(value[0]) is int}
    is_closed = deep < 1 or issubclass(type(value), CLOSED)
    fields = [] if is_closed else list(islice(_stored(value), FIELDS))
    if fields:
        parts = [{"name": name, "value": snapshot(each, deep - 1)} for name, each in fields]
        return {"kind": "object", "name": class_name(type(value)), "fields": parts}
    return {"kind": "text", "text": text(value)}


def rows_of(value: Any, squares: int = SQUARES) -> list[list[int]] | None:
    """Return a copy of the rows of a board, or of a line as one row; `None` for any other value.

    `None` is also returned if the board, or a number on it, is too large to be drawn.
    """
    if type(value) is not list or not 0 < len(value) <= LONGEST:
        return None
    rows = value if type(value[0]) is list else [value]
    if len(rows[0]) > LONGEST or len(rows) * len(rows[0]) > squares:
        return None
    fits = is_board(rows, signed=True) and all(abs(n) < TOO_LONG for row in rows for n in row)
    return [list(row) for row in rows] if fits else None


def _stored(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) for all data that an object stores: its attributes, then its slots."""
    kinds = type.__dict__["__mro__"].__get__(type(value))
    bases = [(base, type.__dict__["__dict__"].__get__(base)) for base in kinds]
    for _, names in bases:
        own = names.get("__dict__")
        if type(own) is GetSetDescriptorType:
            found = dict.items(own.__get__(value))
            yield from [(n, v) for n, v in found if type(n) is str and n[:2] != "__"]
            break
    for base, names in bases:
        if type.__dict__["__module__"].__get__(base) == "builtins":
            continue
        for name, slot in dict(names).items():
            if type(slot) is MemberDescriptorType and name[:2] != "__":
                try:
                    yield name, slot.__get__(value)
                except AttributeError:  # an empty slot
                    continue


def class_name(kind: type) -> str:
    """Return the name of a class, cut if it is long, without running code of its metaclass."""
    return str(type.__dict__["__name__"].__get__(kind))[:SHOWN_CHARACTERS]


def text(value: Any) -> str:
    """Return a value as a text, much as Python writes it, cut if it is long.

    >>> text([(0, 1), (2, 3)]), text({"left": None}), text(10**100)
    ('[(0, 1), (2, 3)]', "{'left': None}", 'a number of about 101 digits')
    """
    return cut(_text(value, [PARTS]))


def _text(value: Any, left: list[int]) -> str:
    """Return a value as a text; count down `left[0]`, the number of values still to be written."""
    left[0] -= 1
    kind = type(value)
    if value is None or kind is bool or kind is float or kind is complex:
        return repr(value)
    if kind is int:
        digits = value.bit_length() * 1233 >> 12
        return repr(value) if digits <= DIGITS else f"a number of about {digits + 1} digits"
    if kind is str or kind is bytes:
        return repr(value[:SHOWN_CHARACTERS])
    for base, start, end in BRACKETS:
        if issubclass(kind, base):
            size = base.__len__(value)
            if not size and base in (set, frozenset):
                return f"{base.__name__}()"
            parts = ((part,) for part in base.__iter__(value))
            return f"{start}{_parts(parts, left)}{',' if base is tuple and size == 1 else ''}{end}"
    if issubclass(kind, dict):
        return f"{{{_parts(dict.items(value), left)}}}"
    if issubclass(kind, Random):
        return "chance (a Random)"
    if kind is FunctionType or kind is BuiltinFunctionType:
        return f"the function {value.__name__}"
    if kind is range:
        return f"range({_text(value.start, [3])}, {_text(value.stop, [3])})"
    if kind is MethodType:
        return "a method"
    if issubclass(kind, type):
        return f"the class {class_name(value)}"
    return error_text(value) if issubclass(kind, BaseException) else with_article(class_name(kind))


def _parts(parts: Iterable[tuple[Any, ...]], left: list[int]) -> str:
    """Return the parts of a list, or the pairs of a dictionary, as a text (`left`: see `_text`)."""
    written = []
    for part in parts:
        if left[0] <= 0:
            written.append("…")
            break
        written.append(": ".join(_text(each, left) for each in part))
    return ", ".join(written)


def with_article(name: str) -> str:
    """Return the name of a class with "a" or "an"."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def error_text(error: BaseException) -> str:
    """Return the name of an error, and its message if it has exactly one argument.

    >>> error_text(ValueError("the board is full")), error_text(KeyError("up"))
    ('ValueError: the board is full', "KeyError: 'up'")
    """
    name = class_name(type(error))
    arguments = BaseException.__dict__["args"].__get__(error)
    if len(arguments) != 1:
        return name
    said = arguments[0]
    plain = type(said) is str and not issubclass(type(error), KeyError)
    message = cut(said) if plain else text(said)
    return f"{name}: {message.rstrip('.')}" if message else name


def variables_of(frame: FrameType, is_bracket: bool = False) -> list[Plain]:
    """Return the variables of a call as they are now, as `{"name", "value"}`, arguments first.

    If two variables are the same list, the second one has the key `same`, with the name of the
    first. The global variables that the function uses come last, with the key `outside`; functions,
    classes and modules among them are left out. If `is_bracket` is true, the call is a
    comprehension: only its own variables are returned, with the key `inside`.
    """
    values, known, code = frame.f_locals, frame.f_globals, frame.f_code
    names = [*code.co_varnames, *code.co_cellvars, *([] if is_bracket else code.co_freevars)]
    own = [n for n in dict.fromkeys(names) if n in values and n[:1] != "." and n[:2] != "__"]
    found = [(name, values[name], "inside" if is_bracket else "") for name in own]
    for name in () if is_bracket else _outside_names(code):
        if name in known and not issubclass(type(known[name]), NOT_SHOWN):
            found.append((name, known[name], "outside"))
    shown: list[Plain] = []
    lists: dict[int, str] = {}
    for name, value, mark in found[:VARIABLES]:
        variable: Plain = {"name": name, "value": snapshot(value)}
        if type(value) is list:
            if id(value) in lists:
                variable["same"] = lists[id(value)]
            lists.setdefault(id(value), name)
        shown.append(variable | ({mark: True} if mark else {}))
    return shown


@lru_cache(maxsize=256)
def _outside_names(code: CodeType) -> tuple[str, ...]:
    """Return the global names that a code object uses, or that functions inside it use."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    own = [each.argval for each in dis.get_instructions(code) if each.opname.endswith("_GLOBAL")]
    return tuple(dict.fromkeys([*own, *(name for each in inner for name in _outside_names(each))]))


def call_text(frame: FrameType, name: str) -> str:
    """Return a call as text, such as `merge([2, 2])`; `frame` is that of a call that begins."""
    code, values = frame.f_code, frame.f_locals
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if names[:1] == ("self",):
        names = names[1:]
    told = [argument_text(each, values[each]) for each in names if each in values]
    return f"{name}({', '.join(told)})"


def argument_text(name: str, value: Any) -> str:
    """Return the value of an argument as text; for a `Random`, return `name` instead."""
    return name if issubclass(type(value), Random) else text(value)
