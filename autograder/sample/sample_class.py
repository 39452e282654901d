"""A sample class: right, wrong in known ways, untouched, damaged and hostile submissions.

There are two kinds of classes. A zoo has every known submission of each of these kinds. A class in
real proportions has the same shares of right, wrong and broken programs as a real class: of 316
public programs that learners wrote for one task, 264 were right on every line that is graded, 43
were wrong, and 9 did not parse.
"""

import ast
import json
import re
import shutil
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
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
from autograder.sample.damages import DAMAGES
from autograder.system.disk import scratch_folder

# The kinds of students in a zoo take turns in this order. A "slip" is an answer that is untouched,
# does not parse, never ends, or is right but warns.
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
class Style:
    """A right program for an exercise, which can replace the solution in `source/`."""

    title: str
    exercise: str
    program: str


@dataclass(frozen=True)
class Student:
    """One student of a sample class; in a zoo, the name says what is special in the submission.

    `hand_in` writes the submission into a folder. `mistake` is the id of the known mistake that a
    wrong submission makes in a class of real proportions.
    """

    name: str
    kind: str
    hand_in: Callable[[Path], None]
    mistake: str = ""


class Sampler:
    """A maker of submissions of one lesson.

    It fills the lesson's notebook in `release/` with solutions from `source/`, or with other
    programs. `styles` are more right programs. If there are none, right programs differ only in the
    names of their local variables.
    """

    def __init__(self, root: Path, lesson_id: str, styles: Sequence[Style] = ()) -> None:
        self.lesson = lesson(lesson_id)
        self.styles = styles
        inside = Path(lesson_id) / self.lesson.notebook
        self._release = json.loads((root / "release" / inside).read_text(encoding="utf-8"))
        source = json.loads((root / "source" / inside).read_text(encoding="utf-8"))
        self.solutions = {
            cell["id"]: _solution(cell)
            for cell in source["cells"]
            if cell["metadata"].get("nbgrader", {}).get("solution")
        }

    def notebook(self, **programs: str) -> dict[str, Any]:
        """Return a submission with `programs` (cell id → text); its other answers are right."""
        return self._filled({**self.solutions, **programs})

    def untouched(self) -> dict[str, Any]:
        """Return a submission on which nobody has worked."""
        return self._filled({})

    def students(self) -> dict[str, list[Student]]:
        """Return a dictionary: kind of hand-in → a student for each known hand-in of this kind."""
        known = catalogue(self.lesson.id)
        main = self.lesson.exercises[-1].cell
        wrong = sorted(known.misconceptions, key=lambda entry: cell_of(entry.exercise) != main)
        rights = [
            (_slug(f"right {one.exercise} {one.title}"), {cell_of(one.exercise): one.program})
            for one in self.styles
        ] or [(f"right-in-own-words-{n}", self.in_own_words(Random(n))) for n in range(1, _OTHERS)]
        return {
            "right": [
                self.student_of(name, "right", self.notebook(**answer))
                for name, answer in [("right-as-in-the-source", {}), *rights]
            ],
            "wrong": [
                self.student_of(
                    one.id, "wrong", self.notebook(**{cell_of(one.exercise): one.specimen})
                )
                for one in wrong
            ],
            "slip": [self.student_of(name, "slip", slip) for name, slip in self._slips(main)],
            "damaged": [
                Student(
                    damage.name,
                    "damaged",
                    partial(damage.hand_in, name=self.lesson.notebook, notebook=self.notebook()),
                )
                for damage in DAMAGES
            ],
            "hostile": [
                self.student_of(_slug(name), "hostile", self.notebook(merge=program))
                for name, program in hostile_programs().items()
                if "merge" in self.solutions
            ],
        }

    def in_own_words(self, rng: Random) -> dict[str, str]:
        """Return right programs for all exercises, with other local names: cell id → text.

        All are the first styles of their exercises, or all the second ones, and so on, because the
        methods of a class must agree on its attributes.
        """
        styles: dict[str, list[str]] = defaultdict(list)
        for one in self.styles:
            styles[cell_of(one.exercise)].append(one.program)
        turn = rng.randrange(max(map(len, styles.values()), default=0) + 1)
        chosen = {cell: found[turn] for cell, found in styles.items() if turn < len(found)}
        answers = self.solutions | chosen
        return {cell: in_own_words(text, rng) for cell, text in answers.items()}

    def _slips(self, main: str) -> Iterator[tuple[str, dict[str, Any]]]:
        right = self.solutions[main]
        yield "untouched", self.untouched()
        yield "syntax-error", self.notebook(**{main: right.replace(":", "", 1).replace("=", "", 1)})
        yield "endless-loop", self.notebook(**{main: _endless(right)})
        warning = "import warnings\n\nwarnings.warn('only a warning')\n\n"
        yield "right-with-a-warning", self.notebook(**{main: warning + right})

    def _filled(self, programs: dict[str, str]) -> dict[str, Any]:
        notebook: dict[str, Any] = deepcopy(self._release)
        for cell in notebook["cells"]:
            if cell["id"] in programs:
                cell["source"] = programs[cell["id"]].strip("\n")
        return notebook

    def student_of(
        self, name: str, kind: str, notebook: dict[str, Any], timestamp: str = ""
    ) -> Student:
        """Return a student who hands in `notebook`, and also a time stamp if it is given."""

        def hand_in(folder: Path) -> None:
            folder.mkdir(parents=True)
            text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
            (folder / self.lesson.notebook).write_text(text, encoding="utf-8")
            if timestamp:
                (folder / "timestamp.txt").write_text(timestamp, encoding="utf-8")

        return Student(name, kind, hand_in)


