"""Observing a function: its answers to the probes and to more calls, as plain data."""

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from random import Random
from typing import Any

from course.answers import Answer, NoAnswer, call_many, same
from course.cases import SQUARES, each_direction, every_line, random_boards, random_lines
from course.deadline import deadline
from course.heard import heard
from course.hints.chance import spawning, starting, taking_turns
from course.hints.clearing import clearing
from course.hints.facts import SHORT, digest
from course.hints.objects import playing, using
from course.rules.board import DIRECTIONS, Board

Function = Callable[..., Any]
Call = tuple[str, tuple[Any, ...]]

SECONDS = 1.0

# The kinds of answers that are told in full; of any other answer, only its kind is told.
EXACT = ("bool", "int", "list", "list of int", "list of list", "list of tuple", "tuple of int")

ANY_ORDER = "answers in any order"
AS_HEARD = "speaking"
TOLD = ("telling", AS_HEARD)  # observers that tell texts and squares in full, too
ANSWERS = ("answers", ANY_ORDER, *TOLD)


def observe(
    function: Function, observer: str, probes: list[str], seconds: float = SECONDS
) -> list[Any] | None:
    """Return the answers of a function to its probes, as one of the `OBSERVERS` sees them.

    A probe is the text of a call. What the function prints is not shown. The answers are a list of
    plain data, or `None` if the function does not come back.
    """
    try:
        return see(function, observer, probes, seconds)
    except NoAnswer:
        return None


def see(
    function: Function, observer: str, probes: list[str], seconds: float = SECONDS
) -> list[Any]:
    """Return the same as `observe`; raise `NoAnswer` if the function does not come back."""
    calls = [call_of(probe) for probe in probes]
    with watched(function, seconds):
        return OBSERVERS[observer](function, calls)


def has_printed(function: Function, probes: list[str]) -> bool:
    """Return true if a function prints something on one of its probes.

    Raises `NoAnswer` if it does not come back.
    """
    with watched(function):
        return any(
            answer.printed for answer in call_many(function, [call_of(p)[1] for p in probes])
        )


@contextmanager
def watched(function: Function, seconds: float = SECONDS) -> Iterator[None]:
    """Hide what the code inside prints, and raise `NoAnswer` if it does not come back in time."""
    with deadline(seconds), redirect_stdout(StringIO()):
        yield


def call_of(probe: str) -> Call:
    """Return the name and the arguments of a call written as text, with plain values in it.

    >>> call_of("traverse((0, 3), (0, -1), 3)")
    ('traverse', ((0, 3), (0, -1), 3))
    """
    node = ast.parse(probe, mode="eval").body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return node.func.id, tuple(map(ast.literal_eval, node.args))


def answers(function: Function, calls: list[Call]) -> list[dict[str, Any]]:
    """Return what each call gave: the value if it is of an `EXACT` kind, such as a board.

    Each is `{"gives": value}`, or `{"gives a": kind}`, or `{"raises": kind}`; a call that changes
    an argument also has `"changes": True`.
    """
    return _facts(function, calls, _by_kind)


def telling(function: Function, calls: list[Call]) -> list[dict[str, Any]]:
    """Return the same as `answers`, but all values in full, also a text or a tuple."""
    return _facts(function, calls, _exactly)


def speaking(function: Function, calls: list[Call]) -> list[dict[str, Any]]:
    """Return the same as `telling`, but of a text what a listener hears of it."""

    def as_heard(value: Any) -> dict[str, Any]:
        return _exactly(heard(value) if type(value) is str else value)

    return _facts(function, calls, as_heard)


def in_any_order(function: Function, calls: list[Call]) -> list[dict[str, Any]]:
    """Return the same as `answers`, for a function whose list may be in any order: it is sorted.

    A list of texts, such as directions, is told in full, too.
    """

    def told(value: Any) -> dict[str, Any]:
        is_texts = _kind(value) == "list of str"
        return {"gives": sorted(value)} if is_texts else _by_kind(sorted_if_list(value))

    return _facts(function, calls, told)


def sorted_if_list(value: Any) -> Any:
    """Return a list in order, whatever it holds, and any other value as it is."""
    return sorted(value, key=repr) if type(value) is list else value


def game(make: Function, probes: list[Call]) -> list[Any]:
    """Return the facts about a class `Game`; see `course.hints.drive` for what a probe is."""
    # Imported here, because where learners' code is graded there are no rules to import.
    from course.hints.drive import drive

    return drive(make, probes)


OBSERVERS: dict[str, Callable[[Function, list[Call]], list[Any]]] = {
    "answers": answers,
    ANY_ORDER: in_any_order,
    "clearing": clearing,
    "game": game,
    AS_HEARD: speaking,
    "playing": playing,
    "spawning": spawning,
    "starting": starting,
    "taking turns": taking_turns,
    "telling": telling,
    "using": using,
}


def without_changes(fact: Any) -> Any:
    """Return a fact without what it says about changed arguments."""
    if not isinstance(fact, dict):
        return fact
    return {key: value for key, value in fact.items() if key != "changes"}


