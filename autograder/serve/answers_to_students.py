"""The answers to hand-ins that students read, and the instructor's choices about them.

Unless students are told points, an answer comes from grading by the tests as students have them,
without hidden lines. So the answer cannot depend on a hidden line. It says nothing about a test
that, without its hidden lines, passes even if the student has written nothing.
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dateutil.parser import parse
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from traitlets import Dict, Enum, Float, Integer, List, Unicode
from traitlets.config import Configurable

from autograder.grade_submission import tell_all
from autograder.gradebook.course_folder import CourseFolder, version_of
from autograder.gradebook.plans_and_limits import plan_assignment
from autograder.gradebook.read_grades import idea_of
from autograder.grading_data import CellKind, Outcome, Verdict, together
from autograder.jail import Conditions
from autograder.notebook.find_submitted_notebook import collect, refuse_misfiled
from autograder.notebook.master import Master
from autograder.notebook.safe_text import with_titles, without_common_start
from autograder.serve.records import HandedIn
from autograder.system import Trouble

NOT_TOLD = "not_told"
_LONGEST = 10.0  # seconds of the processor for one hand-in, because others wait
_SLOW = 15.0  # if an answer took more seconds, the student's next hand-in is in the queue `slow`
_FEW = 40  # with fewer waiting hand-ins, there is room

Told = dict[str, Any]
"""The answer as JSON data; `README.md` has its form."""


class Serve(Configurable):
    """The instructor's choices, from `nbgrader_config.py`, such as `c.Serve.attempts = 10`."""

    tells = Enum(
        ("released", "points"),
        "released",
        help="`released`: what the released tests find; `points`: also the points.",
    ).tag(config=True)
    attempts = Integer(100, min=1, help="Hand-ins of a student for an assignment.").tag(config=True)
    pause = Float(0.0, min=0, help="Seconds between two hand-ins of a student.").tag(config=True)
    counts = Enum(
        ("last", "best"), "last", help="Which hand-in counts; `best` is for HTTP only."
    ).tag(config=True)
    until = Dict(
        Unicode(), help='Assignment → the end of its time, such as "2026-12-24 18:00 UTC".'
    ).tag(config=True)
    largest = Integer(8, min=1, help="MiB of a hand-in by HTTP.").tag(config=True)
    sites = List(
        Unicode(), help="Addresses of sites whose pages may hand in, such as https://a.org."
    ).tag(config=True)

    def end_of(self, assignment: str) -> datetime | None:
        """Return the end of an assignment's time, `None` if there is none; no zone means UTC."""
        if assignment not in self.until:
            return None
        try:
            end: datetime = parse(self.until[assignment])
        except (ValueError, OverflowError) as error:
            raise Trouble(f"c.Serve.until of {assignment} is no time: {error}") from error
        return end if end.tzinfo else end.replace(tzinfo=UTC)

    def refusal(self, earlier: Sequence[datetime], now: datetime) -> "NotTaken | None":
        """Return the error for a hand-in at the time `now` if it is refused, else `None`.

        `earlier` are the times of the student's earlier hand-ins for the assignment.
        """
        if len(earlier) >= self.attempts:
            return NotTaken(429, f"You have handed in {len(earlier)} times, which is all there is.")
        if earlier and self.pause:
            seconds = self.pause - (now - earlier[-1]).total_seconds()
            if 0 < seconds <= self.pause:  # a clock that was set back delays nobody
                return NotTaken(429, f"Wait {seconds:.0f} s before you hand in again.", seconds)
        return None


