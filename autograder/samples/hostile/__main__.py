"""`python -m autograder.samples.hostile`: what hostile programs gain here and under plain nbgrader.

With names, only those programs. With `--write`, the table goes into `autograder/README.md`.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from autograder.jail import Jail
from autograder.judge import judge
from autograder.notebook.master import read_master
from autograder.samples.hostile import WRONG, Hostile, hostile_programs
from autograder.samples.hostile.plain import LESSON, Scores, grade_plainly, plain_course
from autograder.submission import Cell, Submission

_README = Path(__file__).parents[2] / "README.md"
_BEGIN, _END = "<!-- hostile: begin -->", "<!-- hostile: end -->"
_FULL = 12.0


@dataclass(frozen=True)
class Row:
    """What became of one program in one grader, beside what it is worth without its attack."""

    fair: float
    score: float | None
    neighbour: float | None
    seconds: float

    @property
    def is_contained(self) -> bool:
        """It gained nothing, and its neighbour has full marks."""
        return not self.has_gained and self.neighbour == _FULL

    @property
    def has_gained(self) -> bool:
        """It has more points than the same program without its attack."""
        return self.score is not None and self.score > self.fair

    @property
    def said(self) -> str:
        """In words of a table."""
        words = [] if self.neighbour == _FULL else ["**the next student loses**"]
        if self.score is None:
            words.insert(0, "no grade")
        elif self.has_gained:
            words.insert(0, f"**{self.score:g} points**")
        else:
            words.insert(0, f"{self.score:g} points")
        return f"{', '.join(words)}, {self.seconds:.0f} s"


def main(arguments: list[str]) -> None:
    """Grades every program both ways and prints what became of it."""
    names = [argument for argument in arguments if not argument.startswith("-")]
    programs = [one for one in hostile_programs() if not names or one.name in names]
    rows = []
    for program, here, plain in _compared(programs):
        rows.append((program, here, plain))
        print(f"{program.name:32} here: {here.said:28} plain nbgrader: {plain.said}", flush=True)
    text = _table(rows)
    print("\n".join(text.splitlines()[:2]))
    if "--write" in arguments:
        before, _, rest = _README.read_text("utf-8").partition(_BEGIN)
        after = rest.partition(_END)[2]
        _README.write_text(f"{before}{_BEGIN}\n{text}{_END}{after}", "utf-8")


def _compared(programs: list[Hostile]) -> Iterator[tuple[Hostile, Row, Row]]:
    with ExitStack() as stack:
        jail = stack.enter_context(Jail(LESSON))
        folder = stack.enter_context(plain_course())
        fair_here = _judged(jail, WRONG)
        fair_plain = grade_plainly(folder, WRONG)["hostile"]
        assert fair_plain is not None, "plain nbgrader does not work here"
        for program in programs:
            begin = time.monotonic()
            here = _judged(jail, program.source), _judged(jail, None)
            middle = time.monotonic()
            plain: Scores = grade_plainly(folder, program.source)
            yield (
                program,
                Row(fair_here, *here, middle - begin),
                Row(fair_plain, plain["hostile"], plain["right"], time.monotonic() - middle),
            )


def _judged(jail: Jail, merge: str | None) -> float:
    replaced = {} if merge is None else {"merge": merge}
    cells = tuple(
        Cell(cell.id, cell.kind, replaced.get(cell.id, cell.source), cell.points)
        for cell in read_master(LESSON, Path(__file__).parents[3] / "source").cells
        if cell.cell_type == "code"
    )
    return sum(check.points for check in judge(Submission(LESSON, cells), jail).checks)


def _summary(rows: list[Row]) -> str:
    contained = sum(row.is_contained for row in rows)
    gained = sum(row.has_gained for row in rows)
    harmed = sum(row.neighbour != _FULL for row in rows)
    ungraded = sum(row.score is None for row in rows)
    return (
        f"{contained}/{len(rows)} contained ({gained} gained points, {harmed} harmed the next "
        f"student); {ungraded} left without a grade"
    )


def _table(rows: list[tuple[Hostile, Row, Row]]) -> str:
    lines = [
        f"Here: {_summary([row for _, row, _ in rows])}.",
        f"Plain nbgrader: {_summary([row for _, _, row in rows])}.",
        "",
        f"Of {_FULL:g} points, the same wrong program without an attack gets {rows[0][1].fair:g}.",
        "",
        "| program | what it tries | here | plain nbgrader |",
        "|---|---|---|---|",
    ]
    for program, row, other in rows:
        lines.append(f"| {program.name} | {program.tries} | {row.said} | {other.said} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
