"""`play(...)`: a live board that runs the learner's functions, and the course's for the rest."""

from copy import deepcopy
from random import Random
from typing import Any

from course.plain_errors import plainly
from course.playing.board_notes import Report, won_note
from course.playing.game_implementations import Functions, OwnGame, Player
from course.playing.game_in_progress import OFFER, Match, Turn
from course.playing.learner_calls import Stuck, shown
from course.playing.pieces import WANTED, check_board, check_size, is_count
from course.refusal import Refusal
from course.rules import DIRECTIONS, Board, Square, announce_status
from course.widgets.live_widget import DROPPED, LiveBoard, check_arguments
from course.widgets.static_html import read


class BoardWidget(LiveBoard):
    """The board of a match (a game in progress); `empty` is read aloud for an empty square."""

    _esm = read("board.js")
    _css = read("board.css")

    def __init__(self, match: Match, keys: str | None = None, empty: str = "zero") -> None:
        self.empty = empty
        super().__init__(match, state_of(match, match.opening), keys)

    @property
    def match(self) -> Match:
        """The match that the board shows now."""
        match: Match = self.game
        return match

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
        """The scores of this match, one for each board of `history`."""
        return self.match.scores

    def __repr__(self) -> str:
        state = self.match.state
        return f"<board {state.board}, score {state.score}, {state.moves} moves>"

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
            case "back", _ if self.other is not None:
                self._go_back()
                status = announce_status(self.match.state.score, self.match.state.moves)
                turn = Turn(self.match.state, f"The game before. {status}.")
            case "read", _:
                row, column = content["square"]
                return read_message(self.match, content["what"], (row, column), self.empty)
            case _:
                return DROPPED
        return {
            "kind": "turn",
            "state": state_of(self.match, turn),
            "motion": turn.motion.as_json(),
            "spawned": turn.spawned,
            "gained": turn.gained,
            "celebrate": turn.won,
            "stopped": turn.trouble is not None and turn.trouble.stopped,
            "said": turn.aloud,
        }

    def _moves(self, game: Match) -> int:
        return game.state.moves if game.can_undo else 0


@plainly
def play(
    *nameless: Any,
    height: int = 4,
    width: int = 4,
    board: Board | None = None,
    score: int = 0,
    seed: int | None = None,
    p_four: float = 0.1,
    goal: int = 2048,
    keys: str | None = None,
    empty: str = "zero",
    **pieces: Any,
) -> BoardWidget:
    """Show a board to play on: `play()`, `play(merge=merge)`, `play(game=Game())`.

    Pass your functions by the names of the course, or `game`, an object of your own class; the
    course's own functions do the rest. With `second_chance`, `has_won_special` or a `SpecialGame`,
    you play by the special rules.

    `board` and `score` are the start; without a board, you start with two tiles on height × width
    squares. With the same `seed`, chance repeats itself. `keys` is `"eye"` or `"ear"`: keys to play
    by sight, or by ear. `empty` is the word that is read aloud for an empty square.

    Return the board, which shows itself at the end of a cell. Raise `Refusal` for an unknown
    name, and for an impossible value.
    """
    game = pieces.pop("game", None)
    check_arguments("play", (*WANTED, "game"), nameless, pieces, keys)
    check_size(height, width)
    if board is not None:
        check_board(board)
    if not is_count(score):
        raise Refusal(f"score must be a whole number, and not {shown(score)}")
    player: Player
    if game is not None:
        player = OwnGame(game, pieces, goal=goal)
    else:
        rng = None if seed is None else Random(seed)
        start: dict[str, Any] = {"board": board, "score": score, "height": height, "width": width}
        player = Functions(pieces, **start, rng=rng, p_four=p_four, goal=goal)
    return BoardWidget(Match(player), keys, empty).after_earlier_run()


def state_of(match: Match, turn: Turn) -> dict[str, Any]:
    """Return the data that the views of a board show after a turn: the state, marks, and a note."""
    state, player = turn.after, match.player
    has_tile = max(map(max, state.board)) >= player.goal
    by_points = player.is_special and state.has_won and not has_tile
    won = won_note(state.score) if by_points and not state.is_over else None
    kind = ("special" if player.is_special else "classic") if player.merges else "sliding"
    return {
        "board": state.board,
        "score": state.score,
        "moves": state.moves,
        "over": state.is_over,
        "won": state.has_won,
        "rules": f"{kind}-{player.goal}",  # the browser remembers the best game for each
        "counts": state.is_fair and not player.is_prepared,
        "goal": state.score if by_points else player.goal,
        "canUndo": match.can_undo,
        "canContinue": state.can_continue,
        "marks": turn.marks,
        "note": turn.note or won,
    }


def read_message(match: Match, what: str, square: Square, empty: str) -> dict[str, Any]:
    """Return a message with a text to be read aloud, which the learner's functions make.

    If `what` is a direction, the reading cursor moves one step from `square`, and the text is about
    the new square. For `"row"` or `"column"`, it is about the row or column of `square`; for
    `"status"`, about the score and the number of moves; for any other word, about `square`.
    """
    pieces = match.player.pieces
    report = pieces.report = Report()
    height, width = len(match.board), len(match.board[0])
    row, column = square  # the board may have become smaller since
    here = there = min(max(row, 0), height - 1), min(max(column, 0), width - 1)
    options = {"empty": empty} if empty != "zero" else {}
    trouble = None
    try:
        if what in DIRECTIONS:
            there = pieces["move_cursor"](match.board, here, what)
        if what == "status":
            said = f"{pieces['announce_status'](match.state.score, match.state.moves)}"
            said += f". {OFFER}" if match.state.can_continue else ""
        elif what in ("row", "column"):
            index = there[what == "column"]
            said = str(pieces["announce_line"](match.board, **{what: index}, **options))
        else:
            said = str(pieces["announce_square"](match.board, *there, **options))
    except Stuck as stuck:
        trouble = stuck
    except ValueError as error:  # a square beyond column Z has no name
        trouble = Stuck("This cannot be read out.", f"{str(error).capitalize()}.")
    if trouble is not None:
        there, said = here, str(trouble)
    return {"kind": "read", "square": there, "said": said, "note": report.note(trouble)}
