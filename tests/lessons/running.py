"""Runs of a lesson's cells with other solutions: the checks that fail, and what they say.

A check needs the cells that make the names used in the check, and all cells that these cells need
in turn. If only other cells are replaced, the check need not be run: a wrong `new_board`, for
example, can lose no check of `spawn`.
"""

import ast
import linecache
import os
import pickle
import resource
import select
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from symtable import SymbolTable, symtable
from types import CodeType
from typing import Any
from unittest.mock import patch

import course
from autograder.grading_data import CellKind
from autograder.misconceptions.write_digests import observed
from autograder.notebook.master import MasterCell
from course.checks import CheckFailed
from course.function_calls import NoAnswer
from course.hints import Diagnosis, diagnose
from course.hints.diagnosis import in_check
from course.hints.mistakes import table
from course.hints.observe import TOLD, right_observation
from course.lessons import cell_of
from tests.autograder.grading_helpers import the_master

MEMORY = 2 * 2**30
CELL = 1.0  # CPU seconds for a test cell, three times what a right program needs at most
LESSON = 5  # CPU seconds for all cells of a lesson, ten times what a right program needs
ALL = 20  # CPU seconds for a program, hints included
OURS = {"NBGRADER_EXECUTION": "tests"}  # functions of earlier lessons are the course's


@cache
def code_of(lesson_id: str) -> list[MasterCell]:
    return [cell for cell in the_master(lesson_id).cells if cell.cell_type == "code"]


def compiled_as(program: str, cell: str) -> CodeType:
    """Return the compiled program; tracebacks then show its lines as lines of the cell `cell`."""
    name = f"<{cell}>"
    linecache.cache[name] = (len(program), None, program.splitlines(keepends=True), name)
    return compile(program, name, "exec")


def alone(work: Callable[[], Any], seconds: int, otherwise: Any) -> Any:
    """Call `work` in a process of its own with this many CPU seconds, and return its result.

    If the process ends without a result, or takes too long, return `otherwise`.
    """
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(ours)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            os.write(theirs, pickle.dumps(work()))
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        ready, *_ = select.select([pipe], [], [], 12 * seconds)
        said = pipe.read() if ready else b""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return pickle.loads(said) if said else otherwise


def silence() -> None:
    """Let functions that show something do nothing in this process: nobody is here to see it."""
    os.environ.update(OURS)
    for name, home in course.HOMES.items():
        if home not in ("course.checks", "course.mine.add_to_class"):
            vars(course)[name] = _nothing


def _nothing(*_arguments: Any, **_options: Any) -> None:
    pass


# -- the checks that are lost ---------------------------------------------------------------------


def lost_checks(
    lesson_id: str, replaced: dict[str, str], *, only: Collection[str] | None = None
) -> list[str]:
    """Return the checks that fail in the instructor's notebook if some solution cells are replaced.

    Checks before the first replaced cell are not run. With `only`, run no checks but these. If the
    process that runs the cells ends early or takes too long, return `["never came back"]`.
    """
    cells = code_of(lesson_id)
    start = min([place for place, cell in enumerate(cells) if cell.id in replaced], default=None)

    def is_run(place: int, cell: MasterCell) -> bool:
        is_asked = start is not None and place >= start and (only is None or cell.id in only)
        return cell.kind is not CellKind.TEST or is_asked

    def lost() -> list[str]:
        silence()
        vars(sys.modules["course.checks.check"])["diagnose"] = _nothing
        names: dict[str, Any] = {"__name__": "__main__"}
        found: list[str] = []
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            for cell in (cell for place, cell in enumerate(cells) if is_run(place, cell)):
                text = replaced.get(cell.id, cell.source)
                try:
                    exec(compile(text, f"<{cell.id}>", "exec"), names)  # noqa: S102 — our programs
                except BaseException:
                    found += [cell.id] if cell.kind is CellKind.TEST else []
        return found

    checks: list[str] = alone(lost, LESSON, otherwise=["never came back"])
    return checks


def affected(lesson_id: str, cells: Collection[str]) -> list[str]:
    """Return the checks whose results may change if some solution cells are replaced."""
    return [name for name, found in _reached(lesson_id).items() if not found.isdisjoint(cells)]


@cache
def _reached(lesson_id: str) -> dict[str, set[str]]:
    """Return the cells that each check needs, directly or through other cells: check → ids."""
    tests = {one.id: one for one in code_of(lesson_id) if one.kind is CellKind.TEST}
    others = [one for one in code_of(lesson_id) if one.id not in tests]
    made = {one.id: _made_and_used(one.source) for one in others}
    return {name: _closure(_made_and_used(one.source)[1], made) for name, one in tests.items()}


def _closure(names: set[str], made: dict[str, tuple[set[str], set[str]]]) -> set[str]:
    found: set[str] = set()
    while new := {cell for cell in made if cell not in found and names & made[cell][0]}:
        found |= new
        names = names.union(*(made[cell][1] for cell in new))
    return found


