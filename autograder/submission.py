"""A paper: one submission, put in the order and the kinds of cells that the master has."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """Where a cell runs: given on both sides, the student's in the jail, tests in the judge."""

    GIVEN = "given"
    STUDENT = "student"
    TEST = "test"
    MANUAL = "manual"


class Outcome(StrEnum):
    """What became of a check."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    NOT_RUN = "not_run"
    MANUAL = "manual"


@dataclass(frozen=True)
class Cell:
    """One code cell; `id` is unique in the paper, `points` is 0 unless the cell is graded."""

    id: str
    kind: Kind
    source: str
    points: float = 0.0


@dataclass(frozen=True)
class Paper:
    """One submission, ready to be judged: the lesson's id and its code cells in order."""

    lesson: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class CheckResult:
    """One check: `message` says why it did not pass, `misconception` names a known mistake.

    `tells` is whether the message may show what the test asked or expected: it holds words of the
    test, or of the student's code, which has seen what was asked. The judge's own words never do.
    """

    id: str
    points: float
    max_points: float
    outcome: Outcome
    message: str = ""
    misconception: str | None = None
    tells: bool = True


@dataclass(frozen=True)
class Verdict:
    """All checks of a paper in order, and for each cell that ran its outputs in nbformat's form."""

    checks: tuple[CheckResult, ...]
    outputs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