def hostile_programs() -> dict[str, str]:
    """Return a dictionary: name → text of a wrong `merge` that attacks the grader.

    The docstring of each `merge` says how it attacks the grader.
    """
    path = Path(__file__).with_name("hostile.toml")
    programs: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))
    return programs


def make_class(sampler: Sampler, size: int) -> list[Student]:
    """Return a zoo: a class that has every known hand-in once, if `size` is large enough.

    The kinds of hand-ins take turns. If `size` is larger, the same hand-ins come once more, with
    numbers in the names. The same size always gives the same class.
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

    Each student's programs and local names are chosen at random. Only the last student hands in the
    same answers as the student before. The same size always gives the same class.
    """
    rng = Random(2048)
    known = catalogue(sampler.lesson.id)
    students = []
    before: tuple[dict[str, str], str, str] = {}, "", ""
    wrong, broken = (round(size * share / _PROGRAMS) for share in (_WRONG, _BROKEN))
    kinds = ["wrong"] * wrong + ["broken"] * broken + ["right"] * (size - wrong - broken)
    rng.shuffle(kinds)
    for number, kind in enumerate(kinds, 1):
        answers, mistake = sampler.in_own_words(rng), ""
        if kind == "wrong" and known.misconceptions:
            made = rng.choice(known.misconceptions)
            programs = sampler.solutions | {cell_of(made.exercise): made.specimen}
            answers = {cell: in_own_words(text, rng) for cell, text in programs.items()}
            mistake = made.id
        if kind == "broken":
            cell = sampler.lesson.exercises[-1].cell
            answers[cell] = _broken(answers[cell])
        if number == size and size > 1:
            answers, kind, mistake = before
        before = answers, kind, mistake
        name = f"student-{number:0{len(str(size))}}"
        # mostly in the last days, now and then too late
        hours = -rng.expovariate(1 / 30) if rng.random() > _LATE else rng.uniform(1, 50)
        handed_in = f"{_DUE + timedelta(hours=hours):%Y-%m-%d %H:%M:%S} UTC"
        student = sampler.student_of(name, kind, sampler.notebook(**answers), handed_in)
        students.append(replace(student, mistake=mistake))
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
    """Return the local names of a program's functions that mean nothing else anywhere in it.

    A parameter, an attribute of a class, a global name, or a name in an f-string is left out.
    """
    own: set[str] = set()
    others = set()
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
    styles: Sequence[Style] = (),
) -> list[str]:
    """Write a sample class as a new course folder `into`, and return the students' names.

    If `like` is "class", the class has real proportions. If `like` is "zoo", the class has every
    known hand-in. `styles` are more right programs, besides the solutions in `source/`.

    The folder has `submitted/`, the lesson's `source/` and nbgrader's configuration, so that
    `autograder grade` and `nbgrader` can be tried in it. Raise `FileExistsError` if the folder is
    not empty.
    """
    if into.exists() and any(into.iterdir()):
        raise FileExistsError(f"{into} is not empty; choose a folder that is not there yet")
    sampler = Sampler(root, lesson_id, styles)
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


def _solution(cell: dict[str, Any]) -> str:
    lines = "".join(cell["source"]).splitlines()
    return "\n".join(line for line in lines if not line.strip().endswith(" SOLUTION"))


def _broken(program: str) -> str:
    """Return a program that does not parse, for a colon or, without one, for a bracket.

    >>> _broken("winning_tile = 2048")
    'winning_tile = 2048)'
    """
    return program.replace(":", "", 1) if ":" in program else f"{program})"


def _endless(program: str) -> str:
    """Return a program with an endless loop before the last statement of its first function."""
    functions = (node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.FunctionDef))
    start = next((node.body[-1].lineno for node in functions), 1) - 1
    lines = program.splitlines()
    indent = re.match(r" *", lines[start])[0]  # type: ignore[index]
    return "\n".join([*lines[:start], f"{indent}while True:", f"{indent}    pass", *lines[start:]])


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.lower()))
