"""The command line: `autograder check`, `grade` and `sample`."""

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer
from rich.console import Console
from rich.progress import track

from autograder.jail import JailMissing

if TYPE_CHECKING:  # nbgrader takes seconds to load, and `--help` does not need it
    from autograder.notebook.master import Master
    from autograder.records.folder import CourseFolder
    from autograder.submission import Verdict

Thing = TypeVar("Thing")

app = typer.Typer(
    help="Grade the course's notebooks. Run it in the folder that holds source/.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]
NoJail = Annotated[
    bool,
    typer.Option("--no-jail", help="Run students' code without a jail. Only code that you trust."),
]
Lesson = Annotated[str, typer.Argument(help="A folder in source/, such as 1-merge-a-line.")]


@app.command()
def check(
    notebooks: Annotated[list[Path], typer.Argument(help="Notebook files, of any lessons.")],
    lesson: Annotated[str | None, typer.Option(help="The lesson, where it is not plain.")] = None,
    as_json: Json = False,
    no_jail: NoJail = False,
) -> None:
    """Grade notebook files against the masters, without the gradebook.

    The masters are those in the source/ of this folder, else those of the project itself.
    Exit status 0: all were graded; 1: some could not be read; 2: called wrongly.
    """
    from autograder.show import show_problems, show_results

    _warn(no_jail)
    masters = _masters(lesson)
    named = masters[0] if lesson else None
    results = []
    for path in _watched(notebooks, len(notebooks)):
        graded = _check(path, named, masters, confined=not no_jail)
        results.append((graded.name, graded))
        if as_json:
            print(json.dumps(graded.as_json()), flush=True)
    if not as_json:
        show_results(_stdout(), results, "notebook")
        show_problems(_stdout(), results)
    raise typer.Exit(0 if all(graded.is_readable for _, graded in results) else 1)


@app.command()
def grade(
    lesson: Lesson,
    student: Annotated[str | None, typer.Option(help="Only this student.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = len(os.sched_getaffinity(0)),
    scheduler: Annotated[
        str | None, typer.Option(help="A Dask scheduler, such as tcp://10.0.0.1:8786.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Grade again what was graded.")] = False,
    as_json: Json = False,
    no_jail: NoJail = False,
) -> None:
    """Grade submitted/*/LESSON into the gradebook and autograded/.

    What was graded before and has not changed is left as it is. Exit status as for check.
    """
    from autograder.classroom import grade_class
    from autograder.records.folder import CourseFolder
    from autograder.records.gradebook import GradebookError, register
    from autograder.show import show_problems, show_results
    from autograder.workers import make_executor

    _warn(no_jail)
    course = CourseFolder()
    _master(course, lesson)
    folders = [one for one in course.handed_in(lesson) if student in (None, one.student)]
    if not folders:
        _stop(f"nothing was handed in for {lesson}" + (f" by {student}" if student else ""))
    try:
        master = register(course, lesson)
        found = _watched(
            grade_class(
                course,
                master,
                folders,
                partial(make_executor, min(workers, len(folders)), scheduler),
                ahead=4 * (workers if scheduler is None else 64),
                force=force,
                confined=not no_jail,
            ),
            len(folders),
        )
        graded = sorted((one, result) for one, result in found if result is not None)
    except (GradebookError, JailMissing) as error:
        _stop(str(error))
    if as_json:
        for one, result in graded:
            print(json.dumps({"student": one, **result.as_json()}))
    elif graded:
        show_results(_stdout(), graded, "student")
        show_problems(_stdout(), graded)
    if len(graded) < len(folders):
        before = len(folders) - len(graded)
        _stderr().print(f"{before} were graded before and have not changed (--force: once more).")
    raise typer.Exit(0 if all(result.is_readable for _, result in graded) else 1)


@app.command()
def sample(
    lesson: Lesson,
    students: Annotated[int, typer.Option(min=1, help="How many.")],
    into: Annotated[Path, typer.Option(help="A folder to be made: a small course of its own.")],
) -> None:
    """Write a realistic class: right, wrong in known ways, damaged and hostile submissions."""
    from autograder.records.folder import CourseFolder
    from autograder.sample import write_class

    course = CourseFolder()
    master = _master(course, lesson)
    try:
        names = write_class(course.root, master.lesson, students, into)
    except FileExistsError as error:
        _stop(str(error))
    _stderr().print(f"{len(names)} submissions of {lesson} are in {into / 'submitted'}")


def main() -> None:
    """What the program `autograder` runs."""
    app()


def _master(course: "CourseFolder", lesson: str) -> "Master":
    try:
        return course.master(lesson)
    except ValueError as error:
        _stop(str(error))
    except FileNotFoundError:
        _stop(f"{course.source} has no {lesson}; run this in the course's folder")


def _masters(lesson: str | None) -> "tuple[Master, ...]":
    """The masters in the course folder that this is, else the project's own."""
    from autograder.notebook.master import read_master, read_masters
    from autograder.records.folder import CourseFolder
    from autograder.records.release import ROOT

    found: tuple[Master, ...] = ()
    for source in (CourseFolder().source, ROOT / "source"):
        try:
            found = found or ((read_master(lesson, source),) if lesson else read_masters(source))
        except ValueError as error:
            _stop(str(error))
        except FileNotFoundError:
            continue
    return found or _stop("there are no masters in source/; run this in the course's folder")


def _check(
    path: Path, named: "Master | None", masters: "tuple[Master, ...]", confined: bool
) -> "Verdict":
    """One notebook file, under the lesson that it is found to be of."""
    from autograder.notebook.collect import collect, identify
    from autograder.notebook.reading import Unreadable, printable
    from autograder.pipeline import grade
    from autograder.submission import Verdict

    try:
        master = named or identify(path, masters)
        return replace(grade(collect(path, master), master, confined), name=printable(str(path)))
    except Unreadable as reason:
        return Verdict(printable(str(path)), "", (), (str(reason),), is_readable=False)
    except JailMissing as error:
        _stop(str(error))


def _watched(things: Iterable[Thing], total: int) -> Iterable[Thing]:
    """The same things, with a progress bar while a person waits for them."""
    is_watched = sys.stderr.isatty()
    return track(things, "Grading", total=total, console=_stderr(), disable=not is_watched)


def _warn(no_jail: bool) -> None:
    if no_jail:
        text = "Warning: no jail. Students' code can do whatever you can do on this machine."
        _stderr().print(text, style="bold red")


def _stop(reason: str) -> NoReturn:
    _stderr().print(reason, style="red")
    raise typer.Exit(2)


def _stdout() -> Console:
    """As wide as the terminal; in a pipe wide enough that no name is broken."""
    return Console(width=None if sys.stdout.isatty() else 200, highlight=False)


def _stderr() -> Console:
    return Console(stderr=True, highlight=False, soft_wrap=True)
