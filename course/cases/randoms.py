"""Randoms to test with that begin with a number of one's choice."""

from random import Random

BEGINNING = 24  # words; `random()` draws two of them, `choice` and `randrange` one or more
_TEMPERING = ((-18, 0xFFFFFFFF), (15, 0xEFC60000), (7, 0x9D2C5680), (-11, 0xFFFFFFFF))


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


def _untempered(word: int) -> int:
    """The word of the state from which a `Random` makes this word that it draws."""
    for shift, mask in _TEMPERING:
        whole = word
        for _ in range(32 // abs(shift)):
            whole = word ^ ((whole << shift if shift > 0 else whole >> -shift) & mask)
        word = whole
    return word
