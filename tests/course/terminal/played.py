"""Functions that play a game in a terminal with given keys, and return what is printed."""

from dataclasses import replace
from io import StringIO

from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

from course.__main__ import app
from course.playing.game_in_progress import Match
from course.terminal.load_own_functions import match_of
from course.terminal.loop import run
from course.terminal.screens import DrawnScreen, PlainScreen

SAMPLE = [[2, 0, 4, 0], [0] * 4, [0] * 4, [2, 0, 0, 0]]
LOST = [[512, 2], [4, 256]]
CASCADE = """
def merge(line):
    tiles = []
    for tile in line:
        while tile and tiles and tiles[-1] == tile:
            tile += tiles.pop()
        if tile:
            tiles.append(tile)
    return tiles + [0] * (len(line) - len(tiles))
"""


def typed(keys: str, *options: str) -> str:
    """Run `course play` with keys from a pipe; return its output."""
    told = CliRunner().invoke(app, ["play", *options], input=keys)
    assert told.exit_code == 0, told.output
    return told.output


def told_by(match: Match, keys: str, capsys, note: str = "") -> str:
    """Play a match with these keys, as on a plain terminal; return its output."""
    run(match, PlainScreen(), keys.split(), note)
    return capsys.readouterr().out


def drawn(match: Match, keys: list[str], width: int, height: int) -> str:
    """Play a match on a drawn screen of this size; return its output without colours."""
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=width, height=height)
    run(match, DrawnScreen(console), keys)
    return Text.from_ansi(out.getvalue()).plain


def match_on(board, pieces=(), **options) -> Match:
    """Return a match that starts on this board, with the learner's functions in `pieces`."""
    match, _ = match_of(dict(pieces), height=len(board), width=len(board[0]), seed=1, **options)
    return standing(match, board=[row[:] for row in board])


def standing(match: Match, **facts) -> Match:
    """Change some values of a match's state, and return the match."""
    match._states[-1] = match.player.end(replace(match.state, **facts))
    return match