class NotTaken(Exception):  # noqa: N818 — it is an answer, not a fault of the program
    """The error raised if a hand-in is refused; its message says why, and what to do.

    `status` is the HTTP status of the answer. If `wait` is given, the student may try again after
    so many seconds.
    """

    def __init__(self, status: int, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.status, self.wait = status, wait


Queue = asyncio.PriorityQueue[tuple[bool, int, HandedIn]]


class Turns:
    """The hand-ins that wait for an answer: one of each student at a time, the oldest first.

    Hand-ins by HTTP go before all others, because in nbgrader's exchange anybody may hand in under
    any name. If a student's last answer took long, the next hand-in waits in the queue `slow`, from
    which only one hand-in at a time is answered.
    """

    def __init__(self) -> None:
        self.quick: Queue = asyncio.PriorityQueue()
        self.slow: Queue = asyncio.PriorityQueue()
        # student with a hand-in in a queue → the student's later hand-ins
        self._later: dict[str, deque[HandedIn]] = {}
        self._slow: set[str] = set()  # students whose last answer took long

    def add(self, one: HandedIn) -> None:
        """Put a hand-in into a queue, as soon as no other one of the student is in a queue."""
        if one.student in self._later:
            self._later[one.student].append(one)
        else:
            self._later[one.student] = deque()
            queue = self.slow if one.student in self._slow else self.quick
            queue.put_nowait((one.door != "http", one.id, one))

    def has_room(self) -> bool:
        """Return true if only a few hand-ins wait in the queue `quick`."""
        return self.quick.qsize() < _FEW

    def done(self, one: HandedIn, queue: Queue, seconds: float) -> None:
        """Note how many seconds answering `one` took, and queue the student's next hand-in.

        `queue` is the queue from which `one` came.
        """
        (self._slow.add if seconds > _SLOW else self._slow.discard)(one.student)
        later = self._later.pop(one.student)
        if later:
            self.add(later.popleft())
            self._later[one.student] = later
        queue.task_done()


def without_checks(one: HandedIn, *problems: str) -> Told:
    """Return the answer to a hand-in that was not checked, with the reasons."""
    return {"assignment": one.assignment, "checks": [], "problems": list(problems)}


@dataclass(frozen=True)
class Released:
    """An assignment as students got it, without hidden lines."""

    masters: tuple[Master, ...]
    conditions: Conditions
    silent: frozenset[str]  # checks that pass even if nothing was written: nothing is told of them
    ideas: Mapping[str, str]  # check → a sentence on its subject
    hiding: frozenset[str]  # checks with hidden lines


class Metrics:
    """The numbers for Prometheus; students must not see them, as times may reveal hidden tests."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        more: Any = {"namespace": "autograder", "registry": self.registry}
        self.handed_in = Counter("handed_in", "Hand-ins by door.", ["door"], **more)
        self.refused = Counter("refused", "Hand-ins refused.", ["why"], **more)
        self.waiting = Gauge("waiting", "Hand-ins not recorded yet.", **more)
        self.told_after = Histogram("told_seconds", "Until the answer.", **more)
        self.recorded_after = Histogram("recorded_seconds", "Until it is in the gradebook.", **more)


class Teller:
    """A maker of answers to hand-ins. Only one thread at a time may call methods, except `version`.

    No hidden test runs in its `executor`, so the time until an answer reveals nothing about them.
    """

    def __init__(self, course: CourseFolder, executor: Executor, confined: bool) -> None:
        self._course, self._executor, self._confined = course, executor, confined
        self._known: dict[str, tuple[Any, Released]] = {}

    def version(self, assignment: str) -> object:
        """Return a value that differs from earlier ones if a file in `source/` has changed."""
        return version_of(self._course.masters(assignment).glob("*"))

    def released(self, assignment: str) -> Released:
        """Return an assignment as students got it; the result is cached until `source/` changes."""
        version = self.version(assignment)
        if assignment not in self._known or self._known[assignment][0] != version:
            self._known[assignment] = version, self._prepared(assignment)
        return self._known[assignment][1]

    def begin(self, assignment: str, folder: Path) -> Any:
        """Begin to grade the hand-in in a folder; return a future of one verdict per notebook."""
        now = self.released(assignment)
        names = self._course.names
        handins = tuple(
            refuse_misfiled(collect(folder, master), master, names) for master in now.masters
        )
        return self._executor.submit(tell_all, handins, now.masters, now.conditions)

    def answer(self, assignment: str, verdict: Verdict, has_points: bool = False) -> Told:
        """Return the answer for a verdict: on all tests if `has_points`, else on released tests."""
        now = self.released(assignment)
        checks = []
        for check in verdict.checks:
            is_fine = check.outcome in (Outcome.PASSED, Outcome.MANUAL)
            is_told = has_points or check.id not in now.silent
            message = check.told if has_points else check.told or check.message
            said = {
                "id": check.id,
                "idea": now.ideas.get(check.id, check.id),
                "max_points": check.max_points,
                "outcome": check.outcome.value if is_told else NOT_TOLD,
                "message": message if is_told and not is_fine else "",
                "misconception": check.misconception if is_told else None,
                "mistake": check.mistake if is_told else "",
                "hint": check.hint if is_told else "",
                "more_is_tested": check.id in now.hiding,
            }
            checks.append(said | ({"points": check.points} if has_points else {}))
        points = {"score": verdict.score, "max_score": verdict.max_score} if has_points else {}
        return {
            "assignment": assignment,
            "checks": checks,
            "problems": list(verdict.problems),
            "unreadable": "\n".join(verdict.unreadable),
            "untouched": sorted(with_titles(cell, verdict.titles) for cell in verdict.untouched),
            **points,
        }

    def _prepared(self, assignment: str) -> Released:
        planned = plan_assignment(self._course, assignment, self._confined)
        limits = planned.conditions.limits
        limits = replace(limits, submission=min(limits.submission, _LONGEST))
        conditions = replace(planned.conditions, limits=limits)
        masters = tuple(
            replace(
                one.master,
                cells=tuple(
                    replace(cell, source=cell.shown, visible=None) for cell in one.master.cells
                ),
                uses={},
            )
            for one in planned.notebooks
        )
        stubs = tuple(one.stub for one in planned.notebooks)
        of_stub = together(self._executor.submit(tell_all, stubs, masters, conditions).result())
        silent = (check.id for check in of_stub.checks if check.outcome is Outcome.PASSED)
        ideas, hiding = {}, set()
        for one in planned.notebooks:
            stem = one.master.notebook.removesuffix(".ipynb")
            prefix = f"{stem}/" if len(planned.notebooks) > 1 else ""
            shown = without_common_start({cell.id: cell.shown for cell in one.master.cells})
            for cell in one.master.graded:
                ideas[f"{prefix}{cell.id}"] = idea_of(cell.id, shown[cell.id])
                if cell.kind is CellKind.TEST and cell.source != cell.shown:
                    hiding.add(f"{prefix}{cell.id}")
        return Released(masters, conditions, frozenset(silent), ideas, frozenset(hiding))
