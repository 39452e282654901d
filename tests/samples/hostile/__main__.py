"""`python -m tests.samples.hostile` grades hostile programs with this grader and plain nbgrader.

If names of programs follow, only these are graded. With `--write`, the results go into `table.md`;
the rows of programs that were not graded stay as they are.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from autograder.jail import WarmJail
from autograder.judge import judge
from tests.autograder.grading_helpers import master_submission, score
from tests.samples.hostile import FOLDER, WRONG, Hostile, hostile_programs
from tests.samples.hostile.nbgrader_in_container import LESSON, Scores, grade_plainly, plain_course

_TABLE = FOLDER / "table.md"
_FULL = 12.0


@dataclass(frozen=True)
class Row:
    """The result of one program with one grader.

    `fair` is the score of the program without its attack, `neighbour` that of the next student, who
    has a right program. A score is `None` if the grader gives none.
    """

    fair: float
    score: float | None
    neighbour: float | None
    seconds: float

    @property
    def is_contained(self) -> bool:
        """True if the attack gained nothing, and the next student has full marks."""
        return not self.has_gained and self.neighbour == _FULL

    @property
    def has_gained(self) -> bool:
        """True if the program has more points than it would have without its attack."""
        return self.score is not None and self.score > self.fair

    @property
    def said(self) -> str:
        """The result in words, as in the table."""
        words = [] if self.neighbour == _FULL else ["**the next student loses**"]
        if self.score is None:
            words.insert(0, "no grade")
        elif self.has_gained:
            words.insert(0, f"**{self.score:g} points**")
        else:
            words.insert(0, f"{self.score:g} points")
        return f"{', '.join(words)}, {self.seconds:.0f} s"


def main(arguments: list[str]) -> None:
    """Grade every program with both graders, and print the results."""
    names = [argument for argument in arguments if not argument.startswith("-")]
    programs = [one for one in hostile_programs() if not names or one.name in names]
    told, fair = {}, 0.0
    for program, here, plain in _compared(programs):
        told[program.name] = (here.said, plain.said)
        fair = here.fair
        print(f"{program.name:32} here: {here.said:28} plain nbgrader: {plain.said}", flush=True)
    text = _table({**table_now(), **told} if names else told, fair)
    print("\n".join(text.splitlines()[2:4]))
    if "--write" in arguments:
        _TABLE.write_text(text, "utf-8")


def table_now() -> dict[str, tuple[str, str]]:
    """Return the results in `table.md`: program → (with this grader, with plain nbgrader)."""
    known = {program.name for program in hostile_programs()}
    table = _TABLE.read_text("utf-8")
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:1] == "|"]
    return {line[0]: (line[-2], line[-1]) for line in lines if line[0] in known}


def _compared(programs: list[Hostile]) -> Iterator[tuple[Hostile, Row, Row]]:
    with ExitStack() as stack:
        jail = stack.enter_context(WarmJail(LESSON))
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


def _judged(jail: WarmJail, merge: str | None) -> float:
    replaced = {} if merge is None else {"merge": merge}
    return score(judge(master_submission(**replaced), jail))


def _summary(said: list[str]) -> str:
    gained = sum(words.startswith("**") and "points" in words.split(",")[0] for words in said)
    harmed = sum("the next student loses" in words for words in said)
    contained = sum("**" not in words for words in said)
    ungraded = sum(words.startswith("no grade") for words in said)
    return (
        f"{contained}/{len(said)} contained ({gained} gained points, {harmed} harmed the next "
        f"student); {ungraded} left without a grade"
    )


def _table(told: dict[str, tuple[str, str]], fair: float) -> str:
    programs = [program for program in hostile_programs() if program.name in told]
    lines = [
        "# Hostile programs, here and under plain nbgrader",
        "",
        f"Here: {_summary([told[program.name][0] for program in programs])}.",
        f"Plain nbgrader: {_summary([told[program.name][1] for program in programs])}.",
        "",
        f"Of {_FULL:g} points, the same wrong program without an attack gets {fair:g}.",
        "",
        "| program | what it tries | here | plain nbgrader |",
        "|---|---|---|---|",
    ]
    for program in programs:
        here, plain = told[program.name]
        lines.append(f"| {program.name} | {program.tries} | {here} | {plain} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
