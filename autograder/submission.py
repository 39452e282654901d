"""The plain data of grading: a submission's cells, the checks, and the verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any


class CellKind(StrEnum):
    """The kind of a cell: given ones run on both sides, a student's in the jail, tests outside."""

    GIVEN = "given"
    STUDENT = "student"
    TEST = "test"
    MANUAL = "manual"


class Outcome(StrEnum):
    """The outcome of a check."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    NOT_RUN = "not_run"
    MANUAL = "manual"


@dataclass(frozen=True)
class Cell:
    """One cell; `id` is unique in its notebook, `points` is 0 unless the cell is graded.

    `attachments` are the pictures in a text cell: file name → type → base64. `visible` is the
    source without hidden tests, `None` where there are none. `is_inside`: the plan says that it
    cannot run outside of the jail.
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
        """The source as students have it."""
        return self.source if self.visible is None else self.visible


@dataclass(frozen=True)
class Submission:
    """A submission, repaired: the cells in the master's order, and every repair in words.

    Where nothing could be read, `is_readable` is false, and the first problem says why. `answered`
    are the names that a student is to bind. `given_files` lie beside the master, `files` are those
    and the student's own, by their paths. `imports` are those of the master's cells without marks.
    """

    lesson: str
    cells: tuple[Cell, ...]
    problems: tuple[str, ...] = ()
    is_readable: bool = True
    answered: frozenset[str] = frozenset()
    given_files: Mapping[str, bytes] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    imports: str = ""

    @property
    def code(self) -> tuple[Cell, ...]:
        """The code cells, which the judge looks at."""
        return tuple(cell for cell in self.cells if cell.cell_type == "code")


@dataclass(frozen=True)
class CheckResult:
    """One check: `message` says why it did not pass, `misconception` names a known mistake.

    `tells` is whether the message may show what the test asked or expected: it holds words of the
    test, or of the student's code, which has seen what was asked. The judge's own words never do.
    `told` is the part of it that the student may read, empty where only a hidden test failed;
    `mistake` and `hint` are the title and the hint of the misconception. Where a check is not
    protected, its test ran beside the student's code, which may have changed what came out. `line`
    is that of the test at which it ended, 0 where there is none.
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

    def as_json(self) -> dict[str, Any]:
        """The check as `autograder check --json` prints it."""
        return {
            "id": self.id,
            "points": float(self.points),
            "max_points": float(self.max_points),
            "outcome": self.outcome.value,
            "message": self.message,
            "misconception": self.misconception,
        }


@dataclass(frozen=True)
class Verdict:
    """The verdict on one submission; plain data, so that a worker anywhere can return it.

    The judge fills `checks` and `outputs`: cell id → outputs in nbformat's form. At the end
    `notebook` holds them: the repaired notebook as JSON. `untouched` are the ids of the answers
    that are still as they were given out; `seconds` is how long all of it took. `file` is the
    name of the master; `broken` are given cells that could not run outside, with the reason.
    """

    name: str
    lesson: str
    checks: tuple[CheckResult, ...]
    problems: tuple[str, ...] = ()
    notebook: str = ""
    untouched: tuple[str, ...] = ()
    is_readable: bool = True
    outputs: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False)
    file: str = ""
    broken: Mapping[str, str] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The points that were given."""
        return float(sum(check.points for check in self.checks))

    @property
    def max_score(self) -> float:
        """The points that could be given."""
        return float(sum(check.max_points for check in self.checks))

    def as_json(self) -> dict[str, Any]:
        """The object that `autograder check --json` prints."""
        return {
            "notebook": self.name,
            "lesson": self.lesson,
            "score": self.score,
            "max_score": self.max_score,
            "checks": [check.as_json() for check in self.checks],
            "problems": list(self.problems),
        }


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict on all notebooks of an assignment, each named where there are several."""
    if len(verdicts) == 1:
        return verdicts[0]
    return Verdict(
        ", ".join(one.name for one in verdicts),
        verdicts[0].lesson,
        tuple(
            replace(check, id=f"{_stem(one)}/{check.id}")
            for one in verdicts
            for check in one.checks
        ),
        tuple(f"{one.file}: {problem}" for one in verdicts for problem in one.problems),
        untouched=tuple(f"{_stem(one)}/{cell}" for one in verdicts for cell in one.untouched),
        is_readable=all(one.is_readable for one in verdicts),
        seconds=sum(one.seconds for one in verdicts),
    )


def _stem(verdict: Verdict) -> str:
    return verdict.file.removesuffix(".ipynb")
