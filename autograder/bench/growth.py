"""Classes of growing size, to see if the time grows in proportion and the memory not at all."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.bench.programs import graded
from autograder.bench.running import Took, run, sample_class


@dataclass(frozen=True)
class Growth:
    """One class: what grading it took, the most MiB of the first process, and its memory over time.

    `further` is the seconds for each submission that the class has more than the one before, and
    `further_cpu` the processor seconds.
    """

    students: int
    took: Took
    further: float
    further_cpu: float
    most_mib: float
    memory: tuple[tuple[float, float], ...]

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)


def growth(root: Path, lesson: str, sizes: Sequence[int], workers: int) -> Iterator[Growth]:
    """Grade a class of each size, the smallest first. Raise `Trouble` if that fails."""
    before: Growth | None = None
    for size in sorted(sizes):
        with sample_class(root, lesson, size) as folder:
            one = run(graded(lesson, workers), folder, lesson, size)
        more, seconds, cpu = size, one.took.seconds, one.took.cpu
        if before is not None and size > before.students:
            more -= before.students
            seconds, cpu = seconds - before.took.seconds, cpu - before.took.cpu
        most = max((mib for _, mib in one.memory), default=0.0)
        before = Growth(size, one.took, seconds / more, cpu / more, most, one.memory)
        yield before
