"""The data of grading: the cells of a submission, the results of its checks, and the verdict.

A check is one graded cell. The master is the instructor's copy of the notebook.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile
from typing import Any

NOT_CONFINED = "graded without a jail: the student's code could do whatever the grader may do"
_LONGEST = 80  # characters of a line of a test


class CellKind(StrEnum):
    """The kind of a cell, which decides where its code runs.

    `GIVEN` cells, the instructor's code, run both in the jail and outside. `STUDENT` cells run only
    in the jail, `TEST` cells outside if possible. `MANUAL` cells are graded by a person.
    """

    GIVEN = "given"
    STUDENT = "student"
    TEST = "test"
    MANUAL = "manual"


class Outcome(StrEnum):
    """The outcome of a check; `MANUAL` says that a person grades the cell."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    NOT_RUN = "not_run"
    MANUAL = "manual"


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook; no other cell of the notebook has its `id`.

    `attachments` are the pictures in a text cell: file name → MIME type → base64. `visible` is the
    source without hidden tests; `None` means that nothing in `source` is hidden. `is_inside` is
    true if the cell can run only inside the jail.
    """

    id: str
    kind: CellKind
    source: str
    points: float = 0.0
    cell_type: str = "code"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    visible: str | None = None
    is_inside: bool = False

    @property
    def shown(self) -> str:
        """The source that students can see, without hidden tests."""
        return self.source if self.visible is None else self.visible

    @property
    def is_all_hidden(self) -> bool:
        """True if students see only comments and blank lines of the source, or nothing."""
        lines = (line.strip() for line in self.shown.splitlines())
        return all(line.startswith("#") or not line for line in lines)


@dataclass(frozen=True)
class Submission:
    """A repaired submission, with its cells in the order of the master, the instructor's notebook.

    `problems` has a sentence for every repair. If `is_readable` is false, its first sentence says
    why the submission cannot be read. `answered` is a dictionary: name that a student must define →
    ids of the cells that must define it, in order. `files` are all files beside the notebook: path
    → content. `given_files` are those of them that students may not replace by their own. `imports`
    are the import statements in code cells of the master without nbgrader's marks.
    """

    lesson: str
    cells: tuple[Cell, ...]
    problems: tuple[str, ...] = ()
    is_readable: bool = True
    answered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given_files: Mapping[str, bytes] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    imports: str = ""

    def answer_of(self, name: str, test: str) -> str:
        """Return the id of the last cell above the test `test` that must define `name`.

        If none is above the test, return the id of the first such cell; "" if there is none.
        """
        above = {cell.id for cell in takewhile(lambda cell: cell.id != test, self.cells)}
        cells = self.answered.get(name, ())
        return next((cell for cell in reversed(cells) if cell in above), next(iter(cells), ""))

    @property
    def code(self) -> tuple[Cell, ...]:
        """The code cells, which are the only cells that are run."""
        return tuple(cell for cell in self.cells if cell.cell_type == "code")


@dataclass(frozen=True)
class Difference:
    """The first answer to a test's questions in which a wrong program differs from the answer key.

    `group` is the id of the group of programs that do the same, `cell` the id of the cell with the
    program. The other texts are for instructors only, as they may give away a hidden test.
    `expected` is the answer key's answer. It is empty if the key was not asked this question, or if
    its answer has the same text.
    """

    group: str
    cell: str
    question: str
    answer: str
    expected: str


@dataclass(frozen=True)
class CheckResult:
    """The result of one check, that is, of one graded cell.

    `message` says why the check did not pass. `tells` is true if the message may give away what a
    test asked or expected, and false if all its words are the grader's own. `told` is the message
    for the student; if only a hidden test failed, it is a fixed sentence or empty. `misconception`
    is the id of a known mistake, `mistake` its title, and `hint` a hint on it. `is_protected` is
    false if the test ran in the jail, where the student's code may have changed the outcome. `line`
    is the number of the line at which the test ended, or 0.

    `released` is the outcome of the test in a run without hidden lines. It is `None` if the test
    has no hidden line, and `NOT_RUN` if all its lines are hidden.
    """

    id: str
    points: float
    max_points: float
    outcome: Outcome
    message: str = ""
    misconception: str | None = None
    tells: bool = True
    told: str = ""
    mistake: str = ""
    hint: str = ""
    is_protected: bool = True
    line: int = 0
    difference: Difference | None = None
    released: Outcome | None = None

    def line_in(self, source: str) -> str:
        """Return the text of the line at which a test ended, or "" if it is not known."""
        lines = source.splitlines()
        if not 0 < self.line <= len(lines):
            return ""
        text = lines[self.line - 1].strip()
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


@dataclass(frozen=True)
class Verdict:
    """The verdict on one submission, as plain data that a worker process can return.

    `name` is the file name of the submission, `file` that of the master. `notebook` is the text of
    the repaired notebook with its outputs. Until it is written, `outputs` has them: cell id →
    outputs in nbformat's form. `untouched` are the ids of the answer cells on which the student has
    not worked. `unreadable` are those of the `problems` that say why a notebook cannot be read.
    `broken` are given cells that could not run outside of the jail: id → the reason. `titles` are
    for cells whose ids an editor made up: id → title.
    """

    name: str
    lesson: str
    checks: tuple[CheckResult, ...]
    problems: tuple[str, ...] = ()
    notebook: str = ""
    untouched: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    outputs: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False)
    file: str = ""
    broken: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def is_readable(self) -> bool:
        """True if every notebook can be read."""
        return not self.unreadable

    @property
    def score(self) -> float:
        """The sum of the points that the checks gave."""
        return float(sum(check.points for check in self.checks))

    @property
    def max_score(self) -> float:
        """The sum of the points that the checks give at most."""
        return float(sum(check.max_points for check in self.checks))

    @property
    def waiting(self) -> frozenset[str]:
        """The ids of the cells that a person must grade.

        As in nbgrader, an untouched answer gets 0 at once; so do all cells of an unreadable file.
        """
        by_hand = (check.id for check in self.checks if check.outcome is Outcome.MANUAL)
        return frozenset(by_hand).difference(self.untouched) if self.is_readable else frozenset()

    @property
    def points_waiting(self) -> float:
        """The points of the cells that a person must grade."""
        return sum(check.max_points for check in self.checks if check.id in self.waiting)

    def as_json(self) -> dict[str, Any]:
        """Return the object that `autograder check --json` prints."""
        return {
            "notebook": self.name,
            "lesson": self.lesson,
            "score": self.score,
            "max_score": self.max_score,
            "checks": [
                {
                    "id": check.id,
                    "points": float(check.points),
                    "max_points": float(check.max_points),
                    "outcome": check.outcome.value,
                    "message": check.message,
                    "misconception": check.misconception,
                }
                for check in self.checks
            ],
            "problems": list(self.problems),
        }


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """Return one verdict on all notebooks of a hand-in.

    If there are several notebooks, each id begins with the name of its notebook.
    """
    if len(verdicts) == 1:
        return verdicts[0]
    stems = [(one.file.removesuffix(".ipynb"), one) for one in verdicts]
    return Verdict(
        ", ".join(one.name for one in verdicts),
        verdicts[0].lesson,
        tuple(replace(each, id=f"{stem}/{each.id}") for stem, one in stems for each in one.checks),
        tuple(f"{one.file}: {problem}" for one in verdicts for problem in one.problems),
        untouched=tuple(f"{stem}/{cell}" for stem, one in stems for cell in one.untouched),
        unreadable=tuple(f"{one.file}: {why}" for one in verdicts for why in one.unreadable),
        seconds=sum(one.seconds for one in verdicts),
        titles={name: title for one in verdicts for name, title in one.titles.items()},
    )
