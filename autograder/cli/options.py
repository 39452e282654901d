"""The typer app, and the options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.console_output import say

_NO_CSV = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers", ".tsv")

app = typer.Typer(
    help="Grade the notebooks of an nbgrader course. Run it in the folder that holds source/.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def one_or_more(number: int | None) -> int | None:
    """Return a number that was typed, or `None` if none was; raise `BadParameter` if below 1."""
    if number is not None and number < 1:
        raise typer.BadParameter(f"{number} would do nothing. Write 1 or more.")
    return number


def _with_warning(no_jail: bool) -> bool:
    """Return `no_jail`; if it is true, first warn that students' code will run without a jail."""
    if no_jail:
        text = "Warning: no jail. Students' code can do whatever you can do on this machine."
        say(text, "bold red")
    return no_jail


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]
NoJail = Annotated[
    bool,
    typer.Option(
        "--no-jail",
        help="Run students' code without a jail. Only code that you trust.",
        callback=_with_warning,
    ),
]
OneStudent = Annotated[str | None, typer.Option("--student", help="Only this student.")]
Workers = Annotated[
    int | None,
    typer.Option(help="Processes.", show_default="one a processor", callback=one_or_more),
]
Scheduler = Annotated[
    str | None, typer.Option(help="A Dask scheduler, such as tcp://10.0.0.1:8786.")
]


def _csv_file(path: Path | None) -> Path | None:
    """Return the path of a table; raise `BadParameter` if it ends like a file of another format."""
    if path is not None and path.suffix.lower() in _NO_CSV:
        raise typer.BadParameter(
            f"{path} would be CSV text under the name of another format. Write "
            f"{path.with_suffix('.csv')}; a spreadsheet opens that."
        )
    return path


Csv = Annotated[
    Path | None,
    typer.Option(help="Also write a table for a spreadsheet, as CSV.", callback=_csv_file),
]


def name_of(typed: str) -> str:
    """Return the name of an assignment; a shell may have completed it as a path in `source/`."""
    return typed.removeprefix("source/").rstrip("/")


Lesson = Annotated[
    str,
    typer.Argument(help="A folder in source/, such as 1-merge-a-line.", callback=name_of),
]
