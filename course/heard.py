"""Comparison of texts by ear: only the words and numbers that a listener hears count."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

WORDS = re.compile(r"(?<!\d)-?\d+|[^\W\d_]+")


def heard(text: str) -> list[str]:
    """Return the words and numbers of a text in order, in lower case, without punctuation.

    >>> heard("Row 1: 2, zero") == heard("row 1  2 zero.")
    True
    >>> heard("A1 0") == heard("A10")
    False
    """
    return WORDS.findall(text.lower())


def sounds_like(one: Any, other: Any) -> bool:
    """Return true if both answers are texts, and a listener hears the same in both.

    A dash in `one` may be a minus sign, or no more than punctuation, as between two numbers.

    >>> sounds_like("B1 zero", "b1 ZERO."), sounds_like("B1 zero", None)
    (True, False)
    >>> sounds_like("zero-4", "zero 4"), sounds_like("-4-2", "-4 2"), sounds_like("4", "-4")
    (True, True, False)
    """
    if type(one) is not str or type(other) is not str:
        return False
    return heard(other) in (heard(one), heard(one.replace("-", " ")))


def is_heard_in(sentence: str) -> Callable[..., str | None]:
    """Return a function for `obeys=` of `check.many`: the sentence must be heard in the answer.

    >>> is_heard_in("12 points.")("Merged into 8.")
    "'12 points.' should be heard in it"
    """
    return partial(_problem, sentence, True)


def is_not_heard_in(word: str) -> Callable[..., str | None]:
    """Return a function for `obeys=` of `check.many`: the word must not be heard in the answer.

    >>> is_not_heard_in("points")("New 4 at C1. 0 points.")
    "'points' should not be heard in it"
    """
    return partial(_problem, word, False)


def _problem(sentence: str, is_wanted: bool, answer: Any, *_: Any) -> str | None:
    """Return a text if a wanted `sentence` is not heard in `answer`, or an unwanted one is heard.

    A sentence is heard if its words stand side by side. Any answer but a text is wrong, too.
    """
    if type(answer) is not str:
        return "it should be a text" + (f" in which {sentence!r} is heard" if is_wanted else "")
    words, few = heard(answer.replace("-", " ")), heard(sentence)
    starts = range(len(words) - len(few) + 1)
    is_heard = any(words[start : start + len(few)] == few for start in starts)
    if is_heard == is_wanted:
        return None
    return f"{sentence!r} should {'' if is_wanted else 'not '}be heard in it"
