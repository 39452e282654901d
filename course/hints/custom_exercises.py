"""Exercises of another course, by its own author: their hints, and the mistakes made in them.

They are in the file `exercises.json` beside a notebook. `autograder verify` makes this file from
the author's `exercises.toml`. Instead of right and wrong programs, it holds digests: hashes of what
these programs do. In a folder with this file, no exercise of this course is known.
"""

import ast
import json
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from course.deadline import deadline
from course.function_calls import NoAnswer
from course.hints.fact_comparison import digest
from course.hints.mistakes import Diagnosis
from course.lessons import AUTHORED

SECONDS = 2.0
AGAIN = "it answers the same probes in two ways: none may depend on what ran before"


@dataclass(frozen=True)
class AuthoredExercise:
    """An exercise of another course: its three hints, its probes, and digests of what programs do.

    A probe is one or more lines of code that use what the learner has written; the value of the
    last line counts. `right` is the digest of what the right program does; `wrong` maps the digest
    of each wrong program to its mistake.
    """

    name: str
    hints: tuple[str, ...]
    probes: tuple[str, ...]
    right: str
    wrong: dict[str, Diagnosis]

    def shown_by(self, piece: Any) -> str:
        """Return the digest of what a learner's function or class does; "" if it takes too long."""
        try:
            return facts_digest(piece, self.name, self.probes)
        except NoAnswer:
            return ""

    def is_unwritten(self, shown: str) -> bool:
        """Return true if `shown` is the digest of a function in which nothing is written yet."""
        return shown == digest([{"raises": "NotImplementedError"}] * len(self.probes))


def authored_exercises() -> dict[str, AuthoredExercise] | None:
    """Return a dictionary from names to the exercises in `exercises.json` of the current folder.

    Return `None` if there is no such file, or if it has another form.
    """
    found = {}
    try:
        told = json.loads(Path(AUTHORED).read_text(encoding="utf-8"))
        for name, said in told.items():
            wrong = {key: Diagnosis(**texts, exercise=name) for key, texts in said["wrong"].items()}
            hints, probes = tuple(said["hints"]), tuple(said["probes"])
            found[name] = AuthoredExercise(name, hints, probes, said["right"], wrong)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # no file of this kind
        return None
    return found


def facts_digest(piece: Any, name: str, probes: Sequence[str]) -> str:
    """Return a digest (a hash) of what `piece`, a function or class, does in some probes.

    In each probe, `piece` has the name `name`; the notebook's other names are not known. The value
    of the last line counts, or the kind of an error, but not what is printed. Raise `NoAnswer` if
    all probes together take longer than `SECONDS`.

    >>> facts_digest(sorted, "f", ["f([2, 1])"]) == facts_digest(list, "f", ["f([1, 2])"])
    True
    """
    facts: list[Any] = []
    with deadline(SECONDS), redirect_stdout(StringIO()):
        for probe in probes:
            *lines, last = ast.parse(probe).body
            if not isinstance(last, ast.Expr):
                raise ValueError(f"the last line has no value: {probe!r}")
            names = {name: piece}
            try:
                exec(compile(ast.Module(lines, []), "<probe>", "exec"), names)  # noqa: S102
                value = eval(compile(ast.Expression(last.value), "<probe>", "eval"), names)
                facts.append(_rounded(value))
            except (Exception, SystemExit) as error:
                facts.append({"raises": type(error).__name__})
    return digest(facts)


def _rounded(value: Any) -> Any:
    """Return a value with floats rounded to nine digits, since equal sums may differ slightly."""
    if type(value) is float:
        return float(f"{value:.9g}") + 0.0
    if type(value) in (list, tuple):
        return type(value)(map(_rounded, value))
    return {key: _rounded(one) for key, one in value.items()} if type(value) is dict else value


def tell_digests() -> None:
    """Print the digests of an author's own programs; this runs in a process of its own.

    Standard input is a JSON list of objects with `cells` (the texts of a notebook's cells), `name`
    and `probes`. Output is a JSON list: for each object, a digest, or a list with an error's text.
    """
    os.environ["NBGRADER_EXECUTION"] = "digests"  # nothing is shown below cells
    told: list[str | list[str]] = []
    with redirect_stdout(StringIO()):
        for asked in json.load(sys.stdin):
            names: dict[str, Any] = {"__name__": "__main__"}
            try:
                with deadline(5 * SECONDS):
                    for cell in asked["cells"]:
                        exec(compile(cell, "<cell>", "exec"), names)  # noqa: S102
                about = names[asked["name"]], asked["name"], asked["probes"]
                first, second = facts_digest(*about), facts_digest(*about)
                told.append(first if first == second else [AGAIN])
            except NoAnswer:
                told.append(["it never ends"])
            except (Exception, SystemExit) as error:
                told.append([f"{type(error).__name__}: {error}"])
    print(json.dumps(told))
