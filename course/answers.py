"""Asking a function: what one call gave, many calls at once, and when two answers are the same."""

import linecache
import re
import sys
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from io import StringIO
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from course.printed import first_lines

MISSING = "your code is still missing here"

# Where the types are from whose `==` can be trusted with keys.
PLAIN = ("builtins", "fractions", "decimal", "datetime", "numpy")


class NoAnswer(BaseException):
    """A function under test did not come back: it ran too long, or took its process with it.

    No test can take it for an answer, so it is not an `Exception`. `diagnosis` is the misconception
    that the function shows, if one is known. `is_late` is whether it ran too long.
    """

    diagnosis: Any = None
    is_late = True


# "set", an attribute, its value; "call", a method, its arguments; "get", an attribute; or "text".
Step = tuple[Any, ...]


@dataclass(frozen=True)
class Seeded:
    """An argument of a call under test: each call gets a new `Random` of this seed."""

    seed: int


@dataclass(frozen=True)
class Answer:
    """What one call gave: a value or an exception, and the arguments as they are after the call.

    `printed` is whether it was seen to print something.
    """

    value: Any
    error: Exception | None
    arguments: tuple[Any, ...]
    printed: bool = False


@dataclass(frozen=True)
class Failure:
    """The answer to one call that a check has found to be wrong.

    `given` are the arguments of the call, before it. `is_change` is whether it is wrong that an
    argument is changed, and not what is answered.
    """

    given: tuple[Any, ...]
    got: Answer
    is_change: bool = False


class Place(NamedTuple):
    """A line of a learner's program: its number in the cell, the function it is in, its text."""

    number: int
    function: str
    code: str


def call_many(
    function: Callable[..., Any],
    calls: Sequence[tuple[Any, ...]],
    steps: Sequence[Step] = (),
    only_values: bool = False,
) -> list[Answer]:
    """Calls a function once for each tuple of arguments, on copies, and returns the answers.

    Where `only_values` count, a function that is elsewhere need not send the arguments back. With
    `steps`, an answer is not the object that a call gives, but what that is asked then: the list
    of all that is `"get"`.

    >>> from course.rules import Game
    >>> steps = [("set", "board", [[2, 2]]), ("call", "move", "left"), ("get", "score")]
    >>> call_many(Game, [(1, 2)], steps)[0].value
    [4]
    """
    batch = getattr(function, "values_many", None) if only_values else None
    batch = batch or getattr(function, "call_many", None)
    if batch is not None:
        listed = [list(arguments) for arguments in calls]
        return list(batch(listed, steps) if steps else batch(listed))
    asked = partial(_asked, function, steps) if steps else function
    with first_lines():
        return [_call(asked, copied(arguments)) for arguments in calls]


def _asked(function: Callable[..., Any], steps: Sequence[Step], *arguments: Any) -> list[Any]:
    thing, got = function(*arguments), []
    for step in steps:
        answer = _taken(thing, *step)
        if step[0] == "get":
            got.append(deepcopy(answer))
    return got


def take_steps(thing: Any, steps: Sequence[Step]) -> tuple[list[Any], Exception | None]:
    """What each step with an object gives, up to the first that raises an error; and that error.

    An object that is elsewhere is asked in one message. Lists come as they are after their step.

    >>> take_steps([2], [("call", "append", 4), ("call", "copy"), ("text",), ("get", "tile")])
    ([None, [2, 4], '[2, 4]'], AttributeError("'list' object has no attribute 'tile'"))
    """
    elsewhere = getattr(type(thing), "__take_steps__", None)
    if elsewhere is not None:
        answers, error = elsewhere(thing, [list(step) for step in steps])
        return answers, error
    answers = []
    for step in steps:
        try:
            answer = _taken(thing, *step)
        except Exception as error:
            return answers, error
        answers.append(deepcopy(answer) if type(answer) is list else answer)
    return answers, None


def made(
    make: Callable[..., Any], arguments: Sequence[Any], steps: Sequence[Step]
) -> tuple[Any, list[Any], Exception | None]:
    """A new object of a class, and what `take_steps` gives of it; raises what making it raises.

    >>> made(list, ["ab"], [("call", "copy")])
    (['a', 'b'], [['a', 'b']], None)
    """
    elsewhere = getattr(type(make), "__made__", None)
    if elsewhere is not None and not any(isinstance(one, Random) for one in arguments):
        thing, answers, error = elsewhere(make, list(arguments), [list(step) for step in steps])
        return thing, answers, error
    thing = make(*(Random(one.seed) if type(one) is Seeded else one for one in arguments))
    return thing, *take_steps(thing, steps)


def _taken(thing: Any, kind: str, name: str = "", *given: Any) -> Any:
    if kind == "text":
        return str(thing)
    if kind == "get":
        return getattr(thing, name)
    if kind == "set":
        return setattr(thing, name, *deepcopy(given))
    return getattr(thing, name)(*deepcopy(given))