def _made_and_used(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell makes or adds to, and the global names that it uses.

    >>> [sorted(names) for names in _made_and_used("@add_to(Game)\\ndef move(self): hop(self)")]
    [['Game', 'add_to', 'move'], ['Game', 'add_to', 'hop']]
    """
    symbols = symtable(source, "cell", "exec")
    made = {each.get_name() for each in symbols.get_symbols() if each.is_assigned()}
    for node in ast.parse(source).body:
        for decorator in getattr(node, "decorator_list", []):
            made |= {each.id for each in ast.walk(decorator) if isinstance(each, ast.Name)}
    return made, set(_globals(symbols))


def _globals(symbols: SymbolTable) -> Iterator[str]:
    top = symbols.get_type() == "module"
    for each in symbols.get_symbols():
        if each.is_referenced() and (top or each.is_global()):
            yield each.get_name()
    for child in symbols.get_children():
        yield from _globals(child)


# -- the mistake that is named --------------------------------------------------------------------


@cache
def _compiled(lesson_id: str) -> list[tuple[str, CodeType]]:
    """Return the given cells and the solutions of the instructor's notebook: (cell id, code)."""
    return [
        (cell.id, compile(cell.source, f"<the master's {cell.id}>", "exec"))
        for cell in code_of(lesson_id)
        if cell.kind in (CellKind.GIVEN, CellKind.STUDENT)
    ]


def defined(lesson_id: str, replaced: dict[str, str], name: str) -> Any:
    """Run a lesson's cells with some solutions replaced; return the object with this name."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with patch.dict(os.environ, OURS), redirect_stdout(StringIO()):
        for cell, code in _compiled(lesson_id):
            own = replaced.get(cell)
            exec(code if own is None else compiled_as(own, cell), names)  # noqa: S102
    return names.get(name)


def named(lesson_id: str, exercise: str, program: str) -> Diagnosis | None:
    """Return the diagnosis of a program that replaces the solution of its exercise, or `None`."""
    try:
        function = defined(lesson_id, {cell_of(exercise): program}, observed(exercise))
    except Exception:  # the cell itself raises an error
        return None
    return None if function is None else diagnose(function)


@dataclass(frozen=True)
class Noticed:
    """The check that fails first, and the mistake that it finds in the program, if any."""

    check: str
    diagnosis: Diagnosis | None


def first_noticed(lesson_id: str, exercise: str, program: str) -> Noticed | None:
    """Return the first check that a program fails in its exercise's place; `None` if none fails.

    A process that ends early counts as a failed check. Time is counted in CPU seconds, so that a
    busy machine makes no program slow.
    """
    _load(observed(exercise))
    ended = Noticed("the process ended", None)
    found: Noticed | None = alone(lambda: _tried(lesson_id, exercise, program), ALL, ended)
    return found


@cache
def _load(name: str) -> None:
    """Let this process cache what a diagnosis needs, for all processes that it forks."""
    if (known := table(name)) is not None and known.observer not in TOLD:
        right_observation(name, known.observer, known.probes)


def _tried(lesson_id: str, exercise: str, program: str) -> Noticed | None:
    silence()
    vars(sys.modules["course.hints.observe"])["deadline"] = _cpu_deadline
    vars(sys.modules["course.checks.check"])["diagnose"] = _unhurried
    names: dict[str, Any] = {"__name__": "__main__"}
    own, is_tried = cell_of(exercise), False
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        for cell in code_of(lesson_id):
            is_tried |= cell.id == own
            if cell.kind is CellKind.TEST and not is_tried:
                continue
            try:
                with in_check(cell.id), _cpu_deadline(CELL):
                    code = compile(cell.source, f"<the master's {cell.id}>", "exec")
                    code = compiled_as(program, own) if cell.id == own else code
                    exec(code, names)  # noqa: S102 — our own programs
            except CheckFailed as failed:
                return Noticed(cell.id, failed.diagnosis)
            except (Exception, NoAnswer, SystemExit, KeyboardInterrupt) as error:
                if not is_tried:
                    raise
                if cell.kind is CellKind.TEST:
                    said = error.diagnosis if isinstance(error, NoAnswer) else None
                    return Noticed(cell.id, said)
                if cell.id == own:
                    names.setdefault(observed(exercise), None)
    return None


def _unhurried(*asked: Any, **options: Any) -> Diagnosis | None:
    """Call `diagnose` with the timer stopped, so that finding a hint takes no time of a check."""
    left = signal.setitimer(signal.ITIMER_PROF, 0)[0]
    try:
        return diagnose(*asked, **options)
    finally:
        signal.setitimer(signal.ITIMER_PROF, left, 0.11 if left else 0)


@contextmanager
def _cpu_deadline(seconds: float) -> Iterator[None]:
    """Limit the CPU seconds of a `with` block; raise `NoAnswer` when they are over."""

    def give_up(*_: object) -> None:
        raise NoAnswer

    before = signal.signal(signal.SIGPROF, give_up)
    left = signal.setitimer(signal.ITIMER_PROF, seconds, 0.11)[0]
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        signal.setitimer(signal.ITIMER_PROF, left, 0.11 if left else 0)
        signal.signal(signal.SIGPROF, before)
