"""Messages to the browser: turns, readings and failures, as plain data that can be sent."""

from typing import Any

from course.playing.calls import Stuck, message_of
from course.playing.match import Match
from course.playing.note import note_of, turn_note, won_note
from course.playing.player import Player
from course.playing.reading import Reading
from course.playing.turn import Turn

DROPPED = {"kind": "dropped"}


def state_of(match: Match, turn: Turn) -> dict[str, Any]:
    """Return the state of a match after a turn, with the note beside its board."""
    state = turn.after
    has_tile = max(map(max, state.board)) >= match.player.goal
    by_points = match.player.is_special and state.has_won and not has_tile
    won = won_note(state.score) if by_points and not state.is_over else None
    return {
        "board": state.board,
        "score": state.score,
        "moves": state.moves,
        "over": state.is_over,
        "won": state.has_won,
        "rules": f"{_rules(match.player)}-{match.player.goal}",
        "counts": state.is_fair and not match.player.is_prepared,
        "goal": state.score if by_points else match.player.goal,
        "canUndo": match.can_undo,
        "canContinue": state.can_continue,
        "marks": turn.marks,
        "note": turn_note(turn) or won,
    }


def _rules(player: Player) -> str:
    """Return the name of the rules; a best game by other rules is not a best game by these."""
    if not player.merges:
        return "sliding"
    return "special" if player.is_special else "classic"


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


def read_message(reading: Reading) -> dict[str, Any]:
    """Return a message on something that was read out."""
    return {
        "kind": "read",
        "square": reading.square,
        "said": reading.said,
        "note": reading.note,
    }


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
