"""Classes of growing size: whether the time grows as they do, and the memory not at all."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.bench.programs import graded
from autograder.bench.running import Took, run, sample_class


@dataclass(frozen=True)
class Growth:
    """One class: what grading it took, the most MiB of the first process, and these over time.

    `further` is seconds for each submission that the class has more than the one before.
    """

    students: int
    took: Took
    further: float
    most_mib: float
    memory: tuple[tuple[float, float], ...]

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)


def growth(root: Path, lesson: str, sizes: Sequence[int], workers: int) -> Iterator[Growth]:
    """Grades a class of each size, the smallest first. Raises `Trouble` if that fails."""
    before: Growth | None = None
    for size in sorted(sizes):
        with sample_class(root, lesson, size) as folder:
            one = run(graded(lesson, workers), folder, lesson, size)
        seconds, more = one.took.seconds, size
        if before is not None:
            seconds, more = seconds - before.took.seconds, max(1, size - before.students)
        most = max((mib for _, mib in one.memory), default=0.0)
        before = Growth(size, one.took, seconds / more, most, one.memory)
        yield before
