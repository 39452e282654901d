"""Console output that all commands share: progress bars, sentences, and exits with a reason."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from autograder.jail import JailMissing
from autograder.system import Trouble, is_full
from autograder.system.shutdown import say_when_stopped

if TYPE_CHECKING:  # nbgrader takes seconds to load, and `--help` does not need it
    from autograder.gradebook.course_folder import CourseFolder


def stdout() -> Console:
    """Return a console for stdout, as wide as the terminal or `COLUMNS`, else 200 columns."""
    columns = os.environ.get("COLUMNS", "")
    is_known = sys.stdout.isatty() or (columns.isdigit() and int(columns) > 0)
    return Console(width=None if is_known else 200, highlight=False)


def stderr() -> Console:
    """Return a console for stderr, as wide as the terminal; in a pipe, no line is broken."""
    return Console(stderr=True, highlight=False, soft_wrap=not sys.stderr.isatty())


def say(text: str, style: str = "") -> None:
    """Print one sentence to stderr exactly as it is; brackets in the sentence are not markup."""
    stderr().print(Text(text, style=style))


def stop(reason: str) -> NoReturn:
    """Print the reason, and exit with status 2: the command was called wrongly or cannot begin."""
    say(reason, "red")
    raise typer.Exit(2)


@contextmanager
def told(stopped: str = "") -> Iterator[None]:
    """Print an expected error in a `with` block as a sentence, and exit with status 2.

    If the block is stopped with Ctrl+C, print `stopped`.
    """
    if stopped:
        say_when_stopped(stopped)
    try:
        yield
    except (JailMissing, Trouble) as error:
        stop(str(error))
    except BrokenPipeError:  # the reader of the output, such as `head`, has ended
        raise
    except OSError as error:
        if is_full(error):
            stop("The disk is full. Make room on it, then run the same command again.")
        where = f"{error.filename}: " if error.filename else ""
        stop(f"{where}{error.strerror or error}")


@contextmanager
def progress(total: int, what: str = "Grading") -> Iterator[Callable[[], None]]:
    """Show a progress bar in a terminal; yield a function to call after each of `total` steps."""
    with Progress(console=stderr(), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


@contextmanager
def share_done(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar in a terminal; yield a function to call with (number done, total)."""
    with Progress(console=stderr(), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def is_agreed(question: str) -> bool:
    """Ask a question, and return true if the answer is yes; no answer counts as no."""
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        say("")
        return False


def say_wait() -> None:
    """Say that another run is using the course folder, and that this run waits for its end."""
    say("Another run grades in this folder; waiting until it is done.")


@contextmanager
def in_course(stopped: str = "", lesson: str | None = None) -> Iterator["CourseFolder"]:
    """Yield the course folder; handle expected errors in the block as `told` does.

    If `lesson` is not in the gradebook because the course has no such assignment, say that.
    """
    from autograder.gradebook.course_folder import CourseFolder
    from autograder.gradebook.open_gradebook import NotEnteredError

    with told(stopped):
        course = CourseFolder()
        try:
            yield course
        except NotEnteredError:
            if lesson is not None:
                refuse_unknown(course, lesson)
            raise


@contextmanager
def in_assignment(lesson: str, stopped: str = "") -> Iterator["CourseFolder"]:
    """Yield the course folder as `in_course` does; exit if it has no assignment `lesson`."""
    with in_course(stopped) as course:
        refuse_unknown(course, lesson)
        yield course


def refuse_unknown(course: "CourseFolder", assignment: str) -> None:
    """Exit with a sentence on what to do if the course has no assignment of this name."""
    known = course.lessons()
    if assignment in known:
        return
    there = f"it has {', '.join(known)}" if known else "no folder in it holds a notebook"
    if not course.source.is_dir():
        there = "run this in the course's folder, or put the notebooks there first"
    if Path(assignment).is_file():
        file = shlex.quote(assignment)
        what = f"autograder check {file} grades it"
        if Path(assignment).suffix == ".zip":
            lesson = known[0] if len(known) == 1 else "ASSIGNMENT"
            what = f"autograder collect {file} {lesson} takes in what it holds"
        there += f". It is a file: {what}"
    stop(f"{course.source} has no assignment {assignment or 'without a name'}; {there}")
