"""The command line of the course: `python -m course lab` and `python -m course play`."""

import sys
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Annotated

try:
    import typer
    from rich.console import Console

    import course
except ModuleNotFoundError as missing:
    raise SystemExit(f"{missing.name} is missing: pip install 'course-2048[lab]'") from None
if not hasattr(course, "HOMES"):
    other = f"Another package has overwritten the package course ({course.__file__})."
    raise SystemExit(f"{other} Install course-2048 in an environment of its own.")

from course.lab.start import open_course
from course.terminal import loop
from course.terminal.screens import DrawnScreen, PlainScreen

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def main() -> None:
    """Write the game 2048 yourself, and play it."""


@app.command()
def lab(
    folder: Annotated[Path, typer.Argument(help="Your own folder, for your work.")] = Path(
        "my-course"
    ),
) -> None:
    """Copy the lessons into a folder, and open them in JupyterLab; Ctrl+C stops it.

    A file that is there is never overwritten. NO_BROWSER=1 before the command opens no browser;
    VERBOSE=1 shows all that the server says.
    """
    open_course(folder)


@app.command()
def play(
    own: Annotated[
        Path | None,
        typer.Option("--with", metavar="FILE.py", help="Play with the functions of this file."),
    ] = None,
    special: Annotated[
        bool, typer.Option("--special", help="Win by 25,000 points too; one second chance.")
    ] = False,
    height: Annotated[int, typer.Option(min=1, max=20, help="Rows of the board.")] = 4,
    width: Annotated[int, typer.Option(min=1, max=20, help="Columns of the board.")] = 4,
    goal: Annotated[int, typer.Option(min=4, help="The tile that wins.")] = 2048,
    seed: Annotated[int | None, typer.Option(help="Makes chance repeat itself.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Text only, nothing drawn.")] = False,
) -> None:
    """Play 2048 here: w up, a left, s down, d right, e exit.

    Keys act at once; if the input is not a terminal, it is read as words.
    """
    keys = loop.keys_typed(sys.stdin)
    sys.stdin = StringIO()  # the game reads the keys; a learner's `input()` finds nothing
    try:
        pieces = loop.pieces_of(own) if own is not None else {}
    except ValueError as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from error
    match, note = loop.match_of(
        pieces, special=special, height=height, width=width, goal=goal, seed=seed
    )
    is_drawn = sys.stdout.isatty() and not plain
    screen = DrawnScreen(Console()) if is_drawn else PlainScreen()
    with closing(keys):
        loop.run(match, screen, keys, note)


if __name__ == "__main__":
    app(prog_name="python -m course")
