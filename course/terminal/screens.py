"""Screens of the terminal: one always draws the board in the same place, one prints plain text."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext

from rich.box import ROUNDED
from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from course.playing.game_in_progress import Match
from course.rules import Board, Square, announce_status

# The text on a tile is dark up to 2048 and light above. Its contrast is 5 or more on each tile.
COLOURS = {
    0: "#3c3a32", 2: "#eee4da", 4: "#ede0c8", 8: "#f2b179", 16: "#f59563", 32: "#f67c5f",
    64: "#f65e3b", 128: "#edcf72", 256: "#edcc61", 512: "#edc850", 1024: "#edc53f", 2048: "#edc22e",
}  # fmt: skip
DARK, LIGHT, BEYOND, EMPTY = "#1b1b1b", "#f9f6f2", "#5a2ca0", "#a39e93"


class PlainScreen:
    """A screen of plain text, for screen readers; it prints only boards that have changed."""

    def __init__(self) -> None:
        self.live = nullcontext()  # there is nothing to tidy up
        self.shown: Board = []

    def show(self, match: Match, said: Iterable[str], marks: Sequence[Square] = ()) -> None:
        """Print the board, score and moves, if the board has changed, and then the sentences."""
        if match.board != self.shown:
            print(plain_board(match.board))
            print(f"{announce_status(match.state.score, match.state.moves)}.")
            self.shown = [row[:] for row in match.board]
        for sentence in filter(None, said):
            print(sentence)
        print(flush=True)


class DrawnScreen:
    """A screen with a coloured board that stays in its place inside a block `with screen.live`."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.live = Live(console=console, auto_refresh=False, vertical_overflow="visible")

    def show(self, match: Match, said: Iterable[str], marks: Sequence[Square] = ()) -> None:
        """Show the board, with an exclamation mark on each square in `marks`, and the sentences."""
        status = Text(f"{announce_status(match.state.score, match.state.moves)}.", style="bold")
        lines = [Text(sentence) for sentence in said if sentence]
        shown: Table | Text = Text(plain_board(match.board))
        rows = self.console.height - len(lines) - 3
        for is_tall in (False, True):  # the largest drawing that fits
            drawn = drawn_board(match.board, marks, is_tall)
            size = self.console.measure(drawn).maximum
            if (4 if is_tall else 2) * len(match.board) < rows and size <= self.console.width:
                shown = drawn
        self.live.update(Group(shown, status, *lines))
        self.live.refresh()


def plain_board(board: Board) -> str:
    """Return a board as text, one line for each row; an empty square is a dot.

    >>> print(plain_board([[2, 0, 16], [0, 4, 0]]))
     2  . 16
     .  4  .
    """
    size = max(len(str(tile)) for row in board for tile in row)
    return "\n".join(" ".join(str(tile or ".").rjust(size) for tile in row) for row in board)


def drawn_board(board: Board, marks: Sequence[Square] = (), is_tall: bool = True) -> Table:
    """Return a board as a table of coloured squares; those in `marks` get exclamation marks."""
    size = max(4, *(len(str(tile)) for row in board for tile in row)) + 2
    table = Table(box=ROUNDED, show_header=False, show_lines=True, padding=0, border_style="dim")
    for _ in board[0]:
        table.add_column(width=size)
    for row, tiles in enumerate(board):
        squares = []
        for column, tile in enumerate(tiles):
            text = f"{tile or '·'}{'!' if (row, column) in marks else ''}".center(size)
            ink = f"bold {DARK if tile in COLOURS else LIGHT}" if tile else EMPTY
            style = f"{ink} on {COLOURS.get(tile, BEYOND)}"
            pad = (1, 0) if is_tall else 0
            squares.append(Padding(Text(text, style=style), pad, style=style))
        table.add_row(*squares)
    return table
