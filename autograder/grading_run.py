"""Grading of a class: workers grade the hand-ins, and the results are written to the gradebook.

An earlier result is valid as long as nothing on which it depends has changed, such as the
submission, the instructor's notebook, or the grader.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic

from autograder.grade_submission import failed, grade_all
from autograder.gradebook.course_folder import CourseFolder, Folder
from autograder.gradebook.staleness import (
    Dependencies,
    dependencies_of,
    shared_dependencies,
    why_stale,
)
from autograder.gradebook.write_autograded import Autograded
from autograder.gradebook.write_grades import (
    Graded,
    note_entered,
    read_recorded,
    submission_digest,
    write,
)
from autograder.grading_data import CheckResult, Verdict, together
from autograder.jail import Conditions, JailMissing
from autograder.notebook.find_submitted_notebook import Handin
from autograder.notebook.master import Master
from autograder.workers import run

# Results are written in batches: after this many results, or after this many seconds.
_BATCH = 50
_SECONDS = 2.0


@dataclass(frozen=True)
class GradedHandin:
    """The outcome of one hand-in in a run.

    `verdict` is one verdict on all its notebooks together. It is `None` if an earlier result is
    still valid; if that hand-in cannot be read, `unreadable` says why. It is also `None` if
    `is_removed` is true: after an earlier run, a person has removed the student from the gradebook.
    `why` says why an earlier result was not valid any more. `is_recorded` is false if the result
    could not be written.
    """

    student: str
    verdict: Verdict | None
    why: str = ""
    is_recorded: bool = True
    unreadable: str = ""
    is_removed: bool = False

    @property
    def is_fine(self) -> bool:
        """True if the hand-in was read and its result recorded, in this run or an earlier one."""
        is_read = not self.unreadable if self.verdict is None else self.verdict.is_readable
        return self.is_recorded and is_read


@dataclass(frozen=True)
class _Task:
    """A hand-in to be graded, what its result depends on, and why an earlier result is invalid."""

    folder: Folder
    dependencies: tuple[Dependencies, ...]
    why: str


Handins = tuple[Handin, ...]
Verdicts = tuple[Verdict, ...]


@dataclass
class Classroom:
    """One run of the grader over the hand-ins for an assignment; no other run may go on meanwhile.

    If `force` is true, hand-ins with a valid result are graded again, too. `on_progress` is called
    for each hand-in as soon as its result is known, before the result is written.
    """

    course: CourseFolder
    masters: tuple[Master, ...]
    conditions: Conditions
    force: bool = False
    on_progress: Callable[[], object] = lambda: None
    _aside: list[GradedHandin] = field(default_factory=list)
    _checks: dict[CheckResult, CheckResult] = field(default_factory=dict)

    def __post_init__(self) -> None:
        first = self.masters[0]
        self._autograded = Autograded(self.course, first)
        self._recorded, self._entered, self._students = read_recorded(self.course, first.lesson)
        self._to_note: dict[str, str] = {}
        self._shared = [shared_dependencies(master, self.conditions) for master in self.masters]

    def grade(
        self, folders: Iterable[Folder], executors: Callable[[], Executor], prefetch: int
    ) -> Iterator[GradedHandin]:
        """Grade the hand-ins in `folders`; yield each outcome as soon as it is recorded.

        `executors` returns a new executor, to which at most `prefetch` hand-ins are given at a
        time. Outcomes of hand-ins that are not graded in this run come last. Raise `JailMissing`,
        or `Trouble` with the gradebook. Any other error only affects its own hand-in.
        """
        batch: list[tuple[_Task, Verdicts]] = []
        due = monotonic() + _SECONDS
        # `do` has no object of nbgrader's, because a worker would take seconds to load nbgrader
        do = partial(grade_all, masters=self.masters, conditions=self.conditions)
        for task, handins, result in run(do, self._todo(folders), executors, prefetch):
            batch.append((task, self._verdicts(handins, result)))
            self.on_progress()
            if len(batch) >= _BATCH or monotonic() > due:
                yield from self._record(batch)
                batch, due = [], monotonic() + _SECONDS
        if batch:
            yield from self._record(batch)
        if self._to_note:
            note_entered(self.course, self.masters[0].lesson, self._to_note)
        yield from self._aside

    def _todo(self, folders: Iterable[Folder]) -> Iterator[tuple[_Task, Handins]]:
        """Yield each hand-in that must be graded; keep the outcomes of all others in `_aside`."""
        for folder in folders:
            handins = tuple(self.course.collect(folder, master) for master in self.masters)
            moment, _ = self.course.timestamp(folder)
            now = tuple(
                dependencies_of(one.digest, folder.path, moment, shared)
                for one, shared in zip(handins, self._shared, strict=True)
            )
            digest = submission_digest(now)
            is_entered = self._entered.get(folder.student) == digest
            is_new, why = self._why_again(folder.student, now)
            aside = GradedHandin(folder.student, None)
            if not os.path.lexists(folder.path):
                reason = "the submission vanished while it was to be graded; nothing was changed"
                verdict = together(self._failed(handins, reason))
                verdict = replace(verdict, problems=(reason,), unreadable=(reason,))
                aside = replace(aside, verdict=verdict, is_recorded=False)
            elif is_entered and folder.student not in self._students:  # a person has removed them
                aside = replace(aside, is_removed=True)
            elif is_new or why or self.force:
                yield _Task(folder, now, why), handins
                continue
            else:
                if not is_entered:
                    self._to_note[folder.student] = digest
                begins = [f"{one.notebook}: " if self.masters[1:] else "" for one in self.masters]
                told = zip(begins, handins, strict=True)
                reasons = "; ".join(before + one.reason for before, one in told if one.reason)
                aside = replace(aside, unreadable=reasons)
            self._aside.append(aside)
            self.on_progress()

    def _why_again(self, student: str, now: tuple[Dependencies, ...]) -> tuple[bool, str]:
        """Return true if a graded notebook is missing, and the reasons to grade again, if any."""
        is_new, reasons = False, dict[str, None]()
        for master, dependencies in zip(self.masters, now, strict=True):
            before = self._autograded.metadata(student, master.notebook)
            scores = self._recorded.get(student, {}).get(master.notebook)
            if before is None:
                is_new = True
                why = "its graded notebook was not there" if scores is not None else ""
            else:
                if not master.graded:  # without graded cells, the gradebook has no scores
                    scores = scores or before.get("scores")
                basis = before.get("basis")
                why = why_stale(dependencies, basis if isinstance(basis, dict) else {})
                if not why and scores is None:
                    why = "the gradebook did not have it"
                elif not why and scores != before.get("scores"):
                    why = "the gradebook had other scores"
            if why:
                reasons[why] = None
        return is_new, " and ".join(reasons)

    def _verdicts(self, handins: Handins, result: Verdicts | Exception) -> Verdicts:
        if isinstance(result, JailMissing):
            raise result
        if isinstance(result, Exception):
            return self._failed(handins, f"{type(result).__name__}: {result}")
        return result

    def _failed(self, handins: Handins, cause: str) -> Verdicts:
        pairs = zip(handins, self.masters, strict=True)
        return tuple(failed(handin, master, cause) for handin, master in pairs)

    def _record(self, batch: list[tuple[_Task, Verdicts]]) -> Iterator[GradedHandin]:
        """Write results to the gradebook, then to `autograded/`; yield the outcome of each hand-in.

        A result that the gradebook refuses is not written to `autograded/`.
        """
        entries, said = [], []
        for task, verdicts in batch:
            timestamp, problem = self.course.timestamp(task.folder)
            entries.append(Graded(task.folder, verdicts, task.dependencies, timestamp))
            whole = together(verdicts)
            # Verdicts are kept until the run ends. To save memory, they are kept without notebooks,
            # and equal checks are kept only once.
            checks = tuple(self._checks.setdefault(check, check) for check in whole.checks)
            said.append(_with(replace(whole, notebook="", checks=checks), problem))
        refused = write(self.course, entries)
        kept = [entry for entry in entries if entry.student not in refused]
        put = iter(self._autograded.put(kept))
        for (task, _), verdict in zip(batch, said, strict=True):
            student, problem = task.folder.student, ""
            if student in refused:
                problem = f"the gradebook refused it: {refused[student]}"
            elif error := next(put):
                cause = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
                problem = "the score is recorded, but the graded notebook could not be written: "
                problem += cause
            yield GradedHandin(student, _with(verdict, problem), task.why, is_recorded=not problem)


def _with(verdict: Verdict, problem: str) -> Verdict:
    return replace(verdict, problems=(*verdict.problems, problem)) if problem else verdict
