"""A class as real ones are: the shares of right, wrong and broken programs are those of real ones.

Of 316 public programs by learners for one and the same task 264 were right on every line that is
graded, 43 were wrong, and 9 did not parse.
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
    """What a sample class is like: one in real proportions, or first one of each kind there is."""

    CLASS = "class"
    ZOO = "zoo"


def kinds(size: int, rng: Random) -> list[str]:
    """What each student of a class handed in: right, wrong or broken.

    >>> sorted(kinds(60, Random(1))).count("wrong")
    8
    """
    wrong, broken = (round(size * share / _PROGRAMS) for share in (_WRONG, _BROKEN))
    found = ["wrong"] * wrong + ["broken"] * broken + ["right"] * (size - wrong - broken)
    rng.shuffle(found)
    return found


def in_own_words(program: str, rng: Random) -> str:
    r"""The same program with names of a student's own for what it keeps while it works.

    >>> in_own_words("def f(line):\n    kept = line\n    return kept", Random(1))
    'def f(line):\n    spot = line\n    return spot'
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
    """A program that does not parse: the first colon is forgotten."""
    return program.replace(":", "", 1)


def timestamp(rng: Random) -> str:
    """When a student handed in: mostly in the last days, and now and then too late."""
    hours = -rng.expovariate(1 / 30) if rng.random() > _LATE else rng.uniform(1, 50)
    return f"{_DUE + timedelta(hours=hours):%Y-%m-%d %H:%M:%S} UTC"
