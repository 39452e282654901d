"""The live board: keys, buttons and swipes come in as messages, turns go out as messages.

Moves are messages and not traits, because traits are throttled: of a burst of keys most would be
lost. The trait `state` is what a new view, or a page loaded anew, starts from.
"""

from typing import Any
from uuid import uuid4

import anywidget
import traitlets

from course.match.calls import Stuck
from course.match.match import Match, Turn
from course.match.pieces import Report
from course.rules import DIRECTIONS, Board
from course.widgets.assets import read
from course.widgets.mainthread import MainThread
from course.widgets.picture import board_html
from course.widgets.saved import show

SHOWN_FAULTS = 3


class BoardWidget(anywidget.AnyWidget):
    """A board to play on in the notebook.

    Takes the match it shows, and `keys`: `"eye"` or `"ear"`, or `None` for what was chosen last in
    this browser. `empty` is the word for an empty square.
    """

    _esm = read("board.js")
    _css = read("board.css")
    state: Any = traitlets.Dict().tag(sync=True)
    scheme = traitlets.Unicode("").tag(sync=True)
    saved_id = traitlets.Unicode("").tag(sync=True)

    def __init__(self, match: Match, keys: str | None = None, empty: str = "zero") -> None:
        self.match = match
        self.empty = empty
        self.main_thread = MainThread()
        super().__init__(scheme=keys or "", saved_id=uuid4().hex, state=self._state(match.opening))
        self.on_msg(self._receive)

    @property
    def board(self) -> Board:
        """The board as it stands."""
        return self.match.board

    @property
    def history(self) -> list[Board]:
        """The boards of this match, from the first to the one that stands."""
        return self.match.history

    @property
    def scores(self) -> list[int]:
        """The score that each board of the match had."""
        return self.match.scores

    def __repr__(self) -> str:
        return f"<board {self.match.board}, score {self.match.score}, {self.match.moves} moves>"

    def _ipython_display_(self) -> None:
        show(self, board_html(self.match.board), "Run this cell to play.")

    def _should_send_property(self, key: str, value: Any) -> bool:
        """The state travels with the answer to a move; sent as a trait it would travel twice."""
        return key != "state" and bool(super()._should_send_property(key, value))

    def _receive(self, _: Any, content: Any, buffers: Any) -> None:
        self.main_thread.run(lambda: self._reply(content))

    def _reply(self, content: dict[str, Any]) -> None:
        """One message of a view is answered by one message, whatever happens."""
        try:
            answer = self._answer(content)
        except KeyboardInterrupt:  # the stop button, a moment too late for the learner's code
            answer = {"kind": "dropped"}
        self.send({**answer, "view": content.get("view")})

    def _answer(self, content: dict[str, Any]) -> dict[str, Any]:
        match content.get("do"), content.get("direction"):
            case "move", direction if direction in DIRECTIONS:
                return self._turn(self.match.move(direction))
            case "undo", _:
                return self._turn(self.match.undo())
            case "continue", _:
                return self._turn(self.match.continue_())
            case "new", _:
                return self._turn(self.match.start())
            case "read", _:
                return self._read(content)
        return {"kind": "dropped"}

    def _turn(self, turn: Turn) -> dict[str, Any]:
        self.state = self._state(turn)
        return {
            "kind": "turn",
            "state": self.state,
            "motion": turn.motion.as_json(),
            "spawned": [list(square) for square in turn.spawned],
            "gained": turn.gained,
            "celebrate": turn.won,
            "stopped": turn.trouble is not None and turn.trouble.stopped,
            "said": turn.said,
        }

    def _read(self, content: dict[str, Any]) -> dict[str, Any]:
        """Something is read out: a square, a row, a column, or the score."""
        report = self.match.pieces.report = Report()
        try:
            square, said = self._said(content)
        except Stuck as trouble:
            turn = Turn(trouble=trouble, printed=report.printed.lines())
            return {"kind": "note", "note": _note(turn), "said": str(trouble)}
        turn = Turn(faults=report.faults, printed=report.printed.lines())
        return {"kind": "read", "square": square, "said": said, "note": _note(turn)}

    def _said(self, content: dict[str, Any]) -> tuple[list[int], str]:
        play, match = self.match.pieces.play, self.match
        row, column = content["square"]
        options = {"empty": self.empty} if self.empty != "zero" else {}
        if content["what"] == "status":
            return [row, column], play["announce_status"](match.score, match.moves)
        if content["what"] == "row":
            return [row, column], play["announce_line"](match.board, row=row, **options)
        if content["what"] == "column":
            return [row, column], play["announce_line"](match.board, column=column, **options)
        if content["what"] in DIRECTIONS:
            row, column = play["move_cursor"](match.board, (row, column), content["what"])
        return [row, column], play["announce_square"](match.board, row, column, **options)

    def _state(self, turn: Turn) -> dict[str, Any]:
        match = self.match
        return {
            "board": match.board,
            "score": match.score,
            "moves": match.moves,
            "over": match.is_over,
            "won": match.has_won,
            "fair": match.fair,
            "goal": match.goal,
            "canUndo": match.can_undo,
            "canContinue": match.can_continue,
            "marks": [list(square) for square in turn.marks],
            "note": _note(turn),
        }


def _note(turn: Turn) -> dict[str, Any] | None:
    """What is written beside the board, as texts; `None` where there is nothing to say."""
    note: dict[str, Any] = {"printed": turn.printed, "lines": [], "code": "", "hint": ""}
    if turn.trouble is not None:
        note |= {"kind": "stuck", "title": turn.trouble.title, "lines": [turn.trouble.text]}
        note["code"] = turn.trouble.code
    elif turn.faults:
        more = len(turn.faults) - SHOWN_FAULTS
        rest = [f"… and {more} more."] if more > 0 else []
        note |= {"kind": "wrong", "title": "Not by the rules"}
        note["lines"] = turn.faults[:SHOWN_FAULTS] + rest
    elif turn.printed:
        note |= {"kind": "printed", "title": "Your code printed"}
    else:
        return None
    if turn.diagnosis is not None:
        note["hint"] = turn.diagnosis.nudge
    return note
