"""What an object can be asked, beside a call: its attributes, its texts, its operators."""

import inspect
import operator
from collections.abc import Callable
from typing import Any

_MAX_TEXT = 20_000
_BINARY = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow")
_BITS = ("and", "or", "xor", "lshift", "rshift")
_PLAIN: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__pos__),
    (float, float.__pos__),
    (complex, complex.__pos__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (list, lambda value: list.__getitem__(value, slice(None))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (dict, lambda value: dict(dict.items(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
)


def _short(text: str) -> str:
    if len(text) > _MAX_TEXT:
        raise ValueError(f"a text of {len(text):,} characters is too long for a test")
    return text


def _plain(value: Any) -> Any:
    """What an object of a subclass of a plain type holds."""
    return next(exact(value) for plain, exact in _PLAIN if isinstance(value, plain))


def _leave(value: Any, error: list[Any] | None) -> bool:
    kind, said = error or (None, None)
    left = None if kind is None else kind(said)
    return bool(value.__exit__(kind, left, None))


def _signature(function: Any) -> list[list[Any]]:
    """Name, kind, and default where there is one, of each parameter."""
    empty = inspect.Parameter.empty
    return [
        [one.name, int(one.kind), *([] if one.default is empty else [one.default])]
        for one in inspect.signature(function).parameters.values()
    ]


OPERATORS: dict[str, Callable[..., Any]] = {
    "get": getattr,
    "set": setattr,
    "delete": delattr,
    "str": lambda value: _short(str(value)),
    "repr": lambda value: _short(repr(value)),
    "format": lambda value, how: _short(format(value, how)),
    "len": len,
    "bool": bool,
    "item": lambda value, key: value[key],
    "set item": lambda value, key, item: value.__setitem__(key, item),
    "delete item": lambda value, key: value.__delitem__(key),
    "contains": lambda value, item: item in value,
    "iter": lambda value: iter(value),
    "next": lambda value: next(value),
    "reversed": lambda value: reversed(value),
    "enter": lambda value: value.__enter__(),
    "exit": _leave,
    "type": type,
    "dir": dir,
    "plain": _plain,
    "signature": _signature,
    "is instance": lambda kind, value: isinstance(value, kind),
    "is instance of": isinstance,
    "is subclass": issubclass,
    "==": operator.eq,
    "!=": operator.ne,
    "hash": hash,
    "pow": pow,
    "neg": operator.neg,
    "pos": operator.pos,
    "abs": abs,
    "invert": operator.invert,
    "round": round,
    "int": int,
    "float": float,
    "complex": complex,
    "index": operator.index,
    "divmod": divmod,
}


def _turned(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda one, other: function(other, one)


for _name in (*_BINARY, *_BITS):
    _function = getattr(operator, f"__{_name}__")
    OPERATORS[_name] = _function
    OPERATORS[f"r{_name}"] = _turned(_function)
    OPERATORS[f"i{_name}"] = getattr(operator, f"__i{_name}__")
OPERATORS |= {name: getattr(operator, name) for name in ("lt", "le", "gt", "ge")}
