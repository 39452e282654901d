"""Observing a function: it is called on its probes (test calls), and facts about it are noted.

The facts show which known mistake is in the function. Then it is called with more arguments: these
answers confirm the known mistake, and show which general hints apply.
"""

import ast
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from random import Random
from typing import Any

from course import rules
from course.answer_comparison import same
from course.cases import SQUARES, each_direction, every_line, random_boards, random_lines
from course.deadline import deadline
from course.function_calls import Answer, call_many
from course.heard import heard, sounds_like
from course.hints.chance_facts import clearing, spawning, starting, taking_turns
from course.hints.fact_comparison import SHORT, digest
from course.hints.object_facts import Fact, game, playing, told_in, using, values_of
from course.plain_errors import place_of, said_by
from course.rules.board import DIRECTIONS

Function = Callable[..., Any]
Call = tuple[str, tuple[Any, ...]]

SECONDS = 1.0
LONGEST = 120  # characters of a value in an example
LARGE = 1024  # boards with such a tile or a larger one are about winning

# Observers of plain answers: ways to note facts. "answers" notes the value of an answer if its kind
# is in `EXACT`, else only the kind. `ANY_ORDER` does the same, but sorts lists, and also notes the
# value of lists of texts. "telling" notes each value; so does `AS_HEARD`, but of a text only the
# words that a listener hears.
ANY_ORDER, AS_HEARD = "answers in any order", "speaking"
TOLD = ("answers", ANY_ORDER, "telling", AS_HEARD)
EXACT = ("bool", "int", "list", "list of int", "list of list", "list of tuple", "tuple of int")


@dataclass(frozen=True)
class Observation:
    """The results of observing a function; equal `facts` and `more` show the same mistake.

    `facts` are plain data: one item for each probe (a test call) or, if the function draws random
    numbers, for each kind of fact. `more` is a digest (a hash) of the answers to the calls that
    `more_like` adds to the probes; it leaves out changes to arguments. `prints` is true if the
    function prints something on a probe. `answers` holds (arguments, answer) for each call, the
    probes first. For a class, `parts` holds the list of facts of each probe.
    """

    facts: list[Any]
    more: str = ""
    prints: bool = False
    answers: tuple[tuple[tuple[Any, ...], Answer], ...] = ()
    parts: tuple[list[Fact], ...] = ()

    @property
    def bare(self) -> list[Any]:
        """The facts without the notes on changed arguments; only for an observer in `TOLD`."""
        return _bare(self.facts)


def observe(
    function: Function, observer: str, probes: Sequence[str], seconds: float = SECONDS
) -> Observation:
    """Call a function on `probes`, calls written as texts, and return what is observed.

    `observer`, a name in `OBSERVERS` or `TOLD`, says which facts to note. If it is in `TOLD`, call
    the function also with the arguments from `more_like`. What the function prints is not shown.
    Raise `NoAnswer` if all the calls together take longer than `seconds`.
    """
    calls = list(map(call_of, probes))
    with deadline(seconds), redirect_stdout(StringIO()):
        if observer not in TOLD:
            seen = OBSERVERS[observer](function, calls)
            return Observation(values_of(seen), parts=tuple(list(told_in(each)) for each in seen))
        given = [arguments for _, arguments in calls]
        answers = call_many(function, given)
        facts = _facts(given, answers, observer)
        # each endless recursion takes long, and more of them show nothing new
        is_endless = any(isinstance(answer.error, RecursionError) for answer in answers)
        others = [] if is_endless else more_like(given)
        more = call_many(function, others)
        bare = _bare(_facts(others, more, observer))
    return Observation(
        facts,
        digest(bare)[:SHORT] if bare else "",
        any(answer.printed for answer in answers),
        tuple(zip([*given, *others], [*answers, *more], strict=True)),
    )


@cache
def right_observation(name: str, observer: str, probes: tuple[str, ...]) -> Observation:
    """Return the observation of the course's own function or class `name`, which is right."""
    return observe(getattr(rules, name), observer, probes, seconds=10.0)


@dataclass(frozen=True)
class AskedCall:
    """A call of a function under test: `wanted` is the right answer, `got` the function's answer.

    `text` is the call as one would type it, and `given` are the arguments before the call.
    `alike(a, b)` is true if two values count as the same answer.
    """

    text: str
    given: tuple[Any, ...]
    wanted: Answer
    got: Answer
    alike: Callable[[Any, Any], bool] = same

    @property
    def is_answered_rightly(self) -> bool:
        """True if the answer is right, even if an argument was changed."""
        if self.wanted.error is not None or self.got.error is not None:
            wanted = self.wanted.error
            return wanted is not None and isinstance(self.got.error, type(wanted))
        return self.alike(self.wanted.value, self.got.value)

    @property
    def changes(self) -> bool:
        """True if the call changed an argument, and did not raise an error."""
        return self.got.error is None and not same(self.given, self.got.arguments)

    @property
    def example(self) -> str:
        """A sentence that shows both answers or, if `got` is right, points to a changed list."""
        if self.is_answered_rightly:
            return f"Look at the list that was passed in before and after `{self.text}`."
        wanted, error = f"give `{_short(self.wanted.value)}`", self.got.error
        if self.wanted.error is not None:
            wanted = f"raise `{type(self.wanted.error).__name__}`"
        does = f"gives `{_short(self.got.value)}`"
        if error is not None:
            place = place_of(error)
            where = f" in line {place.number}, `{place.code}`" if place and place.code else ""
            if place and place.caller:
                where = " in {}, `{}`".format(*place.caller.split(": ", 1))
            where += f", where {place.reach}" if place and place.reach else ""
            said = f"{type(error).__name__}: {said_by(error)}".removesuffix(": ")
            does = f"stops with `{said[:LONGEST]}`{where}"
        return f"For example, `{self.text}` {does}, and should {wanted}."


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = type(value).__name__
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def asked(name: str, observer: str, given: tuple[Any, ...], got: Answer) -> AskedCall:
    """Return an `AskedCall`: the call with the arguments `given`, its answer, and the right one.

    `observer` decides how the two answers are compared: exactly, as lists in any order, or by the
    words that a listener hears.
    """
    [wanted] = call_many(getattr(rules, name), [given])
    if observer == ANY_ORDER:
        wanted, got = (each._replace(value=_sorted_if_list(each.value)) for each in (wanted, got))
    text = f"{name}({', '.join(map(repr, given))})"
    return AskedCall(text, given, wanted, got, sounds_like if observer == AS_HEARD else same)


