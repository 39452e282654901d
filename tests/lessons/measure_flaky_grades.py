"""Luck in grades: how often one program gets other points, or another mistake's name, than before.

`python -m tests.lessons.measure_flaky_grades [LESSON …] [--times 200] [--turns 5]`
grades programs of the lessons again and again: right programs, known mistakes, and the wrong
programs in `wrong/`. It prints a table, and each program for which the points or the named mistakes
differ.

Each turn is a process of its own, in which texts have other hashes and the programs come in another
order. In most checks, a program draws only from the `rng` that it gets as an argument. Each turn
runs these checks once. All other checks run `--times` times in all, with other random numbers each
time.
"""

import os
import random
import re
import sys
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple
from unittest.mock import patch

from autograder.misconceptions import catalogue
from course.lessons import cell_of, lessons
from tests.lessons.right import right_styles
from tests.lessons.running import affected, lost_checks, named

WRONG = Path(__file__).with_name("wrong")
ENDLESS = ("full-hangs", "tries-for-ever")  # each grading would take a minute
OTHER_CHANCE = re.compile(r"\b(import random|secrets|urandom|uuid|time|id|hash)\b")


class Program(NamedTuple):
    """A program that replaces the solution of its exercise."""

    lesson: str
    exercise: str
    title: str
    text: str
    is_right: bool = False


class Graded(NamedTuple):
    """The result of one grading: the checks that were lost, and the mistake that was named."""

    lost: tuple[str, ...]
    name: str


def programs(lesson_id: str) -> Iterator[Program]:
    """Yield the right and the wrong programs of a lesson, except those in `ENDLESS`."""
    for right in right_styles(lesson_id):
        yield Program(lesson_id, right.exercise, right.title, right.program, is_right=True)
    for entry in catalogue(lesson_id):
        if entry.id not in ENDLESS:
            yield Program(lesson_id, entry.exercise, entry.id, entry.specimen)
    file = WRONG / f"{lesson_id}.toml"
    for hole in tomllib.loads(file.read_text("utf-8"))["hole"] if file.exists() else ():
        yield Program(lesson_id, hole["exercise"], hole["title"], hole["program"])


@contextmanager
def seeds_of_new_randoms(seed_for: Callable[[FrameType], Any]) -> Iterator[None]:
    """Seed each `Random()` that a program makes; `seed_for` gets the frame and returns the seed."""
    seed = Random.seed

    def begin(self: Random, start: Any = None, version: int = 2) -> None:
        caller = sys._getframe(2)  # the code that makes the Random
        if start is None and caller.f_globals["__name__"] == "__main__":
            start = seed_for(caller)
        seed(self, start, version)

    with patch.object(Random, "seed", begin):
        yield


def drawing(program: Program) -> list[str]:
    """Return the checks in which a program draws random numbers that are not from its `rng`."""
    cell = cell_of(program.exercise)
    asked = affected(program.lesson, [cell])
    if OTHER_CHANCE.search(program.text):
        return asked
    ours, theirs = os.pipe()
    os.write(theirs, b" ")  # so there is always something to read
    places = {f"<{check}>": place for place, check in enumerate(asked)} | {f"<{cell}>": len(asked)}

    def noted(frame: FrameType) -> None:
        while frame.f_back is not None and frame.f_code.co_name != "<module>":
            frame = frame.f_back
        place = places.pop(frame.f_code.co_filename, None)
        os.write(theirs, b"" if place is None else f"{place} ".encode())

    with seeds_of_new_randoms(noted):
        lost_checks(program.lesson, {cell: program.text}, only=asked)
    found = set(map(int, os.read(ours, 2**16).split()))
    os.close(ours)
    os.close(theirs)
    # If the program's own cell makes a `Random`, all checks may use it.
    return [each for place, each in enumerate(asked) if found & {place, len(asked)}]


def graded(program: Program, only: Collection[str], before: Collection[str] = ()) -> Graded:
    """Grade a program once by the checks in `only`, after seeding Python's global random numbers.

    `before` are checks that the program has lost already; they count as lost.
    """
    random.seed()
    replaced = {cell_of(program.exercise): program.text}
    lost = {*before, *lost_checks(program.lesson, replaced, only=only)}
    said = named(program.lesson, program.exercise, program.text) if lost else None
    return Graded(tuple(sorted(lost)), said.id if said else "")


def _turn(program: Program, times: int) -> tuple[bool, list[Graded]]:
    """Grade a program by all checks that it can lose, then again by those in which it draws.

    Return true if it draws from more than its `rng` in some checks, and the results. If it does
    not, there is one result; otherwise there are `times` results.
    """
    draws = drawing(program)
    first = graded(program, affected(program.lesson, [cell_of(program.exercise)]))
    calm = [check for check in first.lost if check not in draws]
    others = (graded(program, draws, before=calm) for _ in range(times - 1 if draws else 0))
    return bool(draws), [first, *others]


def report(lesson_id: str, times: int, turns: int) -> None:
    """Print a lesson's row of the table, and its programs whose points or named mistakes differ."""
    known = list(programs(lesson_id))
    found: dict[Program, Counter[Graded]] = {program: Counter() for program in known}
    varying: set[Program] = set()
    for turn in range(turns):
        os.environ["PYTHONHASHSEED"] = str(turn)
        known = random.sample(known, len(known))
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            of_each = pool.map(_turn, known, [-(-times // turns)] * len(known))
            for program, (draws, gradings) in zip(known, of_each, strict=True):
                found[program].update(gradings)
                varying |= {program} if draws else set()
    points = [p for p, gradings in found.items() if len({each.lost for each in gradings}) > 1]
    names = [p for p, gradings in found.items() if len({each.name for each in gradings}) > 1]
    print(
        f"{lesson_id:28} programs {len(known):4}  with other chance {len(varying):4}"
        f"  gradings {sum(map(Counter.total, found.values())):6}"
        f"  points differ {len(points):3}  name differs {len(names):3}",
        flush=True,
    )
    for program in dict.fromkeys([*points, *names]):
        print(f"  {program.exercise}, {program.title}")
        for each, count in sorted(found[program].items()):
            print(f"    {count:4} × {each.name or 'no name'}: {', '.join(each.lost)}", flush=True)


def main(words: Sequence[str]) -> None:
    """Print the table, and the programs whose points or named mistakes differ."""
    parser = ArgumentParser(prog="python -m tests.lessons.measure_flaky_grades")
    parser.add_argument("lessons", nargs="*")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--turns", type=int, default=5)
    asked = parser.parse_args(words)
    for lesson_id in asked.lessons or [entry.id for entry in lessons()]:
        report(lesson_id, asked.times, asked.turns)


if __name__ == "__main__":
    main(sys.argv[1:])
