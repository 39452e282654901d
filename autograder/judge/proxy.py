"""Stand-ins: what a test cell holds in place of the student's functions, classes and objects.

The test may call them, read and set their attributes, iterate over them, enter them, and use
`str`, `repr`, `len`, `bool`, `in`, items and `isinstance`. Every answer is made of exact types, or
is another stand-in. Operators that tell an object what is expected of it, `==` and `-` for example,
are asked only where the answer key's objects were asked them (`uses.py`); else two stand-ins are
equal if they stand for the same object, and an object of a subclass of `int`, `list` or the like is
taken for the plain value that it holds. Another object is asked whether it is equal to plain data
when it was seen to hold just that. `repr(game)` asks the object, but in lists and messages
each shows itself as `<Game object>`.
"""

import inspect
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import make_dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

from autograder.course import Answer
from autograder.judge.reference import Reference

Plain = TypeVar("Plain")
_MOST_ITEMS = 10_000
_LONGEST = 20_000  # characters of what `str` and `repr` of an object give
_NUMBERS = (int, float, complex)
_LISTS = (list, tuple)
_NOUNS = {
    "function": "function",
    "class": "class",
    "instance": "object",
    "iterator": "object",
    "callable instance": "object",
}


class StandIn:
    """Stands for one object in the jail."""

    __slots__ = ("__reference",)
    __reference: Reference
    __array_ufunc__ = None  # numpy leaves operators to it

    def __init__(self, reference: Reference) -> None:
        object.__setattr__(self, "_StandIn__reference", reference)

    def __getattr__(self, name: str) -> Any:
        # What Python and its libraries ask of any object is not asked of the student's.
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return reference_of(self).attribute(name)

    def __take_steps__(self, steps: list[Any]) -> tuple[list[Any], Exception | None]:
        """Several steps in one message, as `course.answers.take_steps` has them."""
        return reference_of(self).take_steps(steps)

    def __setattr__(self, name: str, value: Any) -> None:
        reference_of(self).operate("set", name, value)

    def __delattr__(self, name: str) -> None:
        reference_of(self).operate("delete", name)

    def __str__(self) -> str:
        return _text(reference_of(self).operate("str"))

    def __format__(self, how: str) -> str:
        return _text(reference_of(self).operate("format", how))

    def __repr__(self) -> str:
        """What a message shows, which may hold any number of objects: none of them is asked."""
        reference = reference_of(self)
        return f"<{reference.type_name or reference.label} {_NOUNS[reference.kind]}>"

    def __len__(self) -> int:
        reference = reference_of(self)
        if not reference.is_barred:
            return _checked(reference.operate("len"), int)
        with reference.blindly():
            length = _checked(reference.operate("len"), int)
        if length != len(_items(reference)):
            raise TypeError(f"{self!r} has not as many items as it says")
        return length

    def __bool__(self) -> bool:
        return _checked(reference_of(self).operate("bool"), bool)

    def __getitem__(self, key: Any) -> Any:
        reference = reference_of(self)
        if reference.is_barred and isinstance(key, int | slice):
            return _items(reference)[key]
        return reference.operate("item", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        reference_of(self).operate("set item", key, value)

    def __delitem__(self, key: Any) -> None:
        reference_of(self).operate("delete item", key)

    def __contains__(self, item: Any) -> bool:
        reference = reference_of(self)
        if reference.may_ask("contains"):
            return _checked(reference.operate("contains", item), bool)
        return any(one is item or one == item for one in self)

    def __iter__(self) -> Iterator[Any]:
        reference = reference_of(self)
        return iter(_items(reference)) if reference.is_barred else _iter(reference)

    def __reversed__(self) -> Iterator[Any]:
        return _iterator(reference_of(self).operate("reversed"))

    def __enter__(self) -> Any:
        return reference_of(self).operate("enter")

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        said = None if error is None else [type(error), str(error)]
        is_handled = bool(_checked(reference_of(self).operate("exit", said), bool))
        # what the test itself found, or the answer key's let pass, is never kept from it
        return (
            is_handled
            and not isinstance(error, AssertionError)
            and reference_of(self).may_ask("handles")
        )

    def __eq__(self, other: object) -> Any:
        reference = reference_of(self)
        if reference.may_ask("=="):
            return reference.operate("==", other)
        if isinstance(other, StandIn):
            return reference.is_same(reference_of(other))
        if reference.plain:
            return reference.content() == other
        with reference.blindly():
            return _holds(self, other) and reference.operate("==", other)

    def __ne__(self, other: object) -> Any:
        reference = reference_of(self)
        return reference.operate("!=", other) if reference.may_ask("!=") else not self == other

    def __hash__(self) -> int:
        reference = reference_of(self)
        if reference.may_ask("hash"):
            return _checked(reference.operate("hash"), int)
        return hash(reference.content() if reference.is_frozen else reference.number)

    def __copy__(self) -> "StandIn":
        return self

    def __deepcopy__(self, memo: Any) -> "StandIn":
        return self


def _asked(sign: str, plainly: Callable[..., Any]) -> Callable[..., Any]:
    """An operator: the object is asked, or what it plainly holds takes its place."""

    def operate(self: StandIn, *operands: Any) -> Any:
        reference = reference_of(self)
        if reference.may_ask(sign):
            return reference.operate(sign, *operands)
        if reference.plain:
            return plainly(reference.content(), *operands)
        raise TypeError(f"{sign}: {self!r} came back where the answer key has plain data")

    return operate


def _turned(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda one, other: function(other, one)


_BINARY = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow")
_BITS = ("and", "or", "xor", "lshift", "rshift")
_ORDER = ("lt", "le", "gt", "ge")
_UNARY: dict[str, Callable[..., Any]] = {
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
for _name in (*_BINARY, *_BITS):
    _function = getattr(operator, f"__{_name}__")
    setattr(StandIn, f"__{_name}__", _asked(_name, _function))
    setattr(StandIn, f"__r{_name}__", _asked(f"r{_name}", _turned(_function)))
    setattr(StandIn, f"__i{_name}__", _asked(f"i{_name}", _function))
for _name in _ORDER:
    setattr(StandIn, f"__{_name}__", _asked(_name, getattr(operator, _name)))
for _name, _function in _UNARY.items():
    setattr(StandIn, f"__{_name}__", _asked(_name, _function))


class IteratorStandIn(StandIn):
    """Stands for a generator or another iterator: each `next` asks for one more value."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return reference_of(self).operate("next")


class CallableStandIn(StandIn):
    """Stands for something that can be called: a function, a method, a class, an object."""

    __slots__ = ()

    @property
    def __name__(self) -> str:
        return reference_of(self).name

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        return reference_of(self).attribute("__doc__")

    @property
    def __signature__(self) -> inspect.Signature:
        return _signature(_checked(reference_of(self).operate("signature"), list))

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return reference_of(self).call(arguments, options)

    def call_many(self, calls: list[list[Any]], steps: Sequence[Any] = ()) -> list[Answer]:
        """Calls it once for each list of arguments, all in one message, in the time of one call.

        With `steps`, each object that a call gives is asked these; see `course.answers`.
        """
        return reference_of(self).call_many(calls, steps)

    def values_many(self, calls: list[list[Any]], steps: Sequence[Any] = ()) -> list[Answer]:
        """The same, but what became of the arguments is not said."""
        return reference_of(self).call_many(calls, steps, only_values=True)

    def __made__(
        self, arguments: list[Any], steps: list[Any]
    ) -> tuple[Any, list[Any], Exception | None]:
        """A new object, and several steps with it, in one message."""
        return reference_of(self).made(arguments, steps)

    def __instancecheck__(self, instance: object) -> bool:
        if not isinstance(instance, StandIn):
            return False
        return _checked(reference_of(self).operate("is instance", instance), bool)


def shown(value: Any) -> str:
    """What `repr` gives in a test cell: a stand-in asks its object."""
    if isinstance(value, StandIn):
        return _text(reference_of(value).operate("repr"))
    return repr(value)


def reference_of(stand_in: StandIn) -> Reference:
    """What knows the object."""
    reference: Reference = object.__getattribute__(stand_in, "_StandIn__reference")
    return reference


def make_stand_in(reference: Reference) -> StandIn:
    """The stand-in that fits the kind of object a reference knows."""
    kind = _KINDS.get(reference.kind, CallableStandIn)
    if reference.fields:
        kind = _data_class(kind, reference.fields)  # type: ignore[arg-type]
    return kind(reference)


_KINDS: dict[str, type[StandIn]] = {"instance": StandIn, "iterator": IteratorStandIn}


@lru_cache(maxsize=256)
def _data_class(kind: type[StandIn], fields: tuple[str, ...]) -> type[StandIn]:
    """Stand-ins that `dataclasses.fields`, `asdict` and the like take for a data class."""
    try:
        made = make_dataclass("_", fields)
    except (TypeError, ValueError):
        return kind
    known = {"__slots__": (), "__dataclass_fields__": vars(made)["__dataclass_fields__"]}
    return type(kind.__name__, (kind,), known)


def _holds(stand_in: StandIn, other: Any) -> bool:
    """Whether an object gives the same as some plain data, before it is told what is expected."""
    kind = type(other)
    try:
        if kind in _NUMBERS:
            return bool(reference_of(stand_in).operate(kind.__name__) == other)
        if kind is str:
            return bool(str(stand_in) == other)
        if kind is dict:
            return [(key, stand_in[key]) for key in stand_in] == list(other.items())
        items = list(islice(stand_in, len(other) + 1)) if kind in _LISTS else None
        return items == list(other) if items is not None else False
    except Exception:
        return False


def _items(reference: Reference) -> list[Any]:
    """What an object holds that came where the answer key has plain data: it is read once."""
    if reference.items is None:
        with reference.blindly():
            reference.items = list(islice(_iter(reference), _MOST_ITEMS))
    return reference.items


def _iter(reference: Reference) -> Iterator[Any]:
    return _iterator(reference.operate("iter"))


def _iterator(found: Any) -> Iterator[Any]:
    return found if isinstance(found, IteratorStandIn) else iter(_checked(found, list))


def _signature(said: list[Any]) -> inspect.Signature:
    """A signature from its parts: name, kind, and default or nothing, each."""
    parameters = []
    for name, kind, *default in said:
        empty = inspect.Parameter.empty
        how = {"default": default[0] if default else empty}
        parameters.append(inspect.Parameter(name, inspect._ParameterKind(kind), **how))
    return inspect.Signature(parameters)


def _checked(value: Any, kind: type[Plain]) -> Plain:
    if type(value) is not kind:
        raise TypeError(f"the answer is not a {kind.__name__}")
    return value


def _text(value: Any) -> str:
    """A test may take its time over a text, and nobody would stop it."""
    if len(text := _checked(value, str)) > _LONGEST:
        raise ValueError(f"a text of {len(text):,} characters is too long")
    return text