def call_of(probe: str) -> Call:
    """Return the function's name and the arguments (plain values) of a call written as text.

    >>> call_of("traverse((0, 3), (0, -1), 3)")
    ('traverse', ((0, 3), (0, -1), 3))
    """
    node = ast.parse(probe, mode="eval").body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return node.func.id, tuple(map(ast.literal_eval, node.args))


OBSERVERS: dict[str, Callable[[Function, list[Call]], list[Any]]] = {
    observer.__name__.replace("_", " "): observer
    for observer in (clearing, game, playing, spawning, starting, taking_turns, using)
}


def _facts(
    given: list[tuple[Any, ...]], answers: list[Answer], observer: str
) -> list[dict[str, Any]]:
    """Return a fact for each call: `{"gives": value}`, `{"gives a": kind}`, or `{"raises": kind}`.

    If a call changes an argument, its fact also has the item `"changes": True`. A call that raises
    an error never has this item, since it may leave anything half done.
    """
    facts: list[dict[str, Any]] = []
    for arguments, answer in zip(given, answers, strict=True):
        value, fact = answer.value, dict[str, Any]()
        if answer.error is not None:
            facts.append({"raises": type(answer.error).__name__})
            continue
        if observer not in ("telling", AS_HEARD):
            value = _sorted_if_list(value) if observer == ANY_ORDER else value
            kind = type(value).__name__
            if kind in ("list", "tuple") and value:
                inside = {type(item).__name__ for item in value}
                kind += f" of {inside.pop()}" if len(inside) == 1 else " of this and that"
            is_exact = kind in EXACT or (observer == ANY_ORDER and kind == "list of str")
            fact = {"gives": value} if is_exact else {"gives a": kind}
        elif isinstance(value, Exception):  # returned; another process would raise it
            fact = {"raises": "Exception"}
        else:
            is_text = observer == AS_HEARD and type(value) is str
            fact = {"gives": heard(value) if is_text else value}
        if not same(arguments, answer.arguments):
            fact["changes"] = True
        facts.append(fact)
    return facts


def _bare(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: fact[key] for key in fact if key != "changes"} for fact in facts]


def _sorted_if_list(value: Any) -> Any:
    return sorted(value, key=repr) if type(value) is list else value


def more_like(every: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return a list of arguments for more calls, of the same kinds as those of the first probe.

    They are legal in the exercise. `every` has the arguments of each probe. Return `[]` for duels,
    in which the second player's tiles are negative, and for unknown kinds of arguments.
    """
    first, chance = every[0], Random(1)
    if any(isinstance(given[0], list) and "-" in repr(given[0]) for given in every):
        return []
    if isinstance(first[0], int):
        return [(number, other) for number in range(12) for other in range(26)]
    if isinstance(first[0], str):
        return [(f"{letter}{number}",) for letter in "ABCEHLQYZ" for number in range(1, 13)]
    if len(first) == 1 and isinstance(first[0][0], int):
        longer = [line for length in (4, 5, 6) for line in random_lines(chance, 20, length)]
        return [(line,) for line in every_line(3, (0, 2, 4)) + longer]
    if len(first) > 3 or not isinstance(first[0], list):
        return []
    tiles = sorted({tile for given in every for row in given[0] for tile in row})
    squares = tuple(tiles) if tiles[-1] >= LARGE else SQUARES
    boards = [
        board
        for height, width in ((2, 3), (3, 3), (4, 2))
        for board in random_boards(chance, 8, height, width, squares)
    ]
    calls: list[tuple[Any, ...]] = []
    match first[1:]:
        case ():
            return [(board,) for board in boards]
        case (int(),) if squares != SQUARES:
            scores = [given[1] for given in every]
            return [(board, chance.choice(scores)) for board in boards]
        case (str(),):
            return list(each_direction(boards)) if first[1] in DIRECTIONS else []
    for board in boards[::6]:
        rows, columns = range(len(board)), range(len(board[0]))
        places = [(row, column) for row in rows for column in columns]
        match first[1:]:
            case (_,):
                calls += [(board, row) for row in rows]
                calls += [(board, None, column) for column in columns]
            case (int(), _):
                calls += [(board, *place) for place in places]
            case (tuple(), _):
                calls += [(board, place, way) for place in places for way in DIRECTIONS]
    return calls
