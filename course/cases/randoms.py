"""Randoms to test with: some begin with a number of one's choice, some as a call has left them."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache, wraps
from random import Random
from typing import Any, TypeVar, cast

from course.answers import Seeded, call_many, same

Drawing = TypeVar("Drawing", bound=Callable[..., Any])

BEGINNING = 24  # words; `random()` draws two of them, `choice` and `randrange` one or more
_TEMPERING = ((-18, 0xFFFFFFFF), (15, 0xEFC60000), (7, 0x9D2C5680), (-11, 0xFFFFFFFF))


def drawn_once(draw: Drawing) -> Drawing:
    """What a `Random` draws is drawn once for each state that it has.

    The next time it goes on as if it had drawn it: the grader asks for the same boards for every
    submission.
    """
    known: dict[Any, tuple[Any, Any]] = {}

    @wraps(draw)
    def drawn(*arguments: Any, **options: Any) -> Any:
        [rng] = [each for each in arguments if isinstance(each, Random)]
        state = rng.getstate()
        key = (state, *(each for each in arguments if each is not rng), *options.items())
        if key in known:
            rng.setstate(known[key][1])
        else:
            known[key] = draw(*arguments, **options), rng.getstate()
        return deepcopy(known[key][0])

    return cast(Drawing, drawn)


@cache  # who asks a function with it gives it a copy
def random_near(share: float, seed: int = 1) -> Random:
    """A `Random` whose `random()` gives this share at first, and goes on by the seed.

    It holds for the first `BEGINNING` words that it draws. So what a program does with chance just
    below and just above a limit can be seen in two calls, wherever in them it draws.

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
    """The same calls once more, each with its `Random` as the call before has left it."""
    answers = call_many(function, calls)
    pairs = zip(calls, answers, strict=True)
    left = [_rng_in((*call, *answer.arguments)) for call, answer in pairs]
    return [
        tuple(rng if type(each) in (Random, Seeded) else each for each in call)
        for call, rng in zip(calls, left, strict=True)
    ]


def is_drawn_again(answers: list[Any], following: list[Any]) -> bool:
    """Whether each answer comes a second time, though not all of them are the same.

    >>> is_drawn_again([2, 4], [2, 4]), is_drawn_again([2, 4], [4, 4]), is_drawn_again([2], [2])
    (True, False, False)
    """
    comes_again = all(map(same, answers, following))
    return comes_again and not all(same(answers[0], answer) for answer in answers)


def _rng_in(values: tuple[Any, ...]) -> Random | Seeded:
    """The last `Random` of some values."""
    return [each for each in values if isinstance(each, Random | Seeded)][-1]


def _untempered(word: int) -> int:
    """The word of the state from which a `Random` makes this word that it draws."""
    for shift, mask in _TEMPERING:
        whole = word
        for _ in range(32 // abs(shift)):
            whole = word ^ ((whole << shift if shift > 0 else whole >> -shift) & mask)
        word = whole
    return word
