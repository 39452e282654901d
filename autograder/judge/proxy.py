"""Stand-ins: what a test cell holds in place of the student's functions, classes and objects.

The test may call them, read and set their attributes, and use `str`, `repr`, `len`, `bool`, `in`,
items and `isinstance`. Every answer is made of exact built-in types, or is another stand-in. Two
stand-ins are equal only if they stand for the same object: the student's `__eq__` is never asked.
`repr(game)` asks the object, but in lists and messages each shows itself as `<Game object>`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from autograder.course import Answer
from autograder.judge.reference import Reference

Plain = TypeVar("Plain")
_LONGEST = 20_000  # characters of what `str` and `repr` of an object give
_NOUNS = {
    "function": "function",
    "class": "class",
    "instance": "object",
    "callable instance": "object",
}


class StandIn:
    """Stands for one object in the jail."""

    __slots__ = ("__reference",)
    __reference: Reference

    def __init__(self, reference: Reference) -> None:
        object.__setattr__(self, "_StandIn__reference", reference)

    def __getattr__(self, name: str) -> Any:
        # What Python and its libraries ask of any object is not asked of the student's.
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return reference_of(self).attribute(name)

    def __setattr__(self, name: str, value: Any) -> None:
        reference_of(self).operate("set", name, value)

    def __delattr__(self, name: str) -> None:
        reference_of(self).operate("delete", name)

    def __str__(self) -> str:
        return _text(reference_of(self).operate("str"))

    def __repr__(self) -> str:
        """What a message shows, which may hold any number of objects: none of them is asked."""
        reference = reference_of(self)
        return f"<{reference.type_name or reference.label} {_NOUNS[reference.kind]}>"

    def __len__(self) -> int:
        return _checked(reference_of(self).operate("len"), int)

    def __bool__(self) -> bool:
        return _checked(reference_of(self).operate("bool"), bool)

    def __getitem__(self, key: Any) -> Any:
        return reference_of(self).operate("item", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        reference_of(self).operate("set item", key, value)

    def __delitem__(self, key: Any) -> None:
        reference_of(self).operate("delete item", key)

    def __contains__(self, item: Any) -> bool:
        return _checked(reference_of(self).operate("contains", item), bool)

    def __iter__(self) -> Iterator[Any]:
        return iter(_checked(reference_of(self).operate("items"), list))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StandIn) and reference_of(self).is_same(reference_of(other))

    def __hash__(self) -> int:
        return hash(reference_of(self).number)

    def __copy__(self) -> "StandIn":
        return self

    def __deepcopy__(self, memo: Any) -> "StandIn":
        return self


class CallableStandIn(StandIn):
    """Stands for something that can be called: a function, a method, a class, an object."""

    __slots__ = ()

    @property
    def __name__(self) -> str:
        return reference_of(self).name

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        return reference_of(self).attribute("__doc__")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return reference_of(self).call(arguments, options)

    def call_many(self, calls: list[list[Any]], steps: Sequence[Any] = ()) -> list[Answer]:
        """Calls it once for each list of arguments, all in one message, in the time of one call.

        With `steps`, each object that a call gives is asked these; see `course.answers`.
        """
        return reference_of(self).call_many(calls, steps)

    def aside(self, question: str, find_out: Callable[[], Any]) -> Any:
        """What is found out about it for a hint: once, and in time that is no test's."""
        return reference_of(self).aside(question, find_out)

    def own_helpers(self) -> dict[str, Any]:
        """The functions of the student's own that its code names, by these names."""
        found = _checked(reference_of(self).operate("own helpers"), dict)
        return {_text(name): value for name, value in found.items() if isinstance(value, StandIn)}

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
    return StandIn(reference) if reference.kind == "instance" else CallableStandIn(reference)


def _checked(value: Any, kind: type[Plain]) -> Plain:
    if type(value) is not kind:
        raise TypeError(f"the answer is not a {kind.__name__}")
    return value


def _text(value: Any) -> str:
    """A test may take its time over a text, and nobody would stop it."""
    if len(text := _checked(value, str)) > _LONGEST:
        raise ValueError(f"a text of {len(text):,} characters is too long")
    return text
