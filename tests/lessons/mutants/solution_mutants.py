"""Mutants of right programs: each has one small change, which a check of its lesson should notice.

`python -m tests.lessons.mutants.solution_mutants [LESSON …]` prints a table, and every mutant that
is alive. A mutant is "killed" if a check fails. It is "equivalent" if it does the same as the
program from which it was made, in many more cases than the checks have. All others are "alive".
Mutants in `equivalents.toml` are equivalent, too: they draw at random in another way that is also
right, or they are wrong so seldom that no number of draws would show it.
"""

import json
import os
import select
import signal
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import course
from autograder.course_adapter import ROOT
from autograder.grading_data import CellKind
from autograder.notebook.master import MasterCell, read_master
from course import rules
from course.answer_comparison import same
from course.cases import announced_moves, random_boards
from course.function_calls import copied
from course.heard import sounds_like
from course.lessons import built_before, cell_of, lesson, lessons
from course.mine.add_to_class import add_to
from course.rules.speech import LETTERS, say_merges
from tests.lessons.class_cases import story_of
from tests.lessons.duel_cases import cases_of_duels
from tests.lessons.mutants.mutations import mutants
from tests.lessons.right import right_styles

SECONDS = 60.0  # for all cells of a lesson with one mutant
CPU_SECONDS = 5  # ten times what a right program needs
MEMORY = 2 * 2**30


@dataclass(frozen=True)
class Mutant:
    """A right program with one change.

    `original` is the program before the change, `program` after it. `line` is the number of the
    changed line. `style` is the title of the right program.
    """

    lesson: str
    exercise: str
    style: str
    line: int
    program: str
    original: str


def mutants_of(lesson_id: str, only: str = "") -> Iterator[Mutant]:
    """Yield the mutants of a lesson's right programs, each text once.

    With `only`, these are the mutants of one exercise.
    """
    seen: set[tuple[str, str]] = set()
    for exercise, style, program in right_programs(lesson_id):
        if only not in ("", exercise):
            continue
        for line, text in mutants(program):
            if (exercise, text) not in seen:
                seen.add((exercise, text))
                yield Mutant(lesson_id, exercise, style, line, text, program)


def right_programs(lesson_id: str) -> Iterator[tuple[str, str, str]]:
    """Yield exercise, style and program: first the master's solutions, then those in `right/`."""
    names = {exercise.cell: exercise.name for exercise in lesson(lesson_id).exercises}
    for cell in read_master(lesson_id, ROOT / "source").cells:
        if cell.kind is CellKind.STUDENT and cell.id in names:
            yield names[cell.id], "as in the source", cell.source
    for right in right_styles(lesson_id):
        yield right.exercise, right.title, right.program


def lost_checks(
    lesson_id: str,
    replaced: dict[str, str],
    first: bool = True,
    only: Collection[str] | None = None,
) -> list[str]:
    """Return the checks that a lesson's master loses if some of its solution cells are replaced.

    With `first`, return only the first of these checks. With `only`, run no checks but these. The
    cells run in a process of their own, for at most `SECONDS`.
    """
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            _run(lesson_id, replaced, first, only, theirs)
        finally:
            os._exit(0)
    os.close(theirs)
    try:
        ready, _, _ = select.select([ours], [], [], SECONDS)
        said = os.read(ours, 2**20) if ready else b""
        return json.loads(said) if said else ["never came back"]
    finally:
        os.close(ours)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _run(
    lesson_id: str,
    replaced: dict[str, str],
    first: bool,
    only: Collection[str] | None,
    pipe: int,
) -> None:
    import resource

    os.environ["NBGRADER_EXECUTION"] = "mutants"  # earlier lessons' functions: the course's
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    for name, home in course.HOMES.items():
        if home not in ("course.checks", "course.mine.add_to_class"):
            vars(course)[name] = _nothing
    vars(sys.modules["course.checks.check"])["diagnose"] = _nothing
    names: dict[str, Any] = {"__name__": "__main__"}
    lost: list[str] = []
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        for cell in _cells_to_run(lesson_id, set(replaced), only):
            if lost and first:
                break
            try:
                text = replaced.get(cell.id, cell.source)
                exec(compile(text, f"<{cell.id}>", "exec"), names)  # noqa: S102 — our own programs
            except BaseException:
                lost += [cell.id] if cell.kind is CellKind.TEST else []
    os.write(pipe, json.dumps(lost).encode())


def _cells_to_run(
    lesson_id: str, replaced: set[str], only: Collection[str] | None
) -> Iterator[MasterCell]:
    """Yield the code cells to run.

    A test cell is left out if it comes before the first replaced cell, or if it is not in `only`.
    """
    has_begun = False
    for cell in read_master(lesson_id, ROOT / "source").cells:
        has_begun = has_begun or cell.id in replaced
        is_asked = has_begun and (only is None or cell.id in only)
        if cell.cell_type == "code" and (cell.kind is not CellKind.TEST or is_asked):
            yield cell


