"""One class, graded by each program in turn, and what that took."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from autograder.bench.programs import Program, programs
from autograder.bench.running import Took, run, sample_class


@dataclass(frozen=True)
class Row:
    """What a program took for a class, the median of all runs.

    `measured` is how many submissions it really graded: where that is not the whole class, a run
    over one submission was taken off, and the rest counted for as many as there are. `has_equal`
    is whether the scores are those of nbgrader for all that both have graded.
    """

    program: str
    students: int
    measured: int
    took: Took
    ratio: float
    ratio_cpu: float
    has_equal: bool

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Rules:
    """How to measure: classes of which sizes, so many processes, runs, and of a large class only
    `most` for a program that is slow. `otter` is the program of Otter-Grader, if it takes part.
    """

    sizes: Sequence[int]
    workers: Sequence[int]
    repeats: int = 1
    most: int = 24
    otter: str | None = None


def contest(root: Path, lesson: str, rules: Rules) -> Iterator[Row]:
    """A row for each size and program. Raises `Trouble` if a program fails."""
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
    """What a whole class would take, from one submission and some of them."""

    def whole(one: float, many: float) -> float:
        return one + (many - one) / (count - 1) * (size - 1)

    return Took(whole(alone.seconds, some.seconds), whole(alone.cpu, some.cpu), some.mib)
