"""The rows of the benchmark as a person reads them."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from autograder.bench.contest import Row


def show_rows(console: Console, rows: Iterable[Row]) -> None:
    """A table; under it what the columns mean that do not say so themselves."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("class", "graded", "program"):
        table.add_column(name, justify="left" if name == "program" else "right", no_wrap=True)
    for name in ("seconds", "a second", "times", "CPU s", "CPU times", "MiB", "scores"):
        table.add_column(name, justify="right", no_wrap=True)
    has_scaled = False
    for row in rows:
        is_scaled = row.measured < row.students
        has_scaled |= is_scaled
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