def _nothing(*_arguments: Any, **_options: Any) -> None:
    """Do nothing, in the place of functions that show something: nobody is here to see it."""


@cache
def cases_of(exercise: str) -> list[tuple[Any, ...]]:
    """Return many tuples of arguments for an exercise, far more than its checks have.

    If the exercise needs chance, each tuple has a `Random` of its own.
    """
    rng = Random(2048)
    lines = [
        [rng.choice((0, 0, 2, 2, 4, 8, 1024)) for _ in range(rng.randint(1, 8))]
        for _ in range(4000)
    ]
    boards = [
        board
        for height in range(1, 6)
        for width in range(1, 6)
        for squares in ((0, 2, 4), (0, 2, 4, 8, 16, 32, 64), (2, 4), (2, 4, 8, 1024, 2048, 4096))
        for board in random_boards(rng, 25, height, width, squares)
    ]
    if exercise in ("close_gaps", "merge", "has_pair", "points"):
        return [(line,) for line in lines]
    if exercise in ("rotate", "empty_cells", "is_over"):
        return [(board,) for board in boards]
    if exercise in ("slide", "slide_by_offsets", "is_legal", "start_squares"):
        ways = (*rules.DIRECTIONS, "north")
        return [(board, way) for board in boards[::3] for way in ways]
    if exercise == "has_won":
        goals = [(board, goal) for board in boards[::5] for goal in (2, 8, 2048, 4096)]
        return [*((board,) for board in boards), *goals]
    if exercise == "has_won_special":
        scores = (-2048, 0, 2048, 24_999, 25_000, 25_001, 30_000)
        return [(board, score) for board in boards[::5] for score in scores]
    if exercise == "traverse":
        steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (2, 0)]
        starts = [(row, column) for row in range(4) for column in range(4)]
        return [(start, step, n) for start in starts for step in steps for n in range(1, 7)]
    if exercise == "spawn":
        return [(board, Random(seed), *P_FOUR[seed % 4]) for seed, board in enumerate(boards)]
    if exercise == "new_board":
        sizes = [(height, width) for height in range(1, 7) for width in range(2, 7)]
        return [(*size, Random(seed), *P_FOUR[seed % 4]) for size in sizes for seed in range(100)]
    if exercise == "take_turn":
        turns = [(board, way) for board in boards[::2] for way in (*rules.DIRECTIONS, "north")]
        return [(*turn, Random(seed), *P_FOUR[seed % 4]) for seed, turn in enumerate(turns)]
    if exercise == "second_chance":
        small = random_boards(rng, 200, 3, 4, (0, 2, 4, 8, 64, 128, 256, 512))
        on_boards = enumerate([*boards[::9], *small, *random_boards(rng, 200, 2, 4, (2, 128, 512))])
        return [(board, 100 * seed, Random(seed)) for seed, board in on_boards]
    return cases_of_duels(exercise) or cases_by_ear(exercise, boards)


def cases_by_ear(exercise: str, boards: list[Any]) -> list[tuple[Any, ...]]:
    """Return tuples of arguments for a function that reads a board aloud; for others, none."""
    boards = [*boards[::9], [[2] * 28, [0] * 28]]
    squares = [(row, column) for row in range(-2, 30) for column in range(-2, 30)]
    on_boards = [(b, row, c) for b in boards for row in range(len(b)) for c in range(len(b[0]))]
    letters = ("", "A", "B", "Y", "Z", "AB", "?", "3", "-")
    numbers = ("", "0", "1", "2", "9", "10", "100", "-1", "x", "1x", " ")
    ways = (*rules.DIRECTIONS, "north", "")
    moves = [m for n in range(4) for m in announced_moves(n, 300, 2 + n, 4)]
    known: dict[str, list[tuple[Any, ...]]] = {
        "name_square": squares,
        "find_square": [(letter + number,) for letter in letters for number in numbers],
        "announce_square": on_boards,
        "move_cursor": [(b, (row, c), way) for b, row, c in on_boards[::2] for way in ways],
        "announce_line": [(b, row, None) for b, row, _ in on_boards]
        + [(b, None, c) for b, _, c in on_boards],
        "announce_status": [(score, n) for score in range(30) for n in range(30)],
        "announce_move": [
            *moves,
            ([[1024, 1024, 0]], [[2048, 0, 2]], 2048, (0, 2)),
            ([[2048, 0, 2]], [[2, 2048, 2]], 0, (0, 0)),
            ([[2048, 2048, 0]], [[4096, 0, 2]], 4096, (0, 2)),
            ([[2, 2, 0]], [[4, 0, 0]], 4, None),
            ([[2, 4]], [[2, 4]], 0, None),
        ],
    }
    return known.get(exercise, [])


