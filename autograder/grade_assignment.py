"""Grading of a whole class, whose results go to the gradebook, or of single notebook files."""

import os
import shlex
from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from operator import attrgetter
from pathlib import Path

from autograder.course_adapter import AUTHORED, ROOT
from autograder.grade_submission import grade
from autograder.gradebook.course_folder import CourseFolder, Folder
from autograder.gradebook.gradebook_backups import copy_kept
from autograder.gradebook.locks import one_at_a_time
from autograder.gradebook.open_gradebook import NotEnteredError, is_there, register
from autograder.gradebook.plans_and_limits import Do, plan_assignment
from autograder.gradebook.prepare_masters import prepare
from autograder.gradebook.read_grades import Result, read_results
from autograder.gradebook.write_grades import assign_penalties, withdraw
from autograder.grading_data import Verdict
from autograder.grading_run import Classroom, GradedHandin
from autograder.groups.group_names_file import cleaned, read_names, with_names, write_made_names
from autograder.jail import Conditions, JailMissing
from autograder.misconceptions import (
    AUTHORS_FILE,
    Authored,
    Misconception,
    TriedMistake,
    authored_json,
    read_authored,
    try_mistakes,
)
from autograder.notebook.find_submitted_notebook import collect, identify, refuse_misfiled
from autograder.notebook.master import Master, read_assignment, read_masters
from autograder.notebook.safe_text import printable
from autograder.notebook.submitted_files import Unreadable
from autograder.plan import Plan
from autograder.system import Trouble
from autograder.system.atomic_write import put_file
from autograder.workers.speculative_grading import remember


@dataclass(frozen=True)
class Grading:
    """The outcome of one run of the grader, and the results in the gradebook after the run.

    `penalties` are the students who were not graded in this run, but whose late penalty has
    changed. If an error ended the run before all was recorded, `trouble` is a sentence about it,
    and `results` is empty. `before` is a dictionary: student → the score before the run.
    """

    lines: tuple[GradedHandin, ...]
    results: tuple[Result, ...]
    penalties: tuple[str, ...] = ()
    trouble: str = ""
    plans: tuple[Plan, ...] = ()
    before: Mapping[str, float] = field(default_factory=dict)

    @property
    def graded(self) -> tuple[GradedHandin, ...]:
        """The outcomes of the hand-ins that were graded in this run, not in an earlier one."""
        return tuple(line for line in self.lines if line.verdict is not None)

    @property
    def is_fine(self) -> bool:
        """True if all hand-ins were read, and all results recorded."""
        return not self.trouble and all(line.is_fine for line in self.lines)


@dataclass(frozen=True)
class RunOptions:
    """The options of a run.

    `executors` returns an executor, to which at most `prefetch` hand-ins are given at a time. If
    `force` is true, hand-ins with a valid result are graded, too. If `confined` is false, students'
    code runs without a jail. If `anyway` is true, tests that the answer key does not pass are used.
    If `do` is given, it calls the function that makes a plan, and returns the plan. If `keeps_copy`
    is true, the gradebook is copied before the run.
    """

    executors: Callable[[Conditions], Executor]
    prefetch: int
    force: bool = False
    confined: bool = True
    anyway: bool = False
    do: Do | None = None
    keeps_copy: bool = True


def grade_assignment(
    course: CourseFolder,
    assignment: str,
    folders: Iterable[Folder],
    options: RunOptions,
    on_wait: Callable[[], object],
    on_progress: Callable[[], object],
) -> Grading:
    """Grade the hand-ins for an assignment, and record the results in the gradebook.

    If another run has not ended yet, call `on_wait`, then wait for it. Call `on_progress` after
    each hand-in. Raise `FileNotFoundError` if there is no such assignment. If the run fails before
    the first result is recorded, raise `JailMissing` or `Trouble`. If it fails later, return what
    was recorded, with a sentence about the error in `trouble`.
    """
    with one_at_a_time(course.root, course.db_url, on_wait):
        planned = plan_assignment(course, assignment, options.confined, options.do)
        plans = planned.plans
        remember(course.root, planned.masters, planned.conditions)  # for an early start next time
        if not options.anyway:
            planned.refuse_wrong_tests("--anyway, or c.Autograde.anyway = True, grades by them")
        kept = copy_kept(course.db_url, f"grade {assignment}")
        with kept if options.keeps_copy else nullcontext():
            before: dict[str, float] = {}
            with suppress(NotEnteredError):
                found = read_results(course, assignment)
                before = {one.student: one.score for one in found if one.handed_in}
            register(course, assignment, planned.notebooks)
            room = Classroom(
                course, planned.masters, planned.conditions, options.force, on_progress
            )
            executors = partial(options.executors, planned.conditions)
            lines: list[GradedHandin] = []
            try:
                for line in room.grade(folders, executors, options.prefetch):
                    insort(lines, line, key=attrgetter("student"))
                changed = assign_penalties(course, assignment)
                results = tuple(read_results(course, assignment))
            except (JailMissing, Trouble) as error:
                if not lines:
                    raise
                return Grading(tuple(lines), (), trouble=str(error), plans=plans)
    new = {line.student for line in lines if line.verdict is not None}
    penalties = tuple(one for one in changed if one not in new)
    return Grading(tuple(lines), results, penalties, plans=plans, before=before)


