"""The measurements as tables for a person."""

from collections.abc import Iterable
from dataclasses import astuple

from rich.console import Console
from rich.table import Table

from autograder.bench.contest import Row
from autograder.bench.growth import Growth
from autograder.bench.profile import Profile
from autograder.bench.tools import Tool


def show_rows(console: Console, rows: Iterable[Row]) -> None:
    """Print the contest; below it, explain estimated rows and the start of a cluster."""
    table = _table(
        *("class", "graded", "program:", "seconds", "a second", "times", "CPU s"),
        *("CPU times", "MiB", "scores"),
    )
    has_scaled, start = False, 0.0
    for row in rows:
        is_scaled = row.measured < row.students
        has_scaled |= is_scaled
        start = max(start, row.took.start)
        table.add_row(
            str(row.students),
            f"{row.measured}{'*' * is_scaled}",
            row.program,
            f"{row.took.seconds:.1f}",
            f"{row.students / row.took.seconds:.1f}",
            f"{row.ratio:.1f}",
            f"{row.took.cpu:.1f}",
            f"{row.ratio_cpu:.1f}",
            f"{row.took.mib:.0f}",
            "equal" if row.has_equal else "differ",
        )
    console.print(table)
    if has_scaled:
        console.print("* The rest of the class is worked out: as many times what one more takes.")
    if start:
        console.print(f"Starting the Dask cluster took {start:.1f} s, which are not counted.")


def show_profiles(console: Console, profiles: Iterable[Profile]) -> None:
    """Print how the time of a run is shared out."""
    for one in profiles:
        head = f"class of {one.students}, workers: {one.workers}"
        table = _table(f"{head}:", "first process s", "CPU s", "all workers s", "CPU s")
        for part in one.parts:
            values = (part.first, part.first_cpu, part.workers, part.workers_cpu)
            table.add_row(part.name, *(f"{value:.1f}" for value in values))
        console.print(table)
        console.print(f"In all {one.seconds:.1f} s, and {one.cpu:.1f} s of processors.")


def show_growth(console: Console, rows: Iterable[Growth]) -> None:
    """Print what classes of growing size take."""
    names = ("class", "seconds", "a second", "each further s", "CPU s", "each further CPU s")
    table = _table(*names, "MiB of the first process")
    for row in rows:
        table.add_row(
            str(row.students),
            f"{row.took.seconds:.1f}",
            f"{row.students / row.took.seconds:.1f}",
            f"{row.further:.3f}",
            f"{row.took.cpu:.1f}",
            f"{row.further_cpu:.3f}",
            f"{row.most_mib:.0f}",
        )
    console.print(table)


def show_tools(console: Console, tools: Iterable[Tool]) -> None:
    """Print what the tools around the grader take."""
    table = _table("class", "what:", "seconds", "CPU s", "nbgrader alone s", "CPU s", "KiB")
    for tool in tools:
        both = [f"{time:.2f}" for one in (tool.here, tool.alone) if one for time in astuple(one)]
        size = "" if tool.kib is None else f"{tool.kib:.0f}"
        table.add_row(str(tool.students), tool.name, *both, *([""] * (4 - len(both))), size)
    console.print(table)


def _table(*names: str) -> Table:
    """Return an empty table; a name that ends with a colon is that of a column of words."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        justify = "left" if name.endswith(":") else "right"
        table.add_column(name.removesuffix(":"), justify=justify, no_wrap=True)  # type: ignore[arg-type]
    return table
