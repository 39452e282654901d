"""`play_duel(...)`: the duel on a live board, with the learner's functions and agents.

A duel is a game of two players, and an agent a program that plays it.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from course.plain_errors import plainly
from course.playing import OPPONENTS
from course.playing.duel_against_agent import Ply, Seat
from course.playing.duel_engine import Reason
from course.playing.learner_calls import latest, shown
from course.playing.pieces import DUEL
from course.refusal import Refusal
from course.rules import Board
from course.rules import duel as rules
from course.rules.speech import move_cursor, name_square
from course.widgets.live_widget import DROPPED, LiveBoard, check_arguments
from course.widgets.static_html import read

ROUNDS = 100
MOST_ROUNDS = 500
NUMBERS = {1: "first", -1: "second"}
AHEAD = 5  # public numbers that a board shows, beginning with the one of this round


class DuelWidget(LiveBoard):
    """The board of a duel; its `game` is a `Seat`, which has the duel and the person's side."""

    _esm = read("duel.js")
    _css = read("duel.css")

    kind = "duel"

    def __init__(self, seat: Seat, keys: str | None = None) -> None:
        super().__init__(seat, state_of(seat), keys)

    @property
    def board(self) -> Board:
        """A copy of the board as it is now."""
        board: Board = deepcopy(self.game.duel.board)
        return board

    def __repr__(self) -> str:
        duel = self.game.duel
        return f"<duel {duel.board}, round {duel.round} of {duel.rounds}>"

    def _answer(self, content: dict[str, Any]) -> dict[str, Any]:
        match content.get("do"):
            case "answer" if self.game.is_asked:
                given = content.get("answer")
                answer = tuple(given) if isinstance(given, list) else given
                return turn_message(self.game, self.game.answer(answer))
            case "new":
                return turn_message(self.game, self.game.start())
            case "back" if self.other is not None:
                self._go_back()
                said = f"The duel before. {status_of(self.game)}"
                return {**turn_message(self.game, []), "said": said}
            case "read":
                row, column = content["square"]
                if content["what"] == "status":
                    return {"kind": "read", "said": status_of(self.game)}
                there = move_cursor(self.board, (row, column), content["what"])
                return {"kind": "read", "square": there, "said": square_of(self.game, there)}
            case _:
                return DROPPED

    def _moves(self, game: Seat) -> int:
        return game.moves


@plainly
def play_duel(
    *nameless: Any,
    against: Any = "chance",
    player: int = 1,
    rounds: int = ROUNDS,
    seed: int | None = None,
    keys: str | None = None,
    **pieces: Any,
) -> DuelWidget:
    """Play a duel: `play_duel()`, `play_duel(push=push)`, `play_duel(against=Agent)`.

    `against` is `"chance"`, `"greedy"`, `"ahead"` (it looks ahead), `"myself"` to play both sides
    by hand, or a class with the methods `place` and `push`. `player` is the side that you play by
    hand, 1 or -1. Give your functions by the names of the course; the course's own do the rest.
    Return the board, which shows itself at the end of a cell. Raise `Refusal` for an unknown
    name, and for an impossible value.
    """
    check_arguments("play_duel", (*DUEL, "against"), nameless, pieces, keys)
    if player not in (1, -1):
        raise Refusal(f"player must be 1 or -1, and not {shown(player)}")
    if type(rounds) is not int or not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal(f"rounds must be a number from 1 to {MOST_ROUNDS}, and not {shown(rounds)}")
    agents: dict[int, Callable[[], Any]] = {}  # they make a new opponent for each duel
    if isinstance(against, str) and against in OPPONENTS:
        agents[-player] = OPPONENTS[against]
    elif isinstance(against, type):
        newest = latest(against)  # returns the new class if its cell is run again
        agents[-player] = lambda: newest()()
    elif against != "myself":
        known = ", ".join(map(repr, [*OPPONENTS, "myself"]))
        raise Refusal(f"against must be one of {known}, or a class such as Agent")
    return DuelWidget(Seat(agents, pieces, rounds, seed), keys).after_earlier_run()


