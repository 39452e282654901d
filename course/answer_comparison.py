"""Comparison of two answers: they and all their elements must be equal in value and in type."""

import inspect
from itertools import chain
from typing import Any

KINDS: dict[type, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number with a point",
    str: "a text, in quotes",
    list: "a list, in square brackets",
    tuple: "a tuple, in round brackets",
    type(None): "None",
}
NOTHING = "None means that nothing was given back"

# Keys are compared with `==` only if their types are defined in these modules.
PLAIN = ("builtins", "fractions", "decimal", "datetime", "numpy")


def same(first: Any, second: Any) -> bool:
    """Return true if two values, and all the elements in them, are equal in value and in type.

    The order in a dictionary or a set does not count, and `nan` is the same as `nan`.

    >>> same([1, (2, 3)], [1, (2, 3)]), same([1], [True]), same([1], (1,))
    (True, False, False)
    """
    if _are_numbers(first, second):
        return bool(first == second)
    pairs = [(first, second)]
    met: dict[tuple[int, int], Any] = {}
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            return False
        # Each pair is compared only once, so that the loop ends even for a list that holds itself.
        if one is other or (id(one), id(other)) in met:
            continue
        inside, opposite = _inside(one), _inside(other)
        if inside is None or opposite is None:
            if not _equal(one, other):
                return False
        elif inside.keys() != opposite.keys():
            return False
        else:
            met[id(one), id(other)] = one, other
            pairs += [(inside[place], opposite[place]) for place in inside]
    return True


def wrong_kind(got: Any, wanted: Any) -> str | None:
    """Return a sentence if `got`, or an element in it, differs from `wanted` in type; else `None`.

    >>> print(wrong_kind([[0, 1]], [(0, 1)]))
    in it, [0, 1] is a list, in square brackets; expected is a tuple, in round brackets
    """
    if got is None and wanted is not None:
        return NOTHING
    if type(got) is not type(wanted):
        return _kinds("this", got, wanted)
    if type(got) in (list, tuple) and len(got) == len(wanted):
        for one, other in zip(got, wanted, strict=True):
            if type(one) is not type(other):
                return _kinds(f"in it, {one!r}", one, other)
    return None


def _kinds(name: str, got: Any, wanted: Any) -> str | None:
    """Return a sentence on the types of `got` and `wanted`; `None` if `KINDS` lacks words for them.

    In the sentence, `name` stands for `got`. If `got` is a function or method, the sentence asks
    about a likely mistake.
    """
    if type(wanted) not in KINDS or isinstance(wanted, type):
        return None
    if type(got) is bool and type(wanted) is not bool:
        name = name if name == "this" else "in it, one"
        return f"{name} is {got}; expected is {KINDS[type(wanted)]}"
    if type(got) in KINDS:
        return f"{name} is {KINDS[type(got)]}; expected is {KINDS[type(wanted)]}"
    if inspect.ismethod(got):
        return f"{name} is a method, not its answer: is @property above its def, below @add_to?"
    if callable(got):
        return f"{name} is a function or method that was not called; are its brackets missing?"
    return None


def _are_numbers(first: Any, second: Any) -> bool:
    """Return true if both values are lists of whole numbers, or both are lists of such lists."""
    if type(first) is not list or type(second) is not list:
        return False
    kinds = {*map(type, first), *map(type, second)}
    if kinds == {list}:
        kinds = {*map(type, chain(*first, *second))}
    return kinds == {int}


def same_in_any_order(first: Any, second: Any) -> bool:
    """Return true if two lists hold the same elements, in any order.

    If one of the two is no list, they are compared with `same`.

    >>> same_in_any_order([(0, 2), (1, 0)], [(1, 0), (0, 2)]), same_in_any_order([1, 1], [1])
    (True, False)
    """
    if type(first) is not list or type(second) is not list:
        return same(first, second)
    left = list(second)
    for one in first:
        place = next((index for index, other in enumerate(left) if same(one, other)), None)
        if place is None:
            return False
        del left[place]
    return not left


def _inside(value: Any) -> dict[Any, Any] | None:
    """Return a dictionary of what a container holds; `None` if `value` is no container.

    Its keys are the indices of a list, the keys of a dictionary, or the elements of a set.
    """
    if isinstance(value, list | tuple):
        return dict(enumerate(value))
    if isinstance(value, dict):
        return {_typed(key): item for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return dict.fromkeys(map(_typed, value))
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return {"dtype": str(value.dtype), "shape": value.shape, "values": value.tolist()}
    return None


def _typed(key: Any) -> Any:
    """Return a dictionary's key, or a set's element, with its type, so that `1` and `True` differ.

    A value whose type is defined in no module of `PLAIN` is replaced by its `id`, so that it equals
    only itself.
    """
    kind = type(key)
    if isinstance(key, tuple):
        return kind, *map(_typed, key)
    if isinstance(key, frozenset):
        return kind, frozenset(map(_typed, key))
    if kind is float:
        return kind, "nan" if key != key else key
    return kind, key if kind.__module__ in PLAIN else id(key)


def _equal(one: Any, other: Any) -> bool:
    if type(one) is float and one != one:
        return bool(other != other)
    try:
        return bool(one == other)
    except Exception:  # an `==` that raises an error, or whose answer is no truth value
        return False
