"""`autograder bench`: measurements as tables, as JSON and as a picture."""

import json
import os
import shutil
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

import typer
from rich.console import Console

from autograder.bench.started import SCRATCH
from autograder.console import say, stdout, told
from autograder.ending import drop_last
from autograder.scratch import at_the_end, scratch_folder
from autograder.trouble import Trouble


class Measure(StrEnum):
    """The things that can be measured."""

    CONTEST = "contest"
    PROFILE = "profile"
    GROWTH = "growth"
    TOOLS = "tools"


class _Found(Protocol):
    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain data."""


Found = TypeVar("Found", bound=_Found)

_SIZES = {
    Measure.CONTEST: [24, 200],
    Measure.PROFILE: [200],
    Measure.GROWTH: [10, 100, 1_000, 10_000],
    Measure.TOOLS: [1_000],
}


def bench(
    lesson: Annotated[str, typer.Argument(help="A lesson.")] = "1-merge-a-line",
    measures: Annotated[
        list[Measure] | None,
        typer.Option(
            "--measure",
            help="contest: this grader beside nbgrader; profile: where its time goes; growth: up "
            "to 10,000 submissions; tools: formgrader and others with a large class. May be given "
            "more than once.",
            show_default="contest and profile",
        ),
    ] = None,
    students: Annotated[
        list[int] | None,
        typer.Option(
            min=2, help="The size of a class; may be given twice.", show_default="24 and 200"
        ),
    ] = None,
    workers: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Processes; may be given twice.", show_default="1 and 2"),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Runs, of which the median counts.")] = 1,
    most: Annotated[
        int, typer.Option(min=2, help="So many of a class nbgrader grades; the rest is worked out.")
    ] = 24,
    otter: Annotated[
        str | None,
        typer.Option(
            "--with-otter",
            metavar="PROGRAM",
            help="Otter-Grader takes part, too: its program, such as otter-env/bin/otter.",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw the contest and the growth: .svg, .png or .pdf.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Grade the same class with nbgrader and with this grader, and compare what that takes.

    Start-up counts. The class is a sample in real proportions, in a folder that is removed again.
    """
    from autograder.bench.contest import Rules, contest
    from autograder.bench.growth import growth
    from autograder.bench.plot import draw
    from autograder.bench.profile import profiles
    from autograder.bench.table import show_growth, show_profiles, show_rows, show_tools
    from autograder.bench.tools import tools
    from autograder.gradebook.course_folder import CourseFolder

    stopped = "Stopped; the same command begins to measure anew."
    with told(stopped), scratch_folder(SCRATCH) as place:
        os.environ["TMPDIR"] = str(place)  # so files of programs that are ended go, too
        root, before = CourseFolder().root, os.getloadavg()[0]
        wanted = measures or [Measure.CONTEST, Measure.PROFILE]
        sizes = {measure: students or _SIZES[measure] for measure in Measure}
        processes = workers or [1, 2]
        rows, classes = [], []
        if Measure.CONTEST in wanted:
            rules = Rules(sizes[Measure.CONTEST], processes, repeats, most, _program(otter))
            rows = _shown(contest(root, lesson, rules), show_rows, as_json)
        rest = root, lesson
        if Measure.PROFILE in wanted:
            found = profiles(*rest, sizes[Measure.PROFILE], max(processes))
            _shown(found, show_profiles, as_json)
        if Measure.GROWTH in wanted:
            grown = growth(*rest, sizes[Measure.GROWTH], max(processes))
            classes = _shown(grown, show_growth, as_json)
        if Measure.TOOLS in wanted:
            _shown(tools(*rest, sizes[Measure.TOOLS], max(processes)), show_tools, as_json)
        if plot is not None:
            draw(plot, rows, classes)
        say(f"{os.cpu_count()} processors; load before it began: {before:.1f}.")


def _shown(
    found: Iterable[Found], show: Callable[[Console, Iterable[Found]], None], as_json: bool
) -> list[Found]:
    """Print all that is measured, and return it: as JSON as soon as it is known, or all as a table.

    If the command is stopped, the table has what was measured by then.
    """
    every: list[Found] = []

    def show_all() -> None:
        if every and not as_json:
            show(stdout(), every)

    with at_the_end(show_all):
        try:
            for one in found:
                every.append(one)
                if as_json:
                    print(json.dumps(one.as_json()), flush=True)
        finally:
            drop_last(show_all)
            show_all()
    return every


def _program(otter: str | None) -> str | None:
    """Return the path of Otter-Grader, which is given by name or path; `None` if it takes no part.

    Raise `Trouble` if there is no such program.
    """
    if otter is None:
        return None
    found = shutil.which(otter)
    if found is None:
        raise Trouble(
            f"There is no program {otter}. Otter-Grader is best in an environment of its own: "
            "python -m venv otter-env, then otter-env/bin/pip install otter-grader ipykernel "
            "anywidget, then --with-otter otter-env/bin/otter"
        )
    return os.path.abspath(found)
