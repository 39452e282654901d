"""Messages to the browser: turns, readings and failures, as plain data that can be sent."""

from typing import Any

from course.playing.calls import Stuck, message_of
from course.playing.match import OFFER, Match, Turn
from course.playing.note import note_of, won_note
from course.playing.pieces import Report
from course.rules import DIRECTIONS, Square

DROPPED = {"kind": "dropped"}


def state_of(match: Match, turn: Turn) -> dict[str, Any]:
    """Return the state of a match after a turn, with the note beside its board."""
    state = turn.after
    has_tile = max(map(max, state.board)) >= match.player.goal
    by_points = match.player.is_special and state.has_won and not has_tile
    won = won_note(state.score) if by_points and not state.is_over else None
    # The name of the rules: a best game by other rules is not a best game by these.
    kind = "special" if match.player.is_special else "classic"
    kind = kind if match.player.merges else "sliding"
    return {
        "board": state.board,
        "score": state.score,
        "moves": state.moves,
        "over": state.is_over,
        "won": state.has_won,
        "rules": f"{kind}-{match.player.goal}",
        "counts": state.is_fair and not match.player.is_prepared,
        "goal": state.score if by_points else match.player.goal,
        "canUndo": match.can_undo,
        "canContinue": state.can_continue,
        "marks": turn.marks,
        "note": turn.note or won,
    }


def turn_message(match: Match, turn: Turn) -> dict[str, Any]:
    """Return a message on a turn: the state after it, and how the tiles got there."""
    return {
        "kind": "turn",
        "state": state_of(match, turn),
        "motion": turn.motion.as_json(),
        "spawned": turn.spawned,
        "gained": turn.gained,
        "celebrate": turn.won,
        "stopped": turn.trouble is not None and turn.trouble.stopped,
        "said": turn.aloud,
    }


def read_message(match: Match, what: str, square: Square, empty: str) -> dict[str, Any]:
    """Return a message that reads something on the board aloud, in the learner's words.

    `what` is a direction to step in, or `"row"`, `"column"`, `"status"`. `square` is where the
    reading cursor is; `empty` is the word for an empty square.
    """
    report = match.player.pieces.report = Report()
    height, width = len(match.board), len(match.board[0])
    row, column = square  # of a board that may have become smaller
    here = min(max(row, 0), height - 1), min(max(column, 0), width - 1)
    trouble = None
    try:
        there = here
        if what in DIRECTIONS:
            there = match.player.pieces["move_cursor"](match.board, here, what)
        said = _read(match, what, there, empty)
    except Stuck as stuck:
        trouble = stuck
    except ValueError as error:  # a square beyond column Z has no name
        trouble = Stuck("This cannot be read out.", f"{str(error).capitalize()}.")
    if trouble is not None:
        there, said = here, str(trouble)
    note = note_of(trouble=trouble, found=report.found, printed=report.printed.lines())
    return {"kind": "read", "square": there, "said": said, "note": note}


def _read(match: Match, what: str, square: Square, empty: str) -> str:
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


def failure_message(error: BaseException) -> dict[str, Any]:
    """Return the answer if there is no other: what happened, and that one can play on."""
    reason = f"{type(error).__name__}: {message_of(error)}".rstrip(": ")
    text = f"{reason}. Play on; if it happens again, run the cell of the board again."
    trouble = Stuck("The board could not do that.", text)
    return {"kind": "note", "note": note_of(trouble=trouble), "said": str(trouble)}


def sendable(value: Any) -> Any:
    """Return a value as a browser can receive it: lists for tuples, and text that can be encoded.

    >>> sendable({"said": "half a letter: \\ud83d", "square": (0, 1)})
    {'said': 'half a letter: ?', 'square': [0, 1]}
    """
    if isinstance(value, dict):
        return {name: sendable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [sendable(each) for each in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return value
