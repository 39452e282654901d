"""One kind of value: its parts, how it is made of them, and how one becomes like another."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """One type of values that cross by their parts.

    `parts` takes a value apart, or raises `Unfit`. `make` puts parts of any types together again,
    or raises an error. `renew` makes the first value what the second is; `None` where values of
    this kind never change.
    """

    type: type
    parts: Callable[[Any], Sequence[Any]]
    make: Callable[..., Any]
    renew: Callable[[Any, Any], None] | None = None


def exactly(value: Any, *types: type) -> Any:
    """The value, if its type is one of these and no subclass; raises `TypeError`.

    >>> exactly(3, int, float)
    3
    """
    if type(value) not in types:
        raise TypeError("a part is of another type")
    return value
