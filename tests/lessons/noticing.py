"""The check of a lesson that notices a wrong program first, and what it says of the program."""

import linecache
import os
import pickle
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from types import CodeType
from typing import Any

import course
from autograder.course_adapter import ROOT
from autograder.grading_data import CellKind
from autograder.misconceptions.write_digests import observed
from autograder.notebook.master import MasterCell, read_master
from course import rules
from course.checks import CheckFailed
from course.function_calls import NoAnswer
from course.hints import Diagnosis, diagnose
from course.hints.diagnosis import in_check
from course.hints.mistakes import table
from course.hints.observe import TOLD, right_observation
from course.lessons import cell_of

MEMORY = 2 * 2**30
CELL = 1.0  # CPU seconds for a test cell, three times what a right program needs at most
ALL = 20  # CPU seconds for a program, hints included


@dataclass(frozen=True)
class Noticed:
    """The check that fails first, and what it says of the program."""

    check: str
    diagnosis: Diagnosis | None


def compiled_as(program: str, cell: str) -> CodeType:
    """Return the compiled program; messages can show its lines as those of the cell."""
    name = f"<{cell}>"
    linecache.cache[name] = (len(program), None, program.splitlines(keepends=True), name)
    return compile(program, name, "exec")


class Bench:
    """A lesson's notebook, run up to the cell of one exercise; programs are tried in this cell.

    A bench changes its process for good: no board is shown there any more, and time is counted in
    CPU seconds, so that a busy machine makes no program slow.
    """

    def __init__(self, lesson_id: str, exercise: str) -> None:
        os.environ["NBGRADER_EXECUTION"] = "mutants"  # earlier lessons' functions: the course's
        for name, home in course.HOMES.items():
            if home not in ("course.checks", "course.mine.add_to_class"):
                vars(course)[name] = _nothing
        vars(sys.modules["course.hints.observe"])["deadline"] = _cpu_deadline
        vars(sys.modules["course.checks.check"])["diagnose"] = _unhurried
        self._name = observed(exercise)
        self._cell = cell_of(exercise)
        cells = [c for c in read_master(lesson_id, ROOT / "source").cells if _is_run(c)]
        place = [cell.id for cell in cells].index(self._cell)
        self._after = [(c, compile(c.source, f"<{c.id}>", "exec")) for c in cells[place + 1 :]]
        self._names: dict[str, Any] = {"__name__": "__main__"}
        with redirect_stdout(StringIO()):
            for cell in cells[:place]:
                if cell.kind is not CellKind.TEST:
                    exec(compile(cell.source, f"<{cell.id}>", "exec"), self._names)  # noqa: S102
        _warm(self._name)

    def noticed(self, program: str) -> Noticed | None:
        """Return the first check that a program fails, or `None` if it passes all checks."""
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(ours)
            try:
                _limit()
                os.write(theirs, pickle.dumps(self._tried(program)))
            finally:
                os._exit(0)
        os.close(theirs)
        with os.fdopen(ours, "rb") as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        found: Noticed | None = pickle.loads(said) if said else Noticed("the process ended", None)
        return found

    def _tried(self, program: str) -> Noticed | None:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            try:
                code = compiled_as(program, self._cell)
                with _cpu_deadline(CELL):
                    exec(code, self._names)  # noqa: S102 — our own programs
            except (Exception, NoAnswer):
                self._names.setdefault(self._name, None)
            for cell, code in self._after:
                noticed = self._run(cell, code)
                if noticed is not None:
                    return noticed
        return None

    def _run(self, cell: MasterCell, code: Any) -> Noticed | None:
        """Run a cell; return the check that has failed there, or `None` if none has."""
        try:
            with in_check(cell.id), _cpu_deadline(CELL):
                exec(code, self._names)  # noqa: S102 — our own programs
        except CheckFailed as failed:
            return Noticed(cell.id, failed.diagnosis)
        except NoAnswer as lost:
            if cell.kind is CellKind.TEST:
                return Noticed(cell.id, lost.diagnosis)
        except (Exception, SystemExit, KeyboardInterrupt):
            if cell.kind is CellKind.TEST:
                return Noticed(cell.id, None)
        return None


def _is_run(cell: MasterCell) -> bool:
    return cell.cell_type == "code" and cell.kind in (
        CellKind.GIVEN,
        CellKind.STUDENT,
        CellKind.TEST,
    )


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (ALL, ALL))


def _warm(name: str) -> None:
    """Load what is known of mistakes in a function, once for all programs that are tried."""
    known = table(name)
    if known is not None:
        diagnose(getattr(rules, name))
        if known.observer not in TOLD:
            right_observation(name, known.observer, known.probes)


def _unhurried(*asked: Any, **options: Any) -> Diagnosis | None:
    """Call `diagnose` with the timer stopped, so that hints take no time of a check."""
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


def _nothing(*_arguments: Any, **_options: Any) -> None:
    """Do nothing, in the place of functions that show something: nobody is here to see it."""