Told = Callable[[Any], dict[str, Any]]


def _facts(function: Function, calls: list[Call], told: Told) -> list[dict[str, Any]]:
    arguments = [arguments for _, arguments in calls]
    asked = zip(arguments, call_many(function, arguments), strict=True)
    return [_given(answer, told) | _changed(before, answer) for before, answer in asked]


def _given(answer: Answer, told: Told) -> dict[str, Any]:
    error = answer.error
    return told(answer.value) if error is None else {"raises": type(error).__name__}


def _by_kind(value: Any) -> dict[str, Any]:
    kind = _kind(value)
    return {"gives": value} if kind in EXACT else {"gives a": kind}


def _exactly(value: Any) -> dict[str, Any]:
    # An error that is returned, not raised: it cannot be sent from where learners' code is graded.
    return {"raises": "Exception"} if isinstance(value, Exception) else {"gives": value}


def _changed(before: tuple[Any, ...], answer: Answer) -> dict[str, Any]:
    """Return `{"changes": True}` if an argument was changed, and `{}` if not.

    A call that raises does not count, since it may leave anything half done.
    """
    if answer.error is not None or same(before, answer.arguments):
        return {}
    return {"changes": True}


def _kind(value: Any) -> str:
    name = type(value).__name__
    if name in ("list", "tuple") and value:
        inside = {type(item).__name__ for item in value}
        return f"{name} of {inside.pop()}" if len(inside) == 1 else f"{name} of this and that"
    return name


LARGE = 1024  # boards with such a tile or a larger one are about winning


def more_seen(function: Callable[..., Any], observer: str, probes: list[str]) -> str:
    """Return one digest of what a function shows on more calls; it is empty if there are none.

    Two programs that agree on all probes and in this digest have the same mistake. Whether
    arguments are changed does not count. Raises `NoAnswer` if the function does not come back.
    """
    if observer not in ANSWERS:
        return ""
    name = call_of(probes[0])[0]
    with watched(function):
        seen = OBSERVERS[observer](function, [(name, given) for given in more_like(probes)])
    facts = list(map(without_changes, seen))
    return digest(facts)[:SHORT] if facts else ""


def more_like(probes: list[str]) -> list[tuple[Any, ...]]:
    """Return the arguments of more calls: all allowed, and of the same kinds as the first probe's.

    The list is empty for probes of other kinds, and for duels.
    """
    if any(map(_has_owners, probes)):
        return []
    first = call_of(probes[0])[1]
    chance = Random(1)
    if isinstance(first[0], int):
        return [(number, other) for number in range(12) for other in range(26)]
    if isinstance(first[0], str):
        return [(f"{letter}{number}",) for letter in "ABCEHLQYZ" for number in range(1, 13)]
    if len(first) == 1 and isinstance(first[0][0], int):
        longer = [line for length in (4, 5, 6) for line in random_lines(chance, 20, length)]
        return [(line,) for line in every_line(3, (0, 2, 4)) + longer]
    if len(first) > 3 or not isinstance(first[0], list):
        return []
    boards = [
        board
        for height, width in ((2, 3), (3, 3), (4, 2))
        for board in random_boards(chance, 8, height, width, _squares(probes))
    ]
    if len(first) == 1:
        return [(board,) for board in boards]
    if len(first) == 2 and isinstance(first[1], int) and _squares(probes) != SQUARES:
        scores = [call_of(probe)[1][1] for probe in probes]
        return [(board, chance.choice(scores)) for board in boards]
    if len(first) == 2 and isinstance(first[1], str):
        return list(each_direction(boards)) if first[1] in DIRECTIONS else []
    return list(_walks(first, boards[::6]))


def _has_owners(probe: str) -> bool:
    """Return true if a probe is about a duel: the tiles of the second player are negative."""
    given = call_of(probe)[1][0]
    return isinstance(given, list) and "-" in repr(given)


def _walks(first: tuple[Any, ...], boards: list[Board]) -> Iterator[tuple[Any, ...]]:
    """Yield arguments like those of the first probe for each row, column or square of boards."""
    for board in boards:
        rows, columns = range(len(board)), range(len(board[0]))
        squares = [(row, column) for row in rows for column in columns]
        if len(first) == 2:
            yield from ((board, row) for row in rows)
            yield from ((board, None, column) for column in columns)
        elif isinstance(first[1], int):
            yield from ((board, *square) for square in squares)
        elif isinstance(first[1], tuple):
            yield from ((board, square, way) for square in squares for way in DIRECTIONS)


def _squares(probes: list[str]) -> tuple[int, ...]:
    """Return the values that the boards of more calls are made of.

    They are those of the probes' boards if a tile there is `LARGE` or more, and else `SQUARES`.
    """
    boards = [call_of(probe)[1][0] for probe in probes]
    tiles = sorted({tile for board in boards for row in board for tile in row})
    return tuple(tiles) if tiles[-1] >= LARGE else SQUARES
