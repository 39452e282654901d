"""Comparison of texts by ear: only the words and numbers that a listener hears count."""

import re
from collections.abc import Callable
from typing import Any

WORDS = re.compile(r"(?<!\d)-?\d+|[^\W\d_]+")


def heard(text: str) -> list[str]:
    """Return the words and numbers of a text in order, in small letters, without punctuation.

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
    """Return a function for `obeys=` of `check.many`: in the answer, the sentence must be heard.

    >>> is_heard_in("12 points.")("Merged into 8.")
    "'12 points.' should be heard in it"
    """

    def problem(answer: Any, *_: Any) -> str | None:
        if type(answer) is not str:
            return f"it should be a text in which {sentence!r} is heard"
        return None if _holds(answer, sentence) else f"{sentence!r} should be heard in it"

    return problem


def is_not_heard_in(word: str) -> Callable[..., str | None]:
    """Return a function for `obeys=` of `check.many`: in the answer, the word must not be heard.

    >>> is_not_heard_in("points")("New 4 at C1. 0 points.")
    "'points' should not be heard in it"
    """

    def problem(answer: Any, *_: Any) -> str | None:
        if type(answer) is not str:
            return "it should be a text"
        return f"{word!r} should not be heard in it" if _holds(answer, word) else None

    return problem


def _holds(text: str, sentence: str) -> bool:
    """Return true if a sentence is heard in a text: its words side by side, in their order."""
    words, few = heard(text.replace("-", " ")), heard(sentence)
    starts = range(len(words) - len(few) + 1)
    return any(words[start : start + len(few)] == few for start in starts)
