"""`autograder bench`: the contest as a table, or as JSON."""

import json
import os
from typing import Annotated

import typer

from autograder.console import say, stdout, told


def bench(
    lesson: Annotated[str, typer.Argument(help="A lesson.")] = "1-merge-a-line",
    students: Annotated[
        list[int] | None, typer.Option(min=2, help="The size of a class; may be given twice.")
    ] = None,
    workers: Annotated[
        list[int] | None, typer.Option(min=1, help="Processes; may be given twice.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Runs, of which the median counts.")] = 1,
    most: Annotated[
        int, typer.Option(min=2, help="So many of a class nbgrader grades; the rest is worked out.")
    ] = 24,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Grade the same class with nbgrader and with this grader, and compare what that takes.

    Start-up counts. The class is a sample in real proportions, in a folder that is removed again.
    """
    from autograder.bench.contest import contest
    from autograder.bench.table import show_rows
    from autograder.records.folder import CourseFolder

    with told():
        root = CourseFolder().root
        sizes, processes = students or [24, 200], workers or [1, 2]
        before = os.getloadavg()[0]
        rows = []
        for row in contest(root, lesson, sizes, processes, repeats, most):
            rows.append(row)
            if as_json:
                print(json.dumps(row.as_json()), flush=True)
        if not as_json:
            show_rows(stdout(), rows)
        say(f"{os.cpu_count()} processors; load before it began: {before:.1f}.")
