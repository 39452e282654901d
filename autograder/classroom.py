"""Grading a class: what was handed in goes to workers, what they return goes into the gradebook."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

from autograder.coursefolder import CourseFolder, Folder
from autograder.gradebook import Entry, write
from autograder.grading import Graded, failed, grade
from autograder.jail import JailMissing
from autograder.master import Master
from autograder.submission import Handin
from autograder.workers import run

_BATCH = 50


@dataclass(frozen=True)
class Job:
    """One hand-in for a worker, and the folder that it came from."""

    folder: Folder
    handin: Handin


def grade_class(
    course: CourseFolder,
    master: Master,
    folders: list[Folder],
    executors: Callable[[], Executor],
    ahead: int,
    force: bool = False,
    confined: bool = True,
) -> Iterator[tuple[str, Graded | None]]:
    """Grades what was handed in; yields student and result once it is recorded.

    The result is `None` for a hand-in that was graded before and has not changed. Raises
    `JailMissing`; nothing else that happens to one submission stops the others.
    """
    course.clear_unfinished(master.lesson)
    done: list[str] = []
    todo = _jobs(course, master, folders, force, done)
    batch: list[tuple[Job, Graded]] = []
    for job, result in run(
        partial(_grade, master=master, confined=confined), todo, executors, ahead
    ):
        if isinstance(result, JailMissing):
            raise result
        if isinstance(result, Exception):
            result = failed(job.handin, master, f"{type(result).__name__}: {result}")
        batch.append((job, result))
        if len(batch) >= _BATCH:
            yield from _record(course, master, batch)
            batch = []
    if batch:
        yield from _record(course, master, batch)
    for student in done:
        yield student, None


def _jobs(
    course: CourseFolder, master: Master, folders: list[Folder], force: bool, done: list[str]
) -> Iterator[Job]:
    """A job for each folder, read when its turn comes; who needs none is `done`."""
    for folder in folders:
        handin = course.collect(folder, master)
        if not force and course.is_graded(folder, handin, master):
            done.append(folder.student)
        else:
            yield Job(folder, handin)


def _grade(job: Job, master: Master, confined: bool) -> Graded:
    return grade(job.handin, master, confined)


def _record(
    course: CourseFolder, master: Master, batch: list[tuple[Job, Graded]]
) -> Iterator[tuple[str, Graded]]:
    """First the gradebook, then `autograded/`: what lies there is known to be in the gradebook."""
    entries = []
    for job, graded in batch:
        timestamp, problem = course.timestamp(job.folder)
        entries.append(Entry(job.folder.student, _with(graded, problem), timestamp))
    refused = write(course, entries)
    for (job, _), entry in zip(batch, entries, strict=True):
        graded = entry.graded
        if entry.student in refused:
            yield (
                entry.student,
                _with(graded, f"the gradebook refused it: {refused[entry.student]}"),
            )
            continue
        for problem in course.store(job.folder, graded, master):
            graded = _with(graded, problem)
        yield entry.student, graded


def _with(graded: Graded, problem: str) -> Graded:
    return replace(graded, problems=(*graded.problems, problem)) if problem else graded
