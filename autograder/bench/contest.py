"""One class, graded by each program in turn, and the time and memory that this took."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from autograder.bench.programs import Program, programs
from autograder.bench.running import Took, run, sample_class


@dataclass(frozen=True)
class Row:
    """The measurement of one program with one class, the median of all runs.

    `measured` is how many submissions it really graded. If that is not the whole class, the rest is
    estimated from what each submission after the first took. `has_equal` is true if the scores are
    those of nbgrader for all that both have graded.
    """

    program: str
    students: int
    measured: int
    took: Took
    ratio: float
    ratio_cpu: float
    has_equal: bool

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Rules:
    """The rules of a contest: sizes of classes, numbers of processes, and of runs for each.

    A program that is slow grades only `most` submissions of a large class. `otter` is the program
    of Otter-Grader, if it takes part.
    """

    sizes: Sequence[int]
    workers: Sequence[int]
    repeats: int = 1
    most: int = 24
    otter: str | None = None


def contest(root: Path, lesson: str, rules: Rules) -> Iterator[Row]:
    """Yield a row for each size and program. Raise `Trouble` if a program fails."""
    for size in rules.sizes:
        first: Row | None = None
        right: dict[str, float] = {}
        with sample_class(root, lesson, size) as folder:
            for program in programs(lesson, rules.workers, rules.otter):
                count = min(size, rules.most) if program.is_slow else size
                took, scores = _median(program, folder, lesson, count, size, rules.repeats)
                right = right or scores
                both = right.keys() & scores.keys()
                has_equal = all(right[student] == scores[student] for student in both)
                by = first.took if first else took
                ratios = by.seconds / took.seconds, by.cpu / took.cpu
                row = Row(program.name, size, count, took, *ratios, has_equal)
                first = first or row
                yield row


def _median(
    program: Program, folder: Path, lesson: str, count: int, size: int, repeats: int
) -> tuple[Took, dict[str, float]]:
    runs: list[Took] = []
    scores: dict[str, float] = {}
    for _ in range(repeats):
        one = run(program, folder, lesson, count)
        whole, scores = one.took, one.scores
        if count < size:
            whole = _scaled(run(program, folder, lesson, 1).took, whole, count, size)
        runs.append(whole)
    return Took(*(median(values) for values in zip(*map(astuple, runs), strict=True))), scores


def _scaled(alone: Took, some: Took, count: int, size: int) -> Took:
    """Estimate what a whole class takes, from a run over one submission and one over `count`."""

    def whole(one: float, many: float) -> float:
        return one + (many - one) / (count - 1) * (size - 1)

    return Took(whole(alone.seconds, some.seconds), whole(alone.cpu, some.cpu), some.mib)