def state_of(seat: Seat) -> dict[str, Any]:
    """Return the state of a duel as its views need it, such as the board and the legal answers."""
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
        "note": seat.note,
        "task": task_of(seat),
    }


def turn_message(seat: Seat, steps: Sequence[Ply]) -> dict[str, Any]:
    """Return a message on the phases that were played, `steps`, and on what comes next."""
    played = [
        {
            "player": step.player,
            "board": step.after,
            "motion": step.motion.as_json() if step.answer is not None else None,
            "spawned": [step.answer] if step.phase == "place" and step.answer else [],
        }
        for step in steps
    ]
    # Only the title of a note is read aloud, as a sentence. The page shows the whole note.
    trouble = [f"{seat.note['title'].rstrip('.')}."] if seat.note is not None else []
    said = " ".join([*(_said(seat, step) for step in steps), *trouble, task_of(seat)])
    return {
        "kind": "turn",
        "state": state_of(seat),
        "steps": played,
        "said": " ".join(said.split()),
    }


def status_of(seat: Seat) -> str:
    """Return sentences on the round, on the leader, and on what the person has to do."""
    duel = seat.duel
    ahead = rules.leader(duel.board)
    leads = f"The {NUMBERS[ahead]} player leads." if ahead else "Nobody leads."
    return f"Round {min(duel.round + 1, duel.rounds)} of {duel.rounds}. {leads} {task_of(seat)}"


def square_of(seat: Seat, square: tuple[int, int]) -> str:
    """Return a square in words, such as "B2, 4, yours"; if a tile may be placed there, say so."""
    duel, name = seat.duel, name_square(*square)
    tile = duel.board[square[0]][square[1]]
    if tile:
        return f"{name}, {abs(tile)}, {_owner(seat, 1 if tile > 0 else -1)}"
    can = ", you may place here" if seat.is_asked and square in duel.legal else ""
    territory = "territory " if seat.plays_both else ""
    return f"{name}, empty, {territory}{_owner(seat, rules.territory(square))}{can}"


def task_of(seat: Seat) -> str:
    """Return a sentence on what the person has to do now, or on how the duel has ended."""
    duel = seat.duel
    if duel.reason is not None:
        why = f" {duel.reason.capitalize()}: {duel.detail.rstrip('.')}."
        how = "" if duel.reason == Reason.TILES else why
        who = "You win" if duel.winner == seat.player else "You lose"
        if duel.winner == 0:
            who = "Nobody wins"
        elif seat.plays_both:
            who = f"The {NUMBERS[duel.winner or 1]} player wins"
        return f"The duel is over. {who}.{how}"
    who = f"{NUMBERS[duel.player].capitalize()} player: " if seat.plays_both else ""
    if duel.phase == "push":
        *others, last = map(str, duel.legal)
        task = f"{who}push {', '.join(others)} or {last}." if others else f"{who}push {last}."
    else:
        home = _home(seat)
        where = f": on {name_square(*home)} at home, or" if home else ""
        task = f"{who}place a 2{where} anywhere in the other half."
    return task[0].upper() + task[1:]


def _said(seat: Seat, step: Ply) -> str:
    you = step.player == seat.player and not seat.plays_both
    who = "You" if you else f"The {NUMBERS[step.player]} player"
    if step.answer is None:
        return f"{who} could not {step.phase}."
    if isinstance(step.answer, str):
        eaten = len(_tiles(step.before, -step.player)) - len(_tiles(step.after, -step.player))
        more = f" and ate {eaten} of the other tiles" if eaten else ""
        return f"{who} pushed {step.answer}{more}."
    return f"{who} placed a 2 on {name_square(*step.answer)}."


def _home(seat: Seat) -> tuple[int, int] | None:
    duel = seat.duel
    if duel.is_over or duel.phase != "place":
        return None
    return rules.own_square(duel.board, duel.player, duel.numbers[duel.round])


def _tiles(board: list[list[int]], player: int) -> list[int]:
    return sorted((abs(t) for row in board for t in row if t * player > 0), reverse=True)


def _owner(seat: Seat, player: int) -> str:
    if seat.plays_both:
        return f"of the {NUMBERS[player]} player"
    return "yours" if player == seat.player else "the opponent's"
