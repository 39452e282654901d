"""Right programs of the lessons, in at least twelve styles for each exercise."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from autograder.grading_data import CellKind
from autograder.sample import Sampler, in_own_words
from course.lessons import cell_of, lesson, ways
from tests.autograder.grading_helpers import the_master


@dataclass(frozen=True)
class Style:
    """A right program for an exercise, which can replace the solution in `source/`."""

    title: str
    exercise: str
    program: str


class StyledSampler(Sampler):
    """A maker of submissions whose right programs are in all styles of the lesson."""

    def others(self) -> dict[str, dict[str, str]]:
        answers = {}
        for one in right_styles(self.lesson.id):
            words = re.findall(r"[a-z0-9]+", f"right {one.exercise} {one.title}".lower())
            answers["-".join(words)] = {cell_of(one.exercise): one.program}
        return answers or super().others()

    def in_own_words(self, rng: Random) -> dict[str, str]:
        """Return a right program for each solution cell, with other local names: cell id → text.

        All are the first styles of their exercises, or all are the second ones, and so on, because
        the methods of a class must agree on its attributes. An exercise that has fewer styles gets
        the lesson's own solution.
        """
        styles: dict[str, list[str]] = defaultdict(list)
        for one in right_styles(self.lesson.id):
            styles[cell_of(one.exercise)].append(one.program)
        turn = rng.randrange(max(map(len, styles.values()), default=0) + 1)
        chosen = {cell: found[turn] for cell, found in styles.items() if turn < len(found)}
        answers = self.solutions | chosen
        return {cell: in_own_words(text, rng) for cell, text in answers.items()}


def right_programs(lesson_id: str) -> Iterator[Style]:
    """Yield the solutions in the instructor's notebook, then the programs of `right_styles`."""
    names = {exercise.cell: exercise.name for exercise in lesson(lesson_id).exercises}
    for cell in the_master(lesson_id).cells:
        if cell.kind is CellKind.STUDENT and cell.id in names:
            yield Style("as in the source", names[cell.id], cell.source)
    yield from right_styles(lesson_id)


@cache
def right_styles(lesson_id: str) -> tuple[Style, ...]:
    """Return the right programs of a lesson; each replaces the solution cell of its exercise.

    First come the other ways to write an exercise, which the course offers learners to look at,
    then the programs in the lesson's file in this folder.
    """
    shown = [
        Style(f"way {number} that learners may look at", one.name, way.program)
        for one in lesson(lesson_id).exercises
        for number, way in enumerate(ways(one.name), start=1)
    ]
    path = Path(__file__).with_name(f"{lesson_id}.toml")
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["right"] if path.exists() else ()
    return (*shown, *(Style(**entry) for entry in entries))
