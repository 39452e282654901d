"""`Random` objects to test with: some draw chosen numbers, others were used in an earlier call."""

from functools import cache
from random import Random
from typing import Any

from course.answer_comparison import same
from course.function_calls import Seeded, Tested, call_many

BEGINNING = 24  # words of 32 bits; `random()` draws two, `choice` and `randrange` one or more
_CHANCE = (Random, Seeded)
_TEMPERING = ((-18, 0xFFFFFFFF), (15, 0xEFC60000), (7, 0x9D2C5680), (-11, 0xFFFFFFFF))


@cache  # callers share the result, and must not draw from it; functions under test get copies
def random_near(share: float) -> Random:
    """Return a `Random` whose first calls of `random()` return nearly `share` (0 to 1).

    Only the first `BEGINNING` words of 32 bits that it draws depend on `share`. To find out what a
    program does at a limit, call it with such a `Random` just below and just above the limit.

    >>> rng = random_near(0.1)
    >>> rng.randrange(10), round(rng.random(), 4), round(rng.uniform(0, 1), 4)
    (1, 0.1, 0.1)
    """
    word = int(share * 2**32)
    for shift, mask in _TEMPERING:  # find the word of the state that makes a `Random` draw `word`
        whole = word
        for _ in range(32 // abs(shift)):
            whole = word ^ ((whole << shift if shift > 0 else whole >> -shift) & mask)
        word = whole
    version, words, gauss = Random(1).getstate()
    rng = Random()
    rng.setstate((version, ((word,) * BEGINNING + words[BEGINNING:624] + (0,)), gauss))
    return rng


def calls_after(function: Tested, calls: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Call `function` once with each tuple of arguments; return the arguments for second calls.

    The tuples are the same, but each `Random` is in the state in which the first call left it.
    """
    following = []
    for call, answer in zip(calls, call_many(function, calls, with_chance=True), strict=True):
        left = [each for each in (*call, *answer.arguments) if isinstance(each, _CHANCE)][-1]
        following.append(tuple(left if type(each) in _CHANCE else each for each in call))
    return following


def is_drawn_again(answers: list[Any], following: list[Any]) -> bool:
    """Return true if a function draws the same random numbers again when it is called again.

    `answers` come from first calls, `following` from second calls, with the arguments that
    `calls_after` returns. If `following` equals `answers`, the first calls did not use up their
    random numbers. But if all `answers` are equal, perhaps nothing was drawn: the result is false.

    >>> is_drawn_again([2, 4], [2, 4]), is_drawn_again([2, 4], [4, 4]), is_drawn_again([2], [2])
    (True, False, False)
    """
    comes_again = all(map(same, answers, following))
    return comes_again and not all(same(answers[0], answer) for answer in answers)
