"""A game played in a terminal for a test, with keys that come through a pipe or at once."""

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
    """Return what is printed if these keys come through a pipe."""
    told = CliRunner().invoke(app, ["play", *options], input=keys)
    assert told.exit_code == 0, told.output
    return told.output


def told_by(match: Match, keys: str, capsys, note: str = "") -> str:
    """Return what is printed if a match is played with these keys."""
    run(match, PlainScreen(), keys.split(), note)
    return capsys.readouterr().out


def drawn(match: Match, keys: list[str], width: int, height: int) -> str:
    """Return what is drawn on a terminal of that size, without its colours."""
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=width, height=height)
    run(match, DrawnScreen(console), keys)
    return Text.from_ansi(out.getvalue()).plain


def match_on(board, pieces=(), **options) -> Match:
    """Return a match that starts on this board."""
    match, _ = match_of(dict(pieces), height=len(board), width=len(board[0]), seed=1, **options)
    return standing(match, board=[row[:] for row in board])


def standing(match: Match, **facts) -> Match:
    """Change facts of a match's state, and return the match."""
    match._states[-1] = match.player.end(replace(match.state, **facts))
    return match
