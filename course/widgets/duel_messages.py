"""Messages from a duel to the browser: how it stands, what was played and said, as plain data."""

from collections.abc import Sequence
from typing import Any

from course.playing.phases import Reason
from course.playing.seat import Ply, Seat
from course.rules import duel as rules
from course.rules.speech import name_square

NUMBERS = {1: "first", -1: "second"}
AHEAD = 5  # public numbers that are shown, that of this round first


def state_of(seat: Seat) -> dict[str, Any]:
    """Return the state of a duel: the board, who is asked for what, and what comes next."""
    duel = seat.duel
    return {
        "board": duel.board,
        "player": duel.player,
        "phase": duel.phase,
        "asked": seat.is_asked,
        "both": seat.plays_both,
        "mine": seat.player,
        "legal": list(duel.legal) if seat.is_asked else [],
        "home": _home(seat),
        "previews": seat.previews(),
        "round": min(duel.round + 1, duel.rounds),
        "rounds": duel.rounds,
        "numbers": duel.numbers[duel.round :][:AHEAD],
        "tiles": {str(player): _tiles(duel.board, player) for player in rules.PLAYERS},
        "over": duel.is_over,
        "winner": duel.winner,
        "end": end_of(seat),
        "note": seat.note,
        "task": task_of(seat),
    }


def turn_message(seat: Seat, steps: Sequence[Ply]) -> dict[str, Any]:
    """Return a message on what was played since the person was asked, and on what to do now.

    All of it is said in one go.
    """
    played = [
        {
            "player": step.player,
            "board": step.after,
            "motion": step.motion.as_json() if step.answer is not None else None,
            "spawned": [step.answer] if step.phase == "place" and step.answer else [],
        }
        for step in steps
    ]
    said = " ".join([*(_said(seat, step) for step in steps), _trouble(seat), task_of(seat)])
    return {
        "kind": "turn",
        "state": state_of(seat),
        "steps": played,
        "said": " ".join(said.split()),
    }


def read_message(seat: Seat, what: str, square: tuple[int, int]) -> dict[str, Any]:
    """Return a message that reads something out: a square after a step, or `"status"`."""
    if what == "status":
        return {"kind": "read", "said": status_of(seat)}
    row, column = _stepped(square, what)
    return {"kind": "read", "square": (row, column), "said": square_of(seat, (row, column))}


def status_of(seat: Seat) -> str:
    """Return the round, the leader, and what the person has to do, in words."""
    duel = seat.duel
    ahead = rules.leader(duel.board)
    leads = f"The {NUMBERS[ahead]} player leads." if ahead else "Nobody leads."
    return f"Round {min(duel.round + 1, duel.rounds)} of {duel.rounds}. {leads} {task_of(seat)}"


def square_of(seat: Seat, square: tuple[int, int]) -> str:
    """Return a square in words: its tile or its territory, and if it may be filled.

    A tile is said by its size and its player: "B2, 4, yours".
    """
    duel, name = seat.duel, name_square(*square)
    tile = duel.board[square[0]][square[1]]
    if tile:
        return f"{name}, {abs(tile)}, {_whose(seat, 1 if tile > 0 else -1)}"
    can = ", you may place here" if seat.is_asked and square in duel.legal else ""
    return f"{name}, empty, {_at_home(seat, rules.territory(square))}{can}"


def task_of(seat: Seat) -> str:
    """Return a sentence on what the person has to do now."""
    duel = seat.duel
    if duel.is_over:
        return end_of(seat)
    who = f"{NUMBERS[duel.player].capitalize()} player: " if seat.plays_both else ""
    if duel.phase == "push":
        return _sentence(f"{who}push {_listed(list(map(str, duel.legal)), 'or')}.")
    home = _home(seat)
    where = f": on {name_square(*home)} at home, or" if home else ""
    return _sentence(f"{who}place a 2{where} anywhere in the other half.")


def end_of(seat: Seat) -> str:
    """Return a sentence on how a duel has ended; empty if it is not over."""
    duel = seat.duel
    if duel.reason is None:
        return ""
    how = "" if duel.reason == Reason.TILES else f" {duel.reason.capitalize()}: {duel.detail}."
    if duel.winner == 0:
        return f"The duel is over. Nobody wins.{how}"
    if seat.plays_both:
        return f"The duel is over. The {NUMBERS[duel.winner or 1]} player wins.{how}"
    return f"The duel is over. {'You win' if duel.winner == seat.player else 'You lose'}.{how}"


def _said(seat: Seat, step: Ply) -> str:
    you = step.player == seat.player and not seat.plays_both
    who = "You" if you else f"The {NUMBERS[step.player]} player"
    if step.answer is None:
        return f"{who} could not {step.phase}."
    if isinstance(step.answer, str):
        eaten = _count(step.before, -step.player) - _count(step.after, -step.player)
        more = f" and ate {eaten} of the other tiles" if eaten else ""
        return f"{who} pushed {step.answer}{more}."
    return f"{who} placed a 2 on {name_square(*step.answer)}."


def _trouble(seat: Seat) -> str:
    """Return the title of the note, or nothing without one; the note itself can be read in full."""
    note = seat.note
    return f"{note['title'].rstrip('.')}." if note is not None else ""


def _home(seat: Seat) -> tuple[int, int] | None:
    duel = seat.duel
    if duel.is_over or duel.phase != "place":
        return None
    return rules.own_square(duel.board, duel.player, duel.numbers[duel.round])


def _stepped(square: tuple[int, int], direction: str) -> tuple[int, int]:
    row, column = square
    down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[direction]
    return min(max(row + down, 0), rules.HEIGHT - 1), min(max(column + right, 0), rules.WIDTH - 1)


def _tiles(board: list[list[int]], player: int) -> list[int]:
    """Return the sizes of a player's tiles, the largest first."""
    return sorted((abs(t) for row in board for t in row if t * player > 0), reverse=True)


def _count(board: list[list[int]], player: int) -> int:
    return len(_tiles(board, player))


def _whose(seat: Seat, player: int) -> str:
    if seat.plays_both:
        return f"of the {NUMBERS[player]} player"
    return "yours" if player == seat.player else "the opponent's"


def _at_home(seat: Seat, player: int) -> str:
    return f"territory {_whose(seat, player)}" if seat.plays_both else f"{_whose(seat, player)}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _listed(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