def withdraw_submissions(
    course: CourseFolder,
    assignment: str,
    students: Sequence[str],
    on_wait: Callable[[], object],
    tell: Callable[[str], object],
) -> None:
    """Remove submissions from the gradebook, after their folders are gone from `submitted/`.

    Call `tell` for each submission, with a sentence on what is removed. Raise `Trouble`, and change
    nothing, if a folder is still there, or if the gradebook does not have one of the submissions.
    """
    for student in students:
        path = course.submitted(student, assignment).path
        if os.path.lexists(path):
            raise Trouble(
                f"{path} is still there, so the next run would enter it again. Move it out of "
                "submitted/, then try again; nothing was changed."
            )
    if not is_there(course):
        raise Trouble("There is no gradebook yet; autograder grade makes one.")
    command = withdraw_command(assignment, students).removeprefix("autograder ")
    with one_at_a_time(course.root, course.db_url, on_wait), copy_kept(course.db_url, command):
        withdraw(course, assignment, students, tell)


def withdraw_command(assignment: str, students: Sequence[str]) -> str:
    """Return the command line that takes students' submissions out of the gradebook.

    >>> withdraw_command("ps1", ["ada", "ben"])
    'autograder grade ps1 --withdraw ada --withdraw ben'
    """
    options = (word for student in students for word in ("--withdraw", student))
    return shlex.join(["autograder", "grade", assignment, *options])


def verified(
    course: CourseFolder, assignment: str, confined: bool = True
) -> tuple[tuple[Plan, ...], tuple[TriedMistake, ...]]:
    """Return the plans of an assignment, and each known mistake with the tests that it fails.

    The known mistakes are in `exercises.toml`. If that file has exercises of the assignment, write
    `exercises.json`, from which students get hints, beside the notebooks. Write the names of the
    mistakes for the pages of feedback. Raise `FileNotFoundError` if there is no such assignment,
    `JailMissing`, or `Trouble` if a master or `exercises.toml` cannot be used.
    """
    folder, troubles = course.masters(assignment), dict[Misconception, str]()
    authored: tuple[Authored, ...] = ()
    if (course.root / AUTHORS_FILE).is_file():
        masters_here = [one.master for one in prepare(course, assignment)]
        authored = read_authored(course.root, masters_here, course.source, course.hidden)
    if authored:
        text, troubles = authored_json(authored, folder)
        if not (folder / AUTHORED).is_file() or (folder / AUTHORED).read_text("utf-8") != text:
            put_file(folder / AUTHORED, text)
    planned = plan_assignment(course, assignment, confined)
    remember(course.root, planned.masters, planned.conditions)
    keys = {one.master.notebook: one.key for one in planned.notebooks}
    masters = [(master, keys[master.notebook]) for master in planned.masters]
    tried = try_mistakes(authored, masters, partial(grade, conditions=planned.conditions), troubles)
    names = {g: cleaned(one.mistake.title, one.mistake.nudge) for one in tried for g in one.groups}
    write_made_names(course.root, assignment, names)
    return planned.plans, tried


class NotebookChecker:
    """A grader of single notebook files, by the masters, which are the instructor's notebooks.

    Each file is graded by the master to which it belongs. The masters are those in the course
    folder or, if it has none, those of this project. If an `assignment` is given, every file counts
    as one of its notebooks. Raise `Trouble` if there is no master.
    """

    def __init__(self, course: CourseFolder, assignment: str | None, confined: bool) -> None:
        self._course, self._assignment, self._confined = course, assignment, confined
        self._plan = cache(partial(plan_assignment, course, confined=confined))
        self._masters: tuple[Master, ...] = ()
        self._names = read_names(course.root)
        for source in (course.source, ROOT / "source"):
            try:
                if assignment is not None:
                    self._masters = read_assignment(assignment, source, course.hidden)
                else:
                    self._masters = read_masters(source, course.hidden)
            except FileNotFoundError:
                continue
            if self._masters:
                return
        known = ", ".join(course.lessons()) or "none; run this in the course's folder"
        what = f"{assignment} in source/" if assignment else "masters in source/"
        raise Trouble(f"there are no {what}; the assignments are {known}")

    def verdicts(self, path: Path) -> tuple[Verdict, ...]:
        """Return the verdict on a file or, if `path` is a folder, on each of its notebooks."""
        if self._assignment is not None and path.is_dir():
            found = (self._graded(path, raw) for raw in self._masters)
            return tuple(replace(one, name=printable(str(path / one.file))) for one in found)
        name = printable(str(path))
        try:
            is_plain = self._assignment is not None and len(self._masters) == 1
            raw = self._masters[0] if is_plain else identify(path, self._masters)
        except Unreadable as reason:
            return (Verdict(name, "", (), (str(reason),), unreadable=(str(reason),)),)
        return (replace(self._graded(path, raw), name=name),)

    def _graded(self, path: Path, raw: Master) -> Verdict:
        """Return the verdict on a file or folder; `raw` is its master, without marks of a plan."""
        master, conditions = raw, Conditions(self._confined)
        if (self._course.source / raw.lesson).is_dir():  # its plan says what must run in the jail
            planned = self._plan(raw.lesson)
            [master] = [one for one in planned.masters if one.notebook == raw.notebook]
            conditions = planned.conditions
        handin = refuse_misfiled(collect(path, master), master, self._course.names)
        others = [one.lesson for one in self._masters if one.notebook == path.name]
        if handin.notebook is not None and path.name != raw.notebook and others:
            said = f"this is the notebook of {raw.lesson} under the name of that of {others[0]}"
            problem = f"{said}; it was graded as {raw.lesson}"
            handin = replace(handin, problems=(*handin.problems, problem))
        return with_names(grade(handin, master, conditions), self._names.get(raw.lesson, {}))
