"""Values as plain data for drawing: bounded in size, and made without calling the values' code.

No method or property of a learner's class is called here: an object is known by its type and by
what is stored in it. So looking at a value never changes what a program does.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

LONGEST = 32  # squares of a row that is drawn, and rows of a board
SQUARES = 256  # of one board
TOO_LONG = 10**9  # a tile that no square has room for
DEEPEST = 2  # objects in objects
FIELDS = 24  # of one object
CHARACTERS = 160  # of a value that is written
PARTS = 80  # values in a value that is written
DIGITS = 40  # of a number that is written

Plain = dict[str, Any]

BRACKETS: list[tuple[type, str, str]] = [
    (list, "[", "]"),
    (tuple, "(", ")"),
    (set, "{", "}"),
    (frozenset, "frozenset({", "})"),
]


def snapshot(value: Any, deep: int = DEEPEST) -> Plain:
    """Return a value as it is now: tiles of a line or a board, fields of an object, or a text.

    The result is `{"kind": "tiles", "rows", "is_line"}`, `{"kind": "object", "name", "fields"}`
    with fields as `{"name", "value"}`, or `{"kind": "text", "text"}`.

    >>> snapshot([2, 0])
    {'kind': 'tiles', 'rows': [[2, 0]], 'is_line': True}
    >>> snapshot("left")
    {'kind': 'text', 'text': "'left'"}
    """
    rows = rows_of(value)
    if rows is not None:
        return {"kind": "tiles", "rows": rows, "is_line": type(value[0]) is int}
    fields = [] if deep < 1 or _has_own_text(value) else list(islice(stored(value), FIELDS))
    if fields:
        parts = [{"name": name, "value": snapshot(each, deep - 1)} for name, each in fields]
        return {"kind": "object", "name": class_name(type(value)), "fields": parts}
    return {"kind": "text", "text": text(value)}


def rows_of(value: Any) -> list[list[int]] | None:
    """Return the squares of a line (one row) or of a board, copied; `None` for any other value.

    Here a tile may be negative, as the second player's are in a duel.
    """
    if type(value) is not list or not 0 < len(value) <= LONGEST:
        return None
    if _is_row(value):
        return [list(value)]
    if not all(type(row) is list and len(row) == len(value[0]) and _is_row(row) for row in value):
        return None
    is_small = len(value) * len(value[0]) <= SQUARES
    return [list(row) for row in value] if is_small else None


def _is_row(row: list[Any]) -> bool:
    return 0 < len(row) <= LONGEST and all(
        type(tile) is int and -TOO_LONG < tile < TOO_LONG for tile in row
    )


def stored(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield what is stored in an object, by name: from its own dictionary, then from its slots."""
    bases = [(base, type.__dict__["__dict__"].__get__(base)) for base in _mro(type(value))]
    for _, names in bases:
        own = names.get("__dict__")
        if type(own) is GetSetDescriptorType:
            found = own.__get__(value)
            yield from [(n, v) for n, v in dict.items(found) if type(n) is str and n[:2] != "__"]
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


def _mro(kind: type) -> tuple[type, ...]:
    found: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return found


def class_name(kind: type) -> str:
    """Return the name of a class, whatever its metaclass says."""
    return str(type.__dict__["__name__"].__get__(kind))[:CHARACTERS]


def _has_own_text(value: Any) -> bool:
    """Return true if a value is shown as text, and not opened to show its fields.

    Such are chance, functions, classes, modules, errors, and Python's own values.
    """
    closed = (Random, FunctionType, BuiltinFunctionType, MethodType, ModuleType, type)
    plain = (int, float, complex, str, bytes, list, tuple, dict, set, frozenset, BaseException)
    return issubclass(type(value), (*closed, *plain))


def text(value: Any) -> str:
    """Return a value as Python writes it, cut if it is long.

    >>> text([(0, 1), (2, 3)]), text({"left": None}), text(10**100)
    ('[(0, 1), (2, 3)]', "{'left': None}", 'a number of about 101 digits')
    """
    return cut(_text(value, [PARTS]))


def cut(words: str, longest: int = CHARACTERS) -> str:
    """Return a text, cut to at most `longest` characters."""
    return words if len(words) <= longest else words[: longest - 1] + "…"


def _text(value: Any, left: list[int]) -> str:
    left[0] -= 1
    kind = type(value)
    if value is None or kind is bool or kind is float or kind is complex:
        return repr(value)
    if kind is int:
        return _number(value)
    if kind is str or kind is bytes:
        return repr(value[:CHARACTERS])
    for base, start, end in BRACKETS:
        if issubclass(kind, base):
            return _many(value, base, start, end, left)
    if issubclass(kind, dict):
        return _pairs(value, left)
    return _named(value)


def _number(value: int) -> str:
    digits = value.bit_length() * 1233 >> 12
    return repr(value) if digits <= DIGITS else f"a number of about {digits + 1} digits"


def _many(value: Any, base: Any, start: str, end: str, left: list[int]) -> str:
    size = base.__len__(value)
    if not size:
        return f"{base.__name__}()" if base in (set, frozenset) else start + end
    parts = []
    for part in base.__iter__(value):
        if left[0] <= 0:
            parts.append("…")
            break
        parts.append(_text(part, left))
    comma = "," if base is tuple and size == 1 else ""
    return f"{start}{', '.join(parts)}{comma}{end}"


def _pairs(value: dict[Any, Any], left: list[int]) -> str:
    parts = []
    for key, each in dict.items(value):
        if left[0] <= 0:
            parts.append("…")
            break
        parts.append(f"{_text(key, left)}: {_text(each, left)}")
    return f"{{{', '.join(parts)}}}"


def _named(value: Any) -> str:
    """Return what a value is, in words: chance, a function, an error, or "a Game"."""
    kind = type(value)
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
    if issubclass(kind, BaseException):
        return error_text(value)
    name = class_name(kind)
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
