r"""Text of a student's, made fit to be compared, and fit to be shown.

>>> printable("red \x1b[31m")
'red \\x1b[31m'
"""

import re
from collections.abc import Iterable

_STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
# what turns the direction of the text after it, so that a line reads as what it is not
_TURNS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = "\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b\u2028\u2029\u2060-\u206f\ufeff\ufff9-\ufffb"
_MARKUP = r"[\\`*_{}\[\]<>()#!|$~&]"
_OF_A_CELL = re.compile(r"(.*\bcell) ([\w.-]+)(.*)")
_MANY = 3  # cells of which the same is said
_TURNING = re.compile(f"[{_TURNS}]")
_CONTROLS = re.compile(f"[{_TURNS}{_UNSEEN}\U000e0000-\U000e007f]")


def plain_text(source: str) -> str:
    """A source without stubs, empty lines and trailing blanks: what is compared to tell edits.

    >>> plain_text("def f():\\n    # YOUR CODE HERE\\n    raise NotImplementedError()\\n\\n")
    'def f():'
    """
    lines = (line.rstrip() for line in source.splitlines())
    return "\n".join(line for line in lines if line and line.lstrip() not in _STUB)


def printable(text: str) -> str:
    """Text that can be written and shown anywhere: nothing in it is unseen, broken or a command."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    return _CONTROLS.sub(_escaped, whole)


def unturned(text: str) -> str:
    r"""Text whose characters stand in the order in which they are read.

    >>> unturned("ab\u202edc")
    'ab\\u202edc'
    """
    return _TURNING.sub(_escaped, text)


def without_markup(text: str) -> str:
    """Text as it is, in a text cell: no part of a file name is markup or a link."""
    return re.sub(f"({_MARKUP})", r"\\\1", text)


def as_it_was(text: str) -> str:
    """The text that was given to `without_markup`.

    >>> as_it_was(without_markup("<b> \\\\ *"))
    '<b> \\\\ *'
    """
    return re.sub(rf"\\({_MARKUP})", r"\1", text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def gathered(problems: Iterable[str]) -> list[str]:
    """The same sentences, but what is said of three cells or more is said once, of all of them.

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