def is_equivalent(mutant: Mutant) -> bool:
    """Return true if a mutant does the same as its original in all cases of `cases_of`.

    A mutant of a class must show the same as the original in the games of `story_of`. Mutants in
    `equivalents.toml` are equivalent in any case.
    """
    if _is_known(mutant):
        return True
    mine, right = (_defined(mutant, text) for text in (mutant.program, mutant.original))
    if isinstance(right, type):
        return story_of(mine) == story_of(right)
    if mutant.exercise in ("legal_squares", "legal_directions"):
        mine, right = _sorted(mine), _sorted(right)
    cases = cases_of(mutant.exercise)
    return bool(cases) and all(_agree(mine, right, case) for case in cases)


def _sorted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that sorts what `function` returns, because the order does not matter."""
    return lambda *arguments: sorted(function(*arguments))


def _is_known(mutant: Mutant) -> bool:
    known = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text("utf-8"))
    lines = {line.strip() for line in mutant.program.splitlines()}
    return any(
        entry["exercise"] == mutant.exercise and entry["line"] in lines
        for entry in known["equivalent"]
    )


def _defined(mutant: Mutant, program: str) -> Callable[..., Any]:
    """Return the function or class of a mutant's exercise, as `program` defines it."""
    names: dict[str, Any] = {"__name__": "__main__", "add_to": add_to, "Random": Random}
    names |= {name: getattr(rules, name) for name in built_before(mutant.lesson)}
    names |= {name: getattr(rules, name) for name in lesson(mutant.lesson).builds}
    names |= {"LETTERS": LETTERS, "say_merges": say_merges}  # lesson 8 gives these to the learner
    for cell in read_master(mutant.lesson, ROOT / "source").cells:
        of_class = mutant.exercise[0].isupper() and cell.kind is CellKind.STUDENT
        if of_class or (cell.kind is CellKind.GIVEN and "import" not in cell.source):
            text = program if cell.id == cell_of(mutant.exercise) else cell.source
            exec(compile(text, "<mutant>", "exec"), names)  # noqa: S102 — our own programs
    if not mutant.exercise[0].isupper():
        exec(compile(program, "<mutant>", "exec"), names)  # noqa: S102 — our own programs
    defined: Callable[..., Any] = names[mutant.exercise.partition(".")[0]]
    return defined


def _agree_on(ours: Any, theirs: Any) -> bool:
    """Return true if two answers are the same, or are sentences that sound alike."""
    is_spoken = type(theirs) is str and " " in theirs
    return sounds_like(ours, theirs) if is_spoken else same(ours, theirs)


def _agree(mine: Callable[..., Any], right: Callable[..., Any], case: tuple[Any, ...]) -> bool:
    """Return true if two functions do the same in one case.

    Either both raise `ValueError`, or both return the same value and leave the arguments alike.
    """
    ours, theirs = copied(case), copied(case)
    try:
        wanted = right(*theirs)
    except ValueError:
        try:
            mine(*ours)
        except ValueError:
            return True
        return False
    try:
        return _agree_on(mine(*ours), wanted) and same(_plain(ours), _plain(theirs))
    except Exception:
        return False


def _plain(case: tuple[Any, ...]) -> list[Any]:
    return [value for value in case if not isinstance(value, Random)]


def judged(mutant: Mutant) -> str:
    """Return the fate of a mutant: "killed", "equivalent" or "alive"."""
    if lost_checks(mutant.lesson, {cell_of(mutant.exercise): mutant.program}):
        return "killed"
    return "equivalent" if is_equivalent(mutant) else "alive"


def main(names: list[str]) -> None:
    """Print the table, and the mutants that are alive."""
    chosen = names or [entry.id for entry in lessons() if right_styles(entry.id)]
    workers = len(os.sched_getaffinity(0))
    for lesson_id in chosen:
        made = list(mutants_of(lesson_id))
        with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
            fates = list(pool.map(judged, made, chunksize=4))
        for exercise in dict.fromkeys(mutant.exercise for mutant in made):
            pairs = zip(made, fates, strict=True)
            own = [fate for mutant, fate in pairs if mutant.exercise == exercise]
            counts = "  ".join(f"{kind} {own.count(kind):4}" for kind in FATES)
            print(f"{lesson_id:28} {exercise:18} made {len(own):4}  {counts}", flush=True)
        for mutant, fate in zip(made, fates, strict=True):
            if fate == "alive":
                print(f"\n# alive: {mutant.exercise}, {mutant.style}, line {mutant.line}")
                print(mutant.program, flush=True)


P_FOUR: list[tuple[float, ...]] = [(), (0.1,), (0.5,), (1,)]
FATES = ("killed", "equivalent", "alive")

if __name__ == "__main__":
    main(sys.argv[1:])
