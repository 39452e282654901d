"""`replay(game)`: a slider over all boards of a game."""

from collections.abc import Iterable
from copy import deepcopy
from itertools import pairwise
from typing import Any

import traitlets

from course import rules
from course.plain_errors import plainly
from course.playing.board_notes import Note, Report
from course.playing.game_implementations import Functions, OwnGame, Player, State
from course.playing.game_in_progress import Match
from course.playing.game_simulation import HABIT
from course.playing.learner_calls import Stuck
from course.playing.motion import board_motion, differing, is_unlike
from course.refusal import Refusal
from course.rules import DIRECTIONS, Board
from course.rules.board import is_board
from course.widgets.live_board import BoardWidget
from course.widgets.live_widget import DROPPED, LiveWidget
from course.widgets.static_html import board_html, read, show

MOST_MOVES = 5000
MOST_MOTIONS = 400


class ReplayWidget(LiveWidget):
    """A game that was played, to look through: back, forward, play, and a slider.

    A frame is one board of the game, with its score. If the learner chooses to play on from a
    frame, a live `board` starts below the replay. `player` is an object that plays this new game
    with the functions and rules of the old one. `below` is the id by which the notebook finds the
    live board, to draw it.
    """

    _esm = read("replay.js")
    _css = read("widgets.css")
    frames: Any = traitlets.List().tag(sync=True)
    note: Any = traitlets.Dict(allow_none=True).tag(sync=True)
    below = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, frames: list[dict[str, Any]], player: Player, note: Note | None = None
    ) -> None:
        self.player = player
        self.board: BoardWidget | None = None
        super().__init__(frames=frames, note=note)

    def _answer(self, content: Any) -> dict[str, Any]:
        at = content.get("at")
        if at is None:
            return DROPPED
        frame = self.frames[at]
        state = State(deepcopy(frame["board"]), score=frame["score"] or 0, moves=at)
        try:
            self.board = BoardWidget(Match(self.player.starting_at(state)))
        except Stuck as stuck:
            return {"kind": "note", "note": Report().note(stuck)}
        self.below = self.board.model_id or ""
        return {"kind": "playing"}

    def __repr__(self) -> str:
        return f"<replay of {len(self.frames) - 1} moves>"

    def _ipython_display_(self) -> None:
        last = self.frames[-1]["board"]
        show(self, board_html(last), f"{self!r} Run this cell to look through it.")


@plainly
def replay(game: Any) -> ReplayWidget:
    """Show a whole game in a slider.

    `game` is a board that was played on, a list of boards, or a game. If the game has a `history`
    (a list of boards), you see these boards. Any other game is copied, and the copy is played on to
    its end: each move is the first of left, down, right and up that moves a tile. Raise `Refusal`
    if `game` is anything else.
    """
    boards = game if isinstance(game, list) else getattr(game, "history", None)
    if isinstance(boards, list | tuple) and boards and all(map(is_board, boards)):
        scores = getattr(game, "scores", None)
        if not isinstance(scores, list) or len(scores) != len(boards):
            scores = [None] * len(boards)
        player: Player = Functions({})  # for a list of boards, or a history without a game
        if isinstance(game, BoardWidget):
            player = game.match.player
        elif not isinstance(game, list) and hasattr(game, "move") and hasattr(game, "board"):
            player = OwnGame(game)
        return ReplayWidget(_frames(zip(boards, scores, strict=True)), player)
    if not hasattr(game, "move"):
        raise Refusal("replay() needs a game, a board that was played on, or a list of boards")
    match = Match(OwnGame(deepcopy(game)))
    turn, before = match.opening, None
    while turn.trouble is None and match.board != before and len(match.history) <= MOST_MOVES:
        before = match.board
        for direction in HABIT:
            turn = match.move(direction)
            if turn.trouble is not None or match.board != before:
                break
    note = turn.note if turn.trouble is not None else None
    frames = _frames(zip(match.history, match.scores, strict=True))
    return ReplayWidget(frames, match.player, note)


def _frames(scored: Iterable[tuple[Board, int | None]]) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = [{"board": board, "score": score} for board, score in scored]
    for index, (before, frame) in enumerate(pairwise(frames), start=1):
        frame["direction"] = direction = _direction(before["board"], frame["board"])
        if direction and len(frames) - index <= MOST_MOTIONS:
            slid = rules.slide(before["board"], direction)
            frame["motion"] = board_motion(before["board"], slid, direction).as_json()
            frame["spawned"] = [list(square) for square in differing(slid, frame["board"])]
    return frames


def _direction(before: Board, after: Board) -> str | None:
    """Return the direction of a move that leads from `before` to `after`; `None` if none does.

    A move is a slide that changes the board, and one new tile.

    >>> _direction([[0, 2, 2]], [[4, 0, 2]])
    'left'
    """
    if len(before) != len(after) or len(before[0]) != len(after[0]):
        return None
    for direction in DIRECTIONS:
        slid = rules.slide(before, direction)
        if slid != before and not is_unlike(slid, after) and len(differing(slid, after)) == 1:
            return direction
    return None
