"""`play_duel(...)`: the duel on a live board, with the learner's functions and agents."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any
from uuid import uuid4

import anywidget
import traitlets

from course.plainly import plainly
from course.playing import GreedyAgent, LookAheadAgent, RandomAgent
from course.playing.calls import latest, shown
from course.playing.seat import PIECES, Seat
from course.refusal import Refusal
from course.rules import Board
from course.widgets import duel_messages, messages, picture
from course.widgets.mainthread import MainThread
from course.widgets.picture import board_html, show

OPPONENTS: dict[str, Callable[[], Any]] = {
    "chance": RandomAgent,
    "greedy": GreedyAgent,
    "ahead": LookAheadAgent,
}
ROUNDS = 100
MOST_ROUNDS = 500


class DuelWidget(anywidget.AnyWidget):
    """A duel to play in the notebook. Takes the seat of the person who plays, and `keys`."""

    _esm = picture.read("duel.js")
    _css = picture.read("duel.css")
    state: Any = traitlets.Dict().tag(sync=True)
    scheme = traitlets.Unicode("").tag(sync=True)
    is_new = traitlets.Bool(True).tag(sync=True)
    saved_id = traitlets.Unicode("").tag(sync=True)

    def __init__(self, seat: Seat, keys: str | None = None) -> None:
        self.seat = seat
        self.main_thread = MainThread()
        state = messages.sendable(duel_messages.state_of(seat))
        super().__init__(scheme=keys or "", saved_id=uuid4().hex, state=state)
        self.on_msg(self._receive)

    @property
    def board(self) -> Board:
        """A copy of the board as it is now."""
        return deepcopy(self.seat.duel.board)

    def __repr__(self) -> str:
        duel = self.seat.duel
        return f"<duel {duel.board}, round {duel.round} of {duel.rounds}>"

    def _ipython_display_(self) -> None:
        show(self, board_html(self.board), "Run this cell to play.")

    def _receive(self, _: Any, content: Any, buffers: Any) -> None:
        self.main_thread.run(lambda: self._reply(content))

    def _reply(self, content: Any) -> None:
        """Answer one message of a view with one message, whatever happens."""
        try:
            self._post(content, self._answer(content))
        except KeyboardInterrupt:
            self._post(content, messages.DROPPED)
        except BaseException as error:  # an unanswered board would wait for ever
            self._post(content, messages.failure_message(error))

    def _answer(self, content: dict[str, Any]) -> dict[str, Any]:
        match content.get("do"):
            case "answer" if self.seat.is_asked:
                given = content.get("answer")
                answer = tuple(given) if isinstance(given, list) else given
                return duel_messages.turn_message(self.seat, self.seat.answer(answer))
            case "new":
                return duel_messages.turn_message(self.seat, self.seat.start())
            case "read":
                row, column = content["square"]
                return duel_messages.read_message(self.seat, content["what"], (row, column))
            case _:
                return messages.DROPPED

    def _post(self, content: Any, answer: dict[str, Any]) -> None:
        answer = messages.sendable(answer)
        view = content.get("view") if isinstance(content, dict) else None
        self.send({**answer, "view": view})
        self.state = answer.get("state", self.state)


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
    Returns the board, which shows itself at the end of a cell. Raises `Refusal` for anything that
    it does not know.
    """
    if nameless:
        name = getattr(nameless[0], "__name__", "push")
        name = "against" if isinstance(nameless[0], type) else name
        given = getattr(nameless[0], "__name__", "push")
        raise Refusal(f"play_duel() needs to know what is what: write play_duel({name}={given})")
    for name, piece in pieces.items():
        if name not in PIECES:
            known = ", ".join(PIECES)
            raise Refusal(f"play_duel() does not know {name!r}. It knows {known} and against.")
        if not callable(piece):
            raise Refusal(f"{name} must be a function, and this is {type(piece).__name__}")
    if player not in (1, -1):
        raise Refusal(f"player must be 1 or -1, and not {shown(player)}")
    if type(rounds) is not int or not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal(f"rounds must be a number from 1 to {MOST_ROUNDS}, and not {shown(rounds)}")
    if keys is not None and keys not in ("eye", "ear"):
        raise Refusal(f"keys={keys!r} is not one of 'eye', 'ear'")
    agents = {} if against == "myself" else {-player: _maker(against)}
    return DuelWidget(Seat(agents, pieces, rounds, seed), keys)


def _maker(against: Any) -> Callable[[], Any]:
    """Return a function that makes a new opponent for each duel.

    For a class of the notebook, it uses the newest version of the class.
    """
    if isinstance(against, str) and against in OPPONENTS:
        return OPPONENTS[against]
    if isinstance(against, type):
        newest = latest(against)
        return lambda: newest()()
    known = ", ".join(map(repr, [*OPPONENTS, "myself"]))
    raise Refusal(f"against must be one of {known}, or a class such as Agent")
