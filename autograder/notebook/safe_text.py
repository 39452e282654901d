r"""Functions that change texts so that they can be compared, shown safely, or read quickly.

>>> printable("red \x1b[31m")
'red \\x1b[31m'
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

_STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
# These change the direction of the text after them, so that a reader sees another order.
_TURNS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = "\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b\u2028\u2029\u2060-\u206f\ufeff\ufff9-\ufffb"
_MARKUP = r"[\\`*_{}\[\]<>()#!|$~&]"
_OF_A_CELL = re.compile(r"(.*\bcell) ([\w.-]+|\"[^\"]*\")(.*)")
_BY_CHANCE = re.compile(r"\bcell-[0-9a-f]{16}\b")  # nbgrader's name for a cell nobody has named
_LONGEST_TITLE = 80  # letters
WITHOUT_NAME = "an answer without a name"  # the title of a cell without a name and without text
_MANY = 3  # cells; if a sentence concerns at least so many cells, it is given only once
_TURNING = re.compile(f"[{_TURNS}]")
_Name = TypeVar("_Name", bound=Hashable)
_CONTROLS = re.compile(f"[{_TURNS}{_UNSEEN}\U000e0000-\U000e007f]")


def plain_text(source: str) -> str:
    """Return a source without blank lines, trailing blanks, and nbgrader's stub for a solution.

    >>> plain_text("def f():\\n    # YOUR CODE HERE\\n    raise NotImplementedError()\\n\\n")
    'def f():'
    """
    lines = (line.rstrip() for line in source.splitlines())
    return "\n".join(line for line in lines if line and line.lstrip() not in _STUB)


def printable(text: str) -> str:
    """Return a text; escape characters that are invisible or invalid, or control a terminal."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    return _CONTROLS.sub(_escaped, whole)


def unturned(text: str) -> str:
    r"""Return a text in which characters that change its direction are escaped.

    >>> unturned("ab\u202edc")
    'ab\\u202edc'
    """
    return _TURNING.sub(_escaped, text)


def without_markup(text: str) -> str:
    """Return Markdown that shows a text literally: no part of it becomes markup or a link."""
    return re.sub(f"({_MARKUP})", r"\\\1", text)


def as_it_was(text: str) -> str:
    """Return the original of a text that `without_markup` has returned.

    >>> as_it_was(without_markup("<b> \\\\ *"))
    '<b> \\\\ *'
    """
    return re.sub(rf"\\({_MARKUP})", r"\1", text)


def is_by_chance(name: str) -> bool:
    """Return true if a cell's name was made up at random, as nbgrader's editor does."""
    return bool(_BY_CHANCE.fullmatch(name))


def cell_title(name: str, source: str) -> str:
    r"""Return the name of a cell; if an editor made it up at random, the cell's first line.

    >>> cell_title("cell-0123456789abcdef", "# small numbers\nassert half(4) == 2")
    'small numbers'
    """
    first = source.lstrip("# \n").partition("\n")[0].rstrip()[:_LONGEST_TITLE]
    return (first or WITHOUT_NAME) if is_by_chance(name) else name


def without_common_start(sources: Mapping[_Name, str]) -> dict[_Name, str]:
    r"""Return the sources without blank lines, and without first lines that several cells share.

    >>> without_common_start({1: "# Tests\nassert half(4) == 2", 2: "#tests\nassert half(0) == 0"})
    {1: 'assert half(4) == 2', 2: 'assert half(0) == 0'}
    """
    lines = {
        name: [line.rstrip() for line in source.splitlines() if line.strip()]
        for name, source in sources.items()
    }
    said = {name: [line.strip("# :").casefold() for line in own] for name, own in lines.items()}
    firsts = Counter(own[0] for own in said.values() if own)
    cells = Counter(line for own in said.values() for line in set(own))
    for name, own in said.items():
        if own and firsts[own[0]] > 1:
            start = next((n for n, line in enumerate(own) if cells[line] == 1), 0)
            lines[name] = lines[name][start:]
    return {name: "\n".join(own) for name, own in lines.items()}


def with_titles(text: str, titles: Mapping[str, str]) -> str:
    """Return a text in which the names that are keys of `titles` are replaced by their titles.

    >>> with_titles("(cell-0123456789abcdef, line 2)", {"cell-0123456789abcdef": "def half(x):"})
    '("def half(x):", line 2)'
    >>> with_titles("cell-fedcba9876543210 of another course", {"cell-0123456789abcdef": "half"})
    'cell-fedcba9876543210 of another course'
    """

    def titled(found: re.Match[str]) -> str:
        return f'"{titles[found[0]]}"' if found[0] in titles else found[0]

    return _BY_CHANCE.sub(titled, text) if titles else text


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def gathered(problems: Iterable[str]) -> list[str]:
    """Return the sentences; three or more that differ only in the name of a cell become one.

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
        if len(ones) >= _MANY and names.strip(", "):
            lines.append(f"{len(ones)} times: {said} ({names})")
        else:
            lines += [problem for problem, _ in ones]
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
    """Return which checks did not pass: "all", the `lost` ones, or "all but" the `held` ones.

    >>> lost_in_short("ab", ""), lost_in_short("abcde", "f"), lost_in_short("ab", "c")
    ('all', 'all but f', 'a, b')
    """
    if lost and not held:
        return "all"
    if len(lost) <= len(held) + 2:
        return ", ".join(lost)
    return f"all but {', '.join(held)}"
