r"""Students' text, made fit to be compared, and fit to be shown.

>>> printable("red \x1b[31m")
'red \\x1b[31m'
"""

import re
from collections.abc import Iterable, Sequence

_STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
# these turn the direction of the text after them, so that a line reads as something else
_TURNS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = "\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b\u2028\u2029\u2060-\u206f\ufeff\ufff9-\ufffb"
_MARKUP = r"[\\`*_{}\[\]<>()#!|$~&]"
_OF_A_CELL = re.compile(r"(.*\bcell) ([\w.-]+)(.*)")
_MANY = 3  # cells; a sentence about so many or more is said once
_TURNING = re.compile(f"[{_TURNS}]")
_CONTROLS = re.compile(f"[{_TURNS}{_UNSEEN}\U000e0000-\U000e007f]")


def plain_text(source: str) -> str:
    """Return a source without stubs, empty lines and trailing blanks, to be compared for edits.

    >>> plain_text("def f():\\n    # YOUR CODE HERE\\n    raise NotImplementedError()\\n\\n")
    'def f():'
    """
    lines = (line.rstrip() for line in source.splitlines())
    return "\n".join(line for line in lines if line and line.lstrip() not in _STUB)


def printable(text: str) -> str:
    """Return text that can be written and shown anywhere.

    Characters that are unseen, broken or a command to a terminal are escaped.
    """
    whole = text.encode("utf-8", "backslashreplace").decode()
    return _CONTROLS.sub(_escaped, whole)


def unturned(text: str) -> str:
    r"""Return text whose characters stand in the order in which they are read; others are escaped.

    >>> unturned("ab\u202edc")
    'ab\\u202edc'
    """
    return _TURNING.sub(_escaped, text)


def without_markup(text: str) -> str:
    """Return text that a text cell shows as it is: no part of a file name is markup or a link."""
    return re.sub(f"({_MARKUP})", r"\\\1", text)


def as_it_was(text: str) -> str:
    """Return the text that was given to `without_markup`.

    >>> as_it_was(without_markup("<b> \\\\ *"))
    '<b> \\\\ *'
    """
    return re.sub(rf"\\({_MARKUP})", r"\1", text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def gathered(problems: Iterable[str]) -> list[str]:
    """Return the same sentences, but say once what is said of three cells or more.

    >>> gathered(f"test cell {name} was missing" for name in "abc")
    ['3 times: test cell … was missing (a, b, c)']
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for problem in problems:
        found = _OF_A_CELL.fullmatch(problem)
        said = f"{found[1]} …{found[3]}" if found else problem
        groups.setdefault(said, []).append((problem, found[2] if found else ""))
    lines = []
    for said, ones in groups.items():
        names = ", ".join(name for _, name in ones)
        is_short = len(ones) >= _MANY and names.strip(", ")
        lines += (
            [f"{len(ones)} times: {said} ({names})"]
            if is_short
            else [problem for problem, _ in ones]
        )
    return lines


def duration(seconds: float) -> str:
    """Return a time in its two largest units.

    >>> duration(129600), duration(59)
    ('1 day 12 hours', '59 seconds')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = ((days, "day"), (hours, "hour"), (minutes, "minute"), (rest, "second"))
    said = [f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in parts if number]
    return " ".join(said[:2]) or "less than a second"


def lost_in_short(lost: Sequence[str], held: Sequence[str]) -> str:
    """Name the checks that were lost, or, if that is shorter, all but those that hold.

    >>> lost_in_short("ab", ""), lost_in_short("abcde", "f"), lost_in_short("ab", "c")
    ('all', 'all but f', 'a, b')
    """
    if lost and not held:
        return "all"
    if len(lost) <= len(held) + 2:
        return ", ".join(lost)
    return f"all but {', '.join(held)}"
