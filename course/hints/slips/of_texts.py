"""Slips (ids of general hints) of wrong texts: they say in which parts a text is wrong."""

import re
from functools import partial

from course.heard import heard

_NAME = re.compile(r"\b([A-Za-z])(\d+)\b")
_MARK = re.compile(r"(?!-\d)\W")  # the minus of a number is no mark
_BRACES = re.compile(r"\{[\w.]+[^}]*\}")


def of_text(wanted: str, got: str) -> list[str]:
    """Return the slips of a wrong text, the best description first."""
    if not got.strip():
        return ["text-empty"]
    if got.casefold() == wanted.casefold():
        return ["text-case"]
    if _MARK.sub("", got) == _MARK.sub("", wanted):
        return ["text-marks"]
    if _BRACES.search(got):
        return ["text-braces"]
    right, seen = heard(wanted), heard(got)
    if "none" in seen and "none" not in right:
        return ["text-none"]
    # Perhaps only the names of squares are wrong, such as B3.
    for slip, other in (
        ("text-square-turned", _turned),
        ("text-letter-beside", partial(_beside, -1)),
        ("text-letter-beside", partial(_beside, 1)),
    ):
        text = _NAME.sub(other, wanted)
        if text != wanted and heard(text) == seen:
            return [slip, *_of_words(right, seen)]
    return _of_words(right, seen)


def _turned(name: re.Match[str]) -> str:
    """Return the name of a square with row and column exchanged.

    Return `""` if the new column would have no letter.
    """
    letter, number = name[1].upper(), int(name[2])
    return f"{chr(ord('A') + number - 1)}{ord(letter) - ord('A') + 1}" if number < 27 else ""


def _beside(step: int, name: re.Match[str]) -> str:
    return f"{chr(ord(name[1].upper()) + step)}{int(name[2])}"


def _of_words(right: list[str], seen: list[str]) -> list[str]:
    """Return the slips of a wrong text from the words and numbers that a listener hears."""
    if right == seen:
        return ["text-marks"]
    if sorted(right) == sorted(seen):
        return ["text-order"]
    if seen == ["0" if word == "zero" else word for word in right]:
        return ["text-zero"]
    if [word.removesuffix("s") for word in right] == [word.removesuffix("s") for word in seen]:
        return ["text-plural"]
    if _is_within(seen, right):
        return ["text-parts-missing"]
    if _is_within(right, seen):
        return ["text-too-much"]
    numbers, wanted = ([word for word in words if _is_number(word)] for words in (seen, right))
    others, due = ([word for word in words if not _is_number(word)] for words in (seen, right))
    if others == due:
        pairs = zip(wanted, numbers, strict=False)
        steps = {int(got) - int(one) for one, got in pairs if one != got}
        is_near = len(wanted) == len(numbers) and steps in ({1}, {-1})
        return ["text-off-by-one", "text-numbers"] if is_near else ["text-numbers"]
    return ["text-words"] if numbers == wanted else ["text-differs"]


def _is_within(few: list[str], many: list[str]) -> bool:
    """Return true if all words of `few` are in `many`, in the same order."""
    rest = iter(many)
    return all(word in rest for word in few)


def _is_number(word: str) -> bool:
    return word.lstrip("-").isdigit()