def copied(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a call, copied all the way down; each number is an object of its own.

    Python may keep equal numbers that are written in one cell as one object. On a board that is
    played they are two, and `is` tells them apart; so it is here. A `Random` is copied by its
    state, which is ten times quicker than copying it as an object; one that is `Seeded` is made.

    >>> line = copied(([512, 512],))[0]
    >>> line[0] == line[1], line[0] is line[1]
    (True, False)
    """
    copies: dict[int, Any] = {}
    return tuple(_twin(argument, copies) for argument in arguments)


def _twin(value: Any, copies: dict[int, Any]) -> Any:
    """A copy of a value; what is one object here, is one object there, but for numbers."""
    kind = type(value)
    if kind is int:
        return value + 1 - 1  # an object of its own
    if kind is Seeded:
        return Random(value.seed)
    if kind is not list and kind is not Random:
        return deepcopy(value, copies)
    if (twin := copies.get(id(value))) is not None:
        return twin
    if kind is Random:
        twin = copies[id(value)] = Random()
        twin.setstate(value.getstate())
    else:
        twin = copies[id(value)] = []
        twin += [_twin(one, copies) for one in value]
    return twin


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Answer:
    before = _printed()
    try:
        value = function(*arguments)
    except Exception as error:
        return Answer(None, error, arguments, _printed() > before)
    return Answer(value, None, arguments, _printed() > before)


def _printed() -> int:
    """How many characters were printed so far, where they are kept to be counted."""
    return sys.stdout.tell() if isinstance(sys.stdout, StringIO) else 0


def error_text(error: Exception) -> str:
    """An error in words, and the line of the notebook that it comes from, where there is one.

    >>> error_text(ValueError("the board is full")), error_text(NotImplementedError())
    ('ValueError: the board is full', 'NotImplementedError: your code is still missing here')
    """
    message = str(error)
    if not message and isinstance(error, NotImplementedError):
        return f"{type(error).__name__}: {MISSING}"
    place = place_of(error)
    where = f"\n            in line {place.number}: {place.code}" if place and place.code else ""
    return type(error).__name__ + (f": {message}" if message else "") + where


def lacks(error: BaseException, name: str) -> bool:
    """Whether an error says that an object has no part of that name.

    >>> lacks(AttributeError("'Game' object has no attribute 'move'"), "move")
    True
    """
    return isinstance(error, AttributeError) and f"no attribute '{name}'" in str(error)


def lacks_text(class_name: str, name: str) -> str:
    """What to do where a class that grows method by method has no part of that name.

    >>> print(lacks_text("Game", "move"))
    Game has no move yet. Run the cell with `def move` below `@add_to(Game)`. If you have run the \
cell of the class again, run the cells of all its methods again, too.
    """
    return (
        f"{class_name} has no {name} yet. Run the cell with `def {name}` below "
        f"`@add_to({class_name})`. If you have run the cell of the class again, run the cells of "
        "all its methods again, too."
    )


def has_no_text(text: Any) -> bool:
    """Whether a text is Python's own, of an object whose class has no `__str__`.

    >>> has_no_text(str(object())), has_no_text("Score: 12")
    (True, False)
    """
    return type(text) is str and bool(re.fullmatch(r"<\S+ object at 0x[0-9a-f]+>", text))


def place_of(error: BaseException, source: str | None = None) -> Place | None:
    """The innermost line of the learner's own that an error passed.

    The learner's own is what a cell defines, and what comes from the file `source`.
    """
    place, entry = None, error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if code.co_filename == source or entry.tb_frame.f_globals.get("__name__") == "__main__":
            text = linecache.getline(code.co_filename, entry.tb_lineno).strip()
            place = Place(entry.tb_lineno, code.co_name, text)
        entry = entry.tb_next
    return place


def same(first: Any, second: Any) -> bool:
    """Two plain values are the same if they are equal and of the same types all the way down.

    The order of a dictionary or a set does not count; `nan` is the same as `nan`. Of values that
    are not plain, the types are compared first, and only then what their `==` says.

    >>> same([1, (2, 3)], [1, (2, 3)]), same([1], [True]), same([1], (1,))
    (True, False, False)
    >>> same({1}, {True}), same({"a": {1: 2}}, {"a": {True: 2}}), same({(2, 0)}, {(2, 0)})
    (False, False, True)
    """
    if _are_numbers(first, second):
        return bool(first == second)
    pairs = [(first, second)]
    met: dict[tuple[int, int], Any] = {}
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            return False
        # What two values share is looked at once, and a list that holds itself comes to an end.
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


def _are_numbers(first: Any, second: Any) -> bool:
    """Whether two values are lists of whole numbers, or lists of such lists."""
    if type(first) is not list or type(second) is not list:
        return False
    kinds = {*map(type, first), *map(type, second)}
    if kinds == {list}:
        kinds = {*map(type, chain(*first, *second))}
    return kinds == {int}


def same_in_any_order(first: Any, second: Any) -> bool:
    """Two lists are the same but for the order of what is in them.

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
    """What a container holds, each at its place; `None` if the value is no plain container."""
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
    """A key or an element of a set beside its type, so that `1` and `True` stay apart.

    Where the type is not plain, only one and the same object counts as equal.
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
    except Exception:  # an `==` that can not tell
        return False
