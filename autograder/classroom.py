"""Grading a class: what was handed in goes to workers, what they return goes into the gradebook."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from time import monotonic

from autograder.jail import JailMissing
from autograder.notebook.collect import Handin
from autograder.notebook.master import Master
from autograder.pipeline import failed, grade
from autograder.records.folder import CourseFolder, Folder
from autograder.records.gradebook import Entry, write
from autograder.submission import Verdict
from autograder.workers import run

# what is written at a time: so many results, or those of so many seconds
_BATCH = 50
_SECONDS = 2.0


def grade_class(
    course: CourseFolder,
    master: Master,
    folders: list[Folder],
    executors: Callable[[], Executor],
    ahead: int,
    force: bool = False,
    confined: bool = True,
) -> Iterator[tuple[str, Verdict | None]]:
    """Grades what was handed in; yields student and result once it is recorded.

    The result is `None` for a hand-in that was graded before and has not changed. Raises
    `JailMissing`; nothing else that happens to one submission stops the others.
    """
    course.clear_unfinished(master.lesson)
    done: list[str] = []
    todo = _todo(course, master, folders, force, done)
    batch: list[tuple[Folder, Verdict]] = []
    due = monotonic() + _SECONDS
    # nothing of nbgrader's: a worker would take seconds to load it
    do = partial(grade, master=master, confined=confined)
    for folder, handin, result in run(do, todo, executors, ahead):
        if isinstance(result, JailMissing):
            raise result
        if isinstance(result, Exception):
            result = failed(handin, master, f"{type(result).__name__}: {result}")
        batch.append((folder, result))
        if len(batch) >= _BATCH or monotonic() > due:
            yield from _record(course, master, batch)
            batch, due = [], monotonic() + _SECONDS
    if batch:
        yield from _record(course, master, batch)
    for student in done:
        yield student, None


def _todo(
    course: CourseFolder, master: Master, folders: list[Folder], force: bool, done: list[str]
) -> Iterator[tuple[Folder, Handin]]:
    """What each folder holds, read when its turn comes; who need not be graded is `done`."""
    for folder in folders:
        handin = course.collect(folder, master)
        if not force and course.is_graded(folder, handin, master):
            done.append(folder.student)
        else:
            yield folder, handin


def _record(
    course: CourseFolder, master: Master, batch: list[tuple[Folder, Verdict]]
) -> Iterator[tuple[str, Verdict]]:
    """First the gradebook, then `autograded/`: what lies there is known to be in the gradebook."""
    entries = []
    for folder, graded in batch:
        timestamp, problem = course.timestamp(folder)
        entries.append(Entry(folder.student, _with(graded, problem), timestamp))
    refused = write(course, entries)
    for (folder, _), entry in zip(batch, entries, strict=True):
        graded = entry.graded
        if entry.student in refused:
            yield (
                entry.student,
                _with(graded, f"the gradebook refused it: {refused[entry.student]}"),
            )
            continue
        for problem in _store(course, folder, graded, master):
            graded = _with(graded, problem)
        yield entry.student, graded


def _store(course: CourseFolder, folder: Folder, graded: Verdict, master: Master) -> list[str]:
    try:
        return course.store(folder, graded, master)
    except OSError as error:
        return [f"the graded notebook could not be written: {error.strerror}"]


def _with(graded: Verdict, problem: str) -> Verdict:
    return replace(graded, problems=(*graded.problems, problem)) if problem else graded
