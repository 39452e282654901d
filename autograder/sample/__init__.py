"""A sample class to try the grader with: right, wrong, untouched, damaged, hostile submissions.

A zoo is a class with every known submission of each of these kinds. A class in real proportions has
the same shares of right, wrong and broken programs as a real class: of 316 public programs that
learners wrote for one task, 264 were right on every line that is graded, 43 were wrong, and 9 did
not parse.
"""

import ast
import json
import re
import shutil
import tomllib
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from io import StringIO
from itertools import count, cycle, islice, pairwise
from pathlib import Path
from random import Random
from symtable import symtable
from token import NAME
from tokenize import generate_tokens
from typing import Any, Literal

from autograder.course_adapter import cell_of, lesson
from autograder.misconceptions import catalogue
from autograder.sample.damages import DAMAGES, Desk
from autograder.system.atomic_write import scratch_folder

# The kinds of students in a zoo take turns in this order. A "slip" is an answer that is untouched,
# does not parse, never ends, or is right but gives a warning.
_TURNS = ("right", "wrong", "right", "wrong", "slip", "wrong", "damaged", "hostile")
_OTHERS = 12  # right programs with other local names get numbers below this

_PROGRAMS, _WRONG, _BROKEN = 316, 43, 9
_DUE = datetime(2026, 3, 1, 12)
_LATE = 0.06  # the share of students who hand in late
_WORDS = (
    "result", "out", "new", "tiles", "values", "items", "numbers", "temp", "pos", "here", "current",
    "last", "done", "rest", "answer", "it", "step", "where", "one", "two", "seen", "found", "spot",
)  # fmt: skip


@dataclass(frozen=True)
class Student:
    """One student of a sample class; `hand_in` writes the submission into a new folder.

    In a zoo, `name` says what is special in the submission. In a class in real proportions, the
    `kind` of a wrong submission is the id of its known mistake.
    """

    name: str
    kind: str
    hand_in: Callable[[Path], None]


