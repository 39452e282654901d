"""The live board: keys, buttons and swipes come in as messages, turns go out as messages.

Moves are messages and not traits, because traits are throttled: of a burst of keys most would be
lost. The trait `state` is what a new view, or a page loaded anew, starts from.
"""

from copy import deepcopy
from typing import Any
from uuid import uuid4

import anywidget
import traitlets

from course.playing.match import Match
from course.rules import DIRECTIONS, Board
from course.widgets import messages, picture
from course.widgets.mainthread import MainThread
from course.widgets.picture import board_html, show


class BoardWidget(anywidget.AnyWidget):
    """A board to play on in the notebook.

    Takes the match it shows, and `keys`: `"eye"` or `"ear"`, or `None` for what was chosen last in
    this browser. `empty` is the word for an empty square.
    """

    _esm = picture.read("board.js")
    _css = picture.read("board.css")
    state: Any = traitlets.Dict().tag(sync=True)
    scheme = traitlets.Unicode("").tag(sync=True)
    is_new = traitlets.Bool(True).tag(sync=True)
    saved_id = traitlets.Unicode("").tag(sync=True)

    def __init__(self, match: Match, keys: str | None = None, empty: str = "zero") -> None:
        self.match = match
        self.empty = empty
        self.main_thread = MainThread()
        state = messages.sendable(messages.state_of(match, match.opening))
        super().__init__(scheme=keys or "", saved_id=uuid4().hex, state=state)
        self.on_msg(self._receive)

    @property
    def board(self) -> Board:
        """A copy of the board as it is now."""
        return deepcopy(self.match.board)

    @property
    def history(self) -> list[Board]:
        """Copies of the boards of this match, from the first to the one that is shown now."""
        return deepcopy(self.match.history)

    @property
    def scores(self) -> list[int]:
        """The score that each board of the match had."""
        return self.match.scores

    def __repr__(self) -> str:
        return f"<board {self.match.board}, score {self.match.score}, {self.match.moves} moves>"

    def _ipython_display_(self) -> None:
        show(self, board_html(self.match.board), "Run this cell to play.")

    def _should_send_property(self, key: str, value: Any) -> bool:
        """Return false for the state: it is sent with the answer to a move, and not twice."""
        return key != "state" and bool(super()._should_send_property(key, value))

    def _receive(self, _: Any, content: Any, buffers: Any) -> None:
        self.main_thread.run(lambda: self._reply(content))

    def _reply(self, content: Any) -> None:
        """Answer one message of a view with one message, whatever happens."""
        try:
            self._post(content, self._answer(content))
        except KeyboardInterrupt:  # the stop button, a moment too late for the learner's code
            self._post(content, messages.DROPPED)
        except BaseException as error:  # an unanswered board would wait for ever
            self._post(content, messages.failure_message(error))

    def _answer(self, content: dict[str, Any]) -> dict[str, Any]:
        match content.get("do"), content.get("direction"):
            case "move", direction if direction in DIRECTIONS:
                turn = self.match.move(direction)
            case "undo", _:
                turn = self.match.undo()
            case "continue", _:
                turn = self.match.continue_()
            case "decline", _:
                turn = self.match.decline()
            case "new", _:
                turn = self.match.start()
            case "read", _:
                row, column = content["square"]
                return messages.read_message(self.match, content["what"], (row, column), self.empty)
            case _:
                return messages.DROPPED
        return messages.turn_message(self.match, turn)

    def _post(self, content: Any, answer: dict[str, Any]) -> None:
        answer = messages.sendable(answer)
        view = content.get("view") if isinstance(content, dict) else None
        self.send({**answer, "view": view})
        self.state = answer.get("state", self.state)
