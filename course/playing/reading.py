"""Reading a board aloud: a square, a row, a column, or the score, in the learner's words."""

from dataclasses import dataclass

from course.playing.calls import Stuck
from course.playing.match import Match
from course.playing.note import Note, note_of
from course.playing.pieces import Report
from course.playing.special import OFFER
from course.rules import DIRECTIONS, Square


@dataclass(frozen=True)
class Reading:
    """The words that are said, the square of the reading cursor after that, and a note, if any."""

    said: str
    square: Square
    note: Note | None = None


def read(match: Match, what: str, square: Square, empty: str = "zero") -> Reading:
    """Read something on the board aloud.

    `what` is a direction to step in, or `"row"`, `"column"`, `"status"`. `square` is where the
    cursor is; `empty` is the word for an empty square.
    """
    report = match.player.pieces.report = Report()
    here = _on_board(match, square)
    try:
        there = _step(match, here, what)
        said = _said(match, what, there, empty)
    except Stuck as stuck:
        trouble = stuck
    except ValueError as error:  # a square beyond column Z has no name
        trouble = Stuck("This cannot be read out.", f"{str(error).capitalize()}.")
    else:
        return Reading(said, there, note_of(found=report.found, printed=report.printed.lines()))
    return Reading(str(trouble), here, note_of(trouble=trouble, printed=report.printed.lines()))


def _on_board(match: Match, square: Square) -> Square:
    """Return the cursor's square, moved onto the board if the board has become smaller."""
    row, column = square
    height, width = len(match.board), len(match.board[0])
    return min(max(row, 0), height - 1), min(max(column, 0), width - 1)


def _step(match: Match, square: Square, what: str) -> Square:
    if what not in DIRECTIONS:
        return square
    stepped: Square = match.player.pieces["move_cursor"](match.board, square, what)
    return stepped


def _said(match: Match, what: str, square: Square, empty: str) -> str:
    pieces, (row, column) = match.player.pieces, square
    options = {"empty": empty} if empty != "zero" else {}
    if what == "status":
        status = str(pieces["announce_status"](match.score, match.moves))
        return f"{status}. {OFFER}" if match.can_continue else status
    if what == "row":
        return str(pieces["announce_line"](match.board, row=row, **options))
    if what == "column":
        return str(pieces["announce_line"](match.board, column=column, **options))
    return str(pieces["announce_square"](match.board, row, column, **options))