class Sampler:
    """A maker of submissions of one lesson.

    A submission is the lesson's notebook from `release/`, filled with solutions from `source/` or
    with other programs.
    """

    def __init__(self, root: Path, lesson_id: str) -> None:
        self.lesson = lesson(lesson_id)
        parts = [root / name / lesson_id / self.lesson.notebook for name in ("release", "source")]
        self._release, source = (json.loads(path.read_text(encoding="utf-8")) for path in parts)
        self.solutions = {}
        for cell in source["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("solution"):
                lines = "".join(cell["source"]).splitlines()
                kept = (line for line in lines if not line.strip().endswith(" SOLUTION"))
                self.solutions[cell["id"]] = "\n".join(kept)

    def notebook(self, **programs: str) -> dict[str, Any]:
        """Return a submission with `programs` (cell id → text); other cells have right answers."""
        notebook, answers = self.untouched(), self.solutions | programs
        for cell in notebook["cells"]:
            if cell["id"] in answers:
                cell["source"] = answers[cell["id"]].strip("\n")
        return notebook

    def untouched(self) -> dict[str, Any]:
        """Return a submission on which nobody has worked."""
        untouched: dict[str, Any] = deepcopy(self._release)
        return untouched

    def students(self) -> dict[str, list[Student]]:
        """Return a dictionary from kinds of hand-ins to students, one for each known hand-in."""
        main = self.lesson.exercises[-1].cell
        known = catalogue(self.lesson.id)
        wrong = sorted(known, key=lambda entry: cell_of(entry.exercise) != main)
        hostile = hostile_programs() if "merge" in self.solutions else {}
        solution = self.solutions[main]
        warning = "import warnings\n\nwarnings.warn('only a warning')\n\n"
        answers: dict[str, dict[str, dict[str, str]]] = {
            "right": {"right-as-in-the-source": {}, **self.others()},
            "wrong": {one.id: {cell_of(one.exercise): one.specimen} for one in wrong},
            "slip": {
                "syntax-error": {main: solution.replace(":", "", 1).replace("=", "", 1)},
                "endless-loop": {main: _endless(solution)},
                "right-with-a-warning": {main: warning + solution},
            },
            "hostile": {name.replace("_", "-"): {"merge": hostile[name]} for name in hostile},
        }
        kinds = {
            kind: [self.student_of(name, kind, self.notebook(**ones[name])) for name in ones]
            for kind, ones in answers.items()
        }
        kinds["slip"].insert(0, self.student_of("untouched", "slip", self.untouched()))
        kinds["damaged"] = [
            Student(name, "damaged", partial(self._hand_in, do)) for name, do in DAMAGES.items()
        ]
        return kinds

    def _hand_in(self, damage: Callable[[Desk], object], folder: Path) -> None:
        folder.mkdir(parents=True)
        damage(Desk(folder, self.lesson.notebook, self.notebook()))

    def others(self) -> dict[str, dict[str, str]]:
        """Return a dictionary: student → cell id → a right program with other local names."""
        return {f"right-in-own-words-{n}": self.in_own_words(Random(n)) for n in range(1, _OTHERS)}

    def in_own_words(self, rng: Random) -> dict[str, str]:
        """Return a dictionary from the ids of all answer cells to right programs.

        The names of local variables in these programs are chosen at random.
        """
        return {cell: in_own_words(text, rng) for cell, text in self.solutions.items()}

    def student_of(
        self, name: str, kind: str, notebook: dict[str, Any], timestamp: str = ""
    ) -> Student:
        """Return a student who hands in `notebook` and, if given, a file with the `timestamp`."""

        def hand_in(folder: Path) -> None:
            folder.mkdir(parents=True)
            text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
            (folder / self.lesson.notebook).write_text(text, encoding="utf-8")
            if timestamp:
                (folder / "timestamp.txt").write_text(timestamp, encoding="utf-8")

        return Student(name, kind, hand_in)


def hostile_programs() -> dict[str, str]:
    """Return a dictionary from names to hostile programs for `merge`, as texts.

    The docstring of each program says what it tries.
    """
    return tomllib.loads(Path(__file__).with_name("hostile.toml").read_text(encoding="utf-8"))


def make_class(sampler: Sampler, size: int) -> list[Student]:
    """Return a zoo: a class that has every known hand-in once, if `size` is large enough.

    If `size` is larger, the same hand-ins are repeated, with numbers in the names. The same size
    always gives the same class.
    """
    kinds = sampler.students()
    everybody = sum(map(len, kinds.values()))
    waiting = {kind: iter(students) for kind, students in kinds.items()}
    zoo: list[Student] = []
    for kind in cycle(_TURNS):
        if len(zoo) == everybody:
            break
        zoo += islice(waiting[kind], 1)
    rounds = ((number, one) for number in count(1) for one in zoo)
    return [
        replace(one, name=one.name + f"-{number}" * (number > 1))
        for number, one in islice(rounds, size)
    ]


def real_class(sampler: Sampler, size: int) -> list[Student]:
    """Return a class in real proportions of right, wrong and broken programs.

    Each student's programs and local names are chosen at random, but the last student hands in the
    same answers as the student before. The same size always gives the same class.
    """
    rng = Random(2048)
    known = catalogue(sampler.lesson.id)
    students = []
    before: tuple[dict[str, str], str] = {}, ""
    wrong, broken = (round(size * share / _PROGRAMS) for share in (_WRONG, _BROKEN))
    kinds = ["wrong"] * wrong + ["broken"] * broken + ["right"] * (size - wrong - broken)
    rng.shuffle(kinds)
    for number, kind in enumerate(kinds, 1):
        answers = sampler.in_own_words(rng)
        if kind == "wrong" and known:
            made = rng.choice(known)
            programs = sampler.solutions | {cell_of(made.exercise): made.specimen}
            answers = {cell: in_own_words(text, rng) for cell, text in programs.items()}
            kind = made.id
        if kind == "broken":
            cell = sampler.lesson.exercises[-1].cell
            right = answers[cell]
            answers[cell] = right.replace(":", "", 1) if ":" in right else f"{right})"
        if number == size and size > 1:
            answers, kind = before
        before = answers, kind
        name = f"student-{number:0{len(str(size))}}"
        # mostly in the last days, a few too late
        hours = -rng.expovariate(1 / 30) if rng.random() > _LATE else rng.uniform(1, 50)
        handed_in = f"{_DUE + timedelta(hours=hours):%Y-%m-%d %H:%M:%S} UTC"
        students.append(sampler.student_of(name, kind, sampler.notebook(**answers), handed_in))
    return students


def in_own_words(program: str, rng: Random) -> str:
    r"""Return a copy of a program with other local names, as if a student had chosen them.

    >>> in_own_words("def f(line):\n    kept = line\n    return kept", Random(1))
    'def f(line):\n    values = line\n    return values'
    """
    try:
        names = _own_names(program)
    except SyntaxError:
        return program
    free = [word for word in _WORDS if not re.search(rf"\b{word}\b", program)]
    words = dict(zip(sorted(names), rng.sample(free, min(len(names), len(free))), strict=False))
    lines = program.splitlines(keepends=True)
    tokens = list(generate_tokens(StringIO(program).readline))
    for before, token in reversed(list(pairwise(tokens))):
        if token.type == NAME and token.string in words and before.string != ".":
            row, start = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:start] + words[token.string] + line[token.end[1] :]
    return "".join(lines)


