"""`Random`s to test with: some begin with a chosen number, some are as a call has left them."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from course.function_calls import Seeded, call_many, same

BEGINNING = 24  # words of 32 bits; `random()` draws two, `choice` and `randrange` one or more
_TEMPERING = ((-18, 0xFFFFFFFF), (15, 0xEFC60000), (7, 0x9D2C5680), (-11, 0xFFFFFFFF))


@cache  # it must not be drawn from: functions under test get a copy of it
def random_near(share: float, seed: int = 1) -> Random:
    """Return a `Random` whose `random()` gives this share at first, and goes on by the seed.

    This holds for the first `BEGINNING` words that it draws. So two calls show what a program does
    with numbers just below and just above a limit, wherever in these calls it draws.

    >>> rng = random_near(0.1)
    >>> rng.randrange(10), round(rng.random(), 4), round(rng.uniform(0, 1), 4)
    (1, 0.1, 0.1)
    """
    version, words, gauss = Random(seed).getstate()
    first = (_untempered(int(share * 2**32)),) * BEGINNING
    rng = Random()
    rng.setstate((version, (*first, *words[BEGINNING:624], 0), gauss))
    return rng


def calls_after(
    function: Callable[..., Any], calls: list[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Make the calls, and return the same calls, each with its `Random` as it was left then."""
    answers = call_many(function, calls)
    pairs = zip(calls, answers, strict=True)
    left = [_rng_in((*call, *answer.arguments)) for call, answer in pairs]
    return [
        tuple(rng if type(each) in (Random, Seeded) else each for each in call)
        for call, rng in zip(calls, left, strict=True)
    ]


def is_drawn_again(answers: list[Any], following: list[Any]) -> bool:
    """Return true if each answer comes a second time, though not all of them are the same.

    >>> is_drawn_again([2, 4], [2, 4]), is_drawn_again([2, 4], [4, 4]), is_drawn_again([2], [2])
    (True, False, False)
    """
    comes_again = all(map(same, answers, following))
    return comes_again and not all(same(answers[0], answer) for answer in answers)


def _rng_in(values: tuple[Any, ...]) -> Random | Seeded:
    """Return the last `Random` of some values."""
    return [each for each in values if isinstance(each, Random | Seeded)][-1]


def _untempered(word: int) -> int:
    """Return the word of its state from which a `Random` makes this word when it draws."""
    for shift, mask in _TEMPERING:
        whole = word
        for _ in range(32 // abs(shift)):
            whole = word ^ ((whole << shift if shift > 0 else whole >> -shift) & mask)
        word = whole
    return word
