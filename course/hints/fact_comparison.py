"""Comparison of facts (plain data on what a function does in test calls), to find its mistake.

*Seen* facts are about the learner's function, *right* facts about the right program, and *known*
facts about a program with a known mistake. They are compared by their digests, which are hashes. A
mistake *explains* a wrong seen fact if the same fact is known of its program. A mistake *foretells*
each fact in which its program differs from the right one.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from typing import Any

from course.hints.mistakes import Program

UNKNOWN = "not written yet"
NO_BOARD = "has no board"

# Patterns of the messages of errors, and the fact that stands for such an error.
ERRORS = {
    r"takes \d+ positional arguments? but \d+ (?:was|were) given": "is given too many arguments",
    r"returned non-string \(type (\w+)\)": "gives {}, not a text",
    r"(\w+) cannot be handed to the tests": "gives a {}",
}
# Kinds of answers that make all other facts wrong, too: their names begin with these texts.
SPOILING = ("raises", "a board of another shape")

DEEPEST = 12  # levels; the answers of right functions are less than half as deep
MOST = 10_000  # values in an observation; right functions and known mistakes have fewer
SHORT = 6  # hex digits for one fact of many
WIDEST = 64  # bits; a number that has more is written in base 16, which works for any size


def agrees(seen: Any, known: Any) -> bool:
    """Return true if the digests `seen` and `known` are equal; `UNKNOWN` in `seen` equals anything.

    >>> agrees(["a", UNKNOWN], ["a", ["b", "c"]]), agrees(["d", UNKNOWN], ["a", ["b", "c"]])
    (True, False)
    """
    if seen == UNKNOWN:
        return True
    if isinstance(seen, list) and isinstance(known, list):
        return len(seen) == len(known) and all(map(agrees, seen, known))
    return bool(seen == known)


def error_fact(error: BaseException | None) -> str:
    """Return an error as a fact: its name, and part of its message if the name says too little.

    >>> error_fact(TypeError("__str__ returned non-string (type NoneType)"))
    'gives NoneType, not a text'
    >>> error_fact(TypeError("TextWrapper cannot be handed to the tests"))
    'gives a TextWrapper'
    """
    for pattern, said in ERRORS.items():
        if found := re.search(pattern, str(error)):
            return said.format(*found.groups())
    part = re.search(r"has no attribute '(\w+)'", str(error))
    said = part[0] if part else str(error) if type(error) is TypeError else ""
    return f"raises {type(error).__name__}: {said}".removesuffix(": ")


def digest(observation: Any) -> str:
    """Return a hash of plain data: 16 hex digits that depend on all values and on their types.

    What is deeper than `DEEPEST` levels or comes after `MOST` values is left out, so that there is
    a hash even of a list that holds itself.

    >>> len({digest(each) for each in ([1], (1,), [True], [1.0], ["1"], {1}, {1: 1})})
    7
    """
    text = json.dumps(_typed(observation, DEEPEST, iter(range(MOST))), separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:16]


def digests(observation: Any, left: Iterator[int] | None = None) -> Any:
    """Return nested lists of facts with each fact replaced by a short digest; `UNKNOWN` stays.

    `left` is an iterator with one item for each fact that may still follow, by default `MOST`. All
    facts beyond these are left out.
    """
    left = iter(range(MOST)) if left is None else left
    if type(observation) is list:
        return [digests(fact, left) for fact, _ in zip(observation, left, strict=False)]
    is_unknown = type(observation) is str and observation == UNKNOWN
    return UNKNOWN if is_unknown else digest(observation)[:SHORT]


def _typed(value: Any, depth: int, left: Iterator[int]) -> Any:
    """Return a value as JSON data that shows its type; of an odd or deep value, only the type.

    `left` is an iterator with one item for each value that may still follow.
    """
    kind = type(value)
    if kind in (type(None), bool, str, float):
        return value
    if kind is int:
        return value if value.bit_length() <= WIDEST else {"int": hex(value)}
    if not depth or kind not in (list, tuple, set, frozenset, dict):
        return {"a": kind.__name__}
    pairs = map(list, value.items()) if kind is dict else value
    below = depth if kind is dict else depth - 1
    items = [_typed(item, below, left) for item, _ in zip(pairs, left, strict=False)]
    if kind is list:
        return items
    return {kind.__name__: items if kind is tuple else sorted(items, key=json.dumps)}


def explaining(seen: Any, right: Any, known: Sequence[Program]) -> Program | None:
    """Return the first program in `known` whose mistake explains all wrong facts, or `None`.

    The mistake must explain at least one fact, and all facts that it foretells must be seen.
    """
    for entry in known:
        count = _compared(seen, right, entry.seen)
        if count["explained"] and not count["not explained"] + count["foretold wrongly"]:
            return entry
    return None


def explaining_most(
    observation: Any, right: Any, known: Sequence[Program], near: Collection[int] | None = None
) -> Program | None:
    """Return the program in `known` whose mistake explains the most wrong facts, or `None`.

    This is for functions with two mistakes. The mistake must explain at least half of the wrong
    facts, among them one that is not just an error, `None`, a truth value or an empty list: many
    mistakes lead to those. It must explain all errors: an error is no second mistake, but makes
    other answers wrong, too. All facts that it foretells must be seen. If a check has failed,
    `near` holds the indices of the facts that are wrong in the same way as the failed call, and the
    mistake must explain one of these.
    """
    seen = digests(observation)
    found, most = None, 0.5
    for entry in known:
        count = _compared(seen, right, entry.seen, observation)
        wrong = count["explained"] + count["not explained"]
        is_there = count["telling"] and not count["foretold otherwise"] + count["error left"]
        if is_there and near is not None:
            told = ((seen[at], entry.seen[at], right[at]) for at in near)
            is_there = any(agrees(a, b) and not agrees(b, c) for a, b, c in told)
        if is_there and not count["foretold wrongly"] and count["explained"] >= most * wrong:
            found, most = entry, count["explained"] / wrong + 1e-9
    return found


def says_enough(observation: Any, seen: Any, right: Any) -> bool:
    """Return true if the facts that were seen can tell one known mistake from others.

    They can if at least a quarter of them are right, or if a wrong one is a value, such as a
    number, a board or `None`: many mistakes lead to the same errors and types. They cannot if
    `gives_errors_only` is true of them.
    """
    if gives_errors_only(observation):
        return False
    wrong = [
        fact for fact, *pair in zip(observation, seen, right, strict=True) if not agrees(*pair)
    ]
    return len(wrong) <= len(observation) * 3 / 4 or any(map(_is_value, wrong))


def _is_value(fact: Any) -> bool:
    if isinstance(fact, dict):
        return "gives" in fact or fact.get("gives a") == "NoneType"
    return isinstance(fact, list) and not (len(fact) == 1 and isinstance(fact[0], dict))


def gives_errors_only(observation: Any) -> bool:
    """Return true if, in one group of calls, all answers are errors or boards of another shape.

    The calls of a group differ only in their `rng`. If the result is true, all other facts are
    wrong, too. For a function that draws no random numbers, it is false.
    """
    is_drawn = isinstance(observation[0], list) and observation[0][:1] == ["answers"]
    groups = observation[0][1] if is_drawn else []
    return any(all(kind.startswith(SPOILING) for kind in kinds) for kinds in groups)


def _compared(seen: Any, right: Any, known: Any, observation: Any = None) -> Counter[str]:
    """Count the facts that a known mistake explains, and other facts, under the following keys.

    A wrong fact is `"explained"` or `"not explained"`. An explained fact is also `"telling"`,
    unless it is an error, `None`, a truth value or an empty list. A fact that is not explained is
    also an `"error left"` if it is an error, and `"foretold otherwise"` if the program with the
    known mistake is wrong in this fact, too. A right fact is `"foretold wrongly"` if this program
    is wrong in it. Facts about code that is not written yet are not counted. `observation` holds
    the seen facts in full, and is only needed to tell errors and telling facts from others.
    """
    count: Counter[str] = Counter()
    if seen == UNKNOWN:
        return count
    trees = (seen, right, known)
    if all(isinstance(tree, list) for tree in trees) and len({len(tree) for tree in trees}) == 1:
        inside = observation if isinstance(observation, list) else [None] * len(seen)
        for facts in zip(*trees, inside, strict=True):
            count += _compared(*facts)
        return count
    is_foretold = not agrees(known, right)
    if agrees(seen, right):
        count["foretold wrongly"] += is_foretold
    elif agrees(seen, known):
        value = observation.get("gives") if isinstance(observation, dict) else observation
        count["explained"] += 1
        count["telling"] += value not in (None, [], ()) and type(value) is not bool
    else:
        count["not explained"] += 1
        count["foretold otherwise"] += is_foretold
        is_error = isinstance(observation, dict) and bool({"error", "raises"} & {*observation})
        count["error left"] += is_error
    return count