def _own_names(program: str) -> set[str]:
    """Return the names of local variables of functions; they can safely be renamed.

    A name is left out if it also means something else anywhere in the program: a parameter, a
    keyword argument, an attribute of a class, a global name, or a name in an f-string.
    """
    own, others = set[str](), set[str]()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.JoinedStr):
            others |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        elif isinstance(node, ast.keyword) and node.arg:
            others.add(node.arg)
    tables = [symtable(program, "program", "exec")]
    for table in tables:
        tables += table.get_children()
        for each in table.get_symbols():
            is_own = each.is_local() and not each.is_parameter() and not each.is_namespace()
            if table.get_type() == "function" and not each.is_imported() and is_own:
                own.add(each.get_name())
            elif not each.is_free():
                others.add(each.get_name())
    return own - others


def write_class(
    root: Path,
    lesson_id: str,
    size: int,
    into: Path,
    like: Literal["class", "zoo"] = "zoo",
    make: Callable[[Path, str], Sampler] = Sampler,
) -> list[str]:
    """Write a sample class as a new course folder `into`, and return the students' names.

    The folder has `submitted/`, the lesson's `source/` and nbgrader's configuration, so that
    `autograder grade` and `nbgrader` can be tried in it. `root` is the course folder from which the
    lesson comes. If `like` is "class", right and wrong submissions are in real proportions; if it
    is "zoo", every known kind occurs. `make` makes the sampler. Raise `FileExistsError` if `into`
    is not empty.
    """
    if into.exists() and any(into.iterdir()):
        raise FileExistsError(f"{into} is not empty; choose a folder that is not there yet")
    sampler = make(root, lesson_id)
    into.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder(".unfinished-", into.parent) as scratch:
        new = scratch / "new"
        shutil.copytree(root / "source" / lesson_id, new / "source" / lesson_id)
        shutil.copyfile(root / "nbgrader_config.py", new / "nbgrader_config.py")
        students = (real_class if like == "class" else make_class)(sampler, size)
        for student in students:
            student.hand_in(new / "submitted" / student.name / lesson_id)
        new.rename(into)
    return [student.name for student in students]


def _endless(program: str) -> str:
    """Return a program with an endless loop before the last statement of its first function."""
    functions = (node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.FunctionDef))
    start = next((node.body[-1].lineno for node in functions), 1) - 1
    lines = program.splitlines()
    indent = re.match(r" *", lines[start])[0]  # type: ignore[index]
    return "\n".join([*lines[:start], f"{indent}while True:", f"{indent}    pass", *lines[start:]])
