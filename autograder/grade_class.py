"""Grading of a class: workers grade the hand-ins, and the results are written to the gradebook.

A hand-in is what a student submitted for one assignment. An earlier result is valid as long as
nothing on which it depends has changed, such as the submission, the instructor's copy of the
notebook (the master), or the grader.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any

from autograder.grade_submission import failed, grade_all
from autograder.gradebook.autograded import Autograded
from autograder.gradebook.cache import (
    Dependencies,
    dependencies_of,
    shared_dependencies,
    why_stale,
)
from autograder.gradebook.course_folder import CourseFolder, Folder
from autograder.gradebook.scores import (
    Graded,
    Scores,
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

    `verdict` is the verdict on all notebooks of the hand-in together. It is `None` if the hand-in
    was not graded in this run, because an earlier result is still valid; if that hand-in cannot be
    read, `unreadable` says why. `why` says why an earlier result was not valid any more.
    `is_recorded` is false if the result could not be written to the gradebook or to `autograded/`.
    If `is_removed` is true, the hand-in was not graded because it had been before, and a person has
    removed the student from the gradebook since.
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
        if self.verdict is not None:
            return self.is_recorded and self.verdict.is_readable
        return self.is_recorded and not self.unreadable


@dataclass(frozen=True)
class _Task:
    """A hand-in to be graded.

    `dependencies` has, for each notebook, digests of everything on which the result depends. `why`
    says why an earlier result is not valid any more.
    """

    folder: Folder
    dependencies: tuple[Dependencies, ...]
    why: str


Handins = tuple[Handin, ...]
Verdicts = tuple[Verdict, ...]


@dataclass
class Classroom:
    """One run of the grader over the hand-ins for an assignment.

    There must be no other run at the same time. `masters` are the instructor's copies of the
    assignment's notebooks. If `force` is true, hand-ins with a valid result are graded again, too.
    `on_progress` is called for each hand-in as soon as its result is known, before the result is
    written.
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

        `executors` returns a new executor, whose workers grade; at most `prefetch` hand-ins are
        with the executor at a time. Outcomes of hand-ins that are not graded in this run come last.
        Raise `JailMissing` if there is no jail, and `Trouble` if, for example, the gradebook cannot
        be used. Any other error only affects the hand-in at which it happens.
        """
        batch: list[tuple[_Task, Verdicts]] = []
        due = monotonic() + _SECONDS
        # The arguments hold no objects of nbgrader's: a worker would take seconds to load nbgrader.
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
        """Yield a pair for each folder to be graded: a task, and a `Handin` for each notebook.

        The outcomes of the other folders go to `_aside`. A folder is read only when its turn comes.
        """
        for folder in folders:
            handins = tuple(self.course.collect(folder, master) for master in self.masters)
            if not os.path.lexists(folder.path):
                self._put_aside(self._vanished(folder, handins))
                continue
            pairs = zip(handins, self._shared, strict=True)
            now = tuple(dependencies_of(one.digest, folder.path, shared) for one, shared in pairs)
            digest = submission_digest(now)
            is_entered = self._entered.get(folder.student) == digest
            if is_entered and folder.student not in self._students:  # a person has removed them
                self._put_aside(GradedHandin(folder.student, None, is_removed=True))
                continue
            is_new, why = self._why_again(folder.student, now)
            if is_new or why or self.force:
                yield _Task(folder, now, why), handins
            else:
                if not is_entered:
                    self._to_note[folder.student] = digest
                reasons = "; ".join(one.reason for one in handins if one.reason)
                self._put_aside(GradedHandin(folder.student, None, unreadable=reasons))

    def _why_again(self, student: str, now: tuple[Dependencies, ...]) -> tuple[bool, str]:
        """Return a pair: true if a notebook was never graded, and why notebooks are graded again.

        `now` are the present dependencies of each notebook. The text is empty if the earlier
        results are still valid.
        """
        is_new, reasons = False, []
        for master, dependencies in zip(self.masters, now, strict=True):
            before = self._autograded.metadata(student, master.notebook)
            scores = self._recorded.get(student, {}).get(master.notebook)
            if not master.graded and before is not None:
                # without graded cells, the gradebook has no scores
                scores = scores or before.get("scores")
            is_new |= before is None
            reasons.append(_why_again(dependencies, before, scores))
        return is_new, " and ".join(dict.fromkeys(filter(None, reasons)))

    def _put_aside(self, line: GradedHandin) -> None:
        self._aside.append(line)
        self.on_progress()

    def _vanished(self, folder: Folder, handins: Handins) -> GradedHandin:
        """Return the outcome for a folder that vanished during the run; an earlier result stays."""
        reason = "the submission vanished while it was to be graded; nothing was changed"
        verdict = together(self._failed(handins, reason))
        verdict = replace(verdict, problems=(reason,))
        return GradedHandin(folder.student, verdict, is_recorded=False)

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
        """Write a batch of results to the gradebook, then to `autograded/`; yield the outcomes.

        Because of this order, the gradebook has every result that is in `autograded/`.
        """
        entries, said = [], []
        for task, verdicts in batch:
            timestamp, problem = self.course.timestamp(task.folder)
            entries.append(Graded(task.folder, verdicts, task.dependencies, timestamp))
            said.append(_with(self._short(together(verdicts)), problem))
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

    def _short(self, verdict: Verdict) -> Verdict:
        """Return a copy of a verdict that needs less memory, because it is kept until the run ends.

        The copy has no notebook text, and equal checks of several verdicts are one object.
        """
        checks = tuple(self._checks.setdefault(check, check) for check in verdict.checks)
        return replace(verdict, notebook="", checks=checks)


def _why_again(now: Dependencies, before: Mapping[str, Any] | None, scores: Scores | None) -> str:
    """Return the reason why a notebook is graded again.

    The reason is empty if the earlier result is still valid, or if there is no earlier result.
    `now` are the present dependencies, `before` is the metadata of the graded notebook, and
    `scores` are the scores in the gradebook.
    """
    if before is None:
        return "its graded notebook was not there" if scores is not None else ""
    then = before.get("basis")
    stale = why_stale(now, then if isinstance(then, dict) else {})
    if stale:
        return stale
    if scores is None:
        return "the gradebook did not have it"
    return "" if scores == before.get("scores") else "the gradebook had other scores"


def _with(verdict: Verdict, problem: str) -> Verdict:
    return replace(verdict, problems=(*verdict.problems, problem)) if problem else verdict
