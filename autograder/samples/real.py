"""A realistic class: its shares of right, wrong and broken programs are those of real programs.

Of 316 public programs that learners wrote for one and the same task, 264 were right on every line
that is graded, 43 were wrong, and 9 did not parse.
"""

import ast
import re
from datetime import datetime, timedelta
from enum import StrEnum
from random import Random

_PROGRAMS, _WRONG, _BROKEN = 316, 43, 9
_DUE = datetime(2026, 3, 1, 12)
_LATE = 0.06  # of the students
_WORDS = (
    "result", "out", "new", "tiles", "values", "items", "numbers", "temp", "pos", "here", "current",
    "last", "done", "rest", "answer", "it", "step", "where", "one", "two", "seen", "found", "spot",
)  # fmt: skip


class Like(StrEnum):
    """The kind of a sample class: in real proportions, or first one of each kind of hand-in."""

    CLASS = "class"
    ZOO = "zoo"


def kinds(size: int, rng: Random) -> list[str]:
    """Return for each student of a class the kind of program handed in: right, wrong or broken.

    >>> sorted(kinds(60, Random(1))).count("wrong")
    8
    """
    wrong, broken = (round(size * share / _PROGRAMS) for share in (_WRONG, _BROKEN))
    found = ["wrong"] * wrong + ["broken"] * broken + ["right"] * (size - wrong - broken)
    rng.shuffle(found)
    return found


def in_own_words(program: str, rng: Random) -> str:
    r"""Return the same program with other local names, as if a student had chosen them.

    >>> in_own_words("def f(line):\n    kept = line\n    return kept", Random(1))
    'def f(line):\n    values = line\n    return values'
    """
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return program
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = [node for function in functions for node in ast.walk(function)]
    names = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    free = [word for word in _WORDS if not re.search(rf"\b{word}\b", program)]
    words = dict(zip(sorted(names), rng.sample(free, min(len(names), len(free))), strict=False))
    return re.sub(r"\b[a-z_]\w*\b", lambda found: words.get(found[0], found[0]), program)


def broken(program: str) -> str:
    """Return a program that does not parse, because its first colon is missing."""
    return program.replace(":", "", 1)


def timestamp(rng: Random) -> str:
    """Return the time of a hand-in as text: mostly in the last days, now and then too late."""
    hours = -rng.expovariate(1 / 30) if rng.random() > _LATE else rng.uniform(1, 50)
    return f"{_DUE + timedelta(hours=hours):%Y-%m-%d %H:%M:%S} UTC"
