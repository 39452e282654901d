"""`play(...)`: a live board that runs the learner's functions, and the reference's for the rest."""

from random import Random
from typing import Any

from course.plainly import plainly
from course.playing.calls import shown
from course.playing.match import Match
from course.playing.own_game import OwnGame
from course.playing.players import Functions, Player
from course.playing.wanted import WANTED, check_board, check_size, is_count
from course.refusal import Refusal
from course.rules import Board
from course.widgets.board import BoardWidget

KEYS = ("eye", "ear")


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

    Give it your functions by the names of the course, or `game`, an object of your own class; the
    course's own functions do the rest. With `second_chance`, `has_won_special` or a `SpecialGame`,
    you play by the special rules. `board` is where to start (else two tiles on height × width
    squares), with a `score`; `seed` makes chance repeat itself, `keys` is `"eye"` or `"ear"` and
    `empty` the word that an empty square is read with. Returns the board, which shows itself at the
    end of a cell. Raises `Refusal` for a piece that no board knows, and for an impossible board.
    """
    game = pieces.pop("game", None)
    _check_pieces(nameless, pieces)
    if keys is not None and keys not in KEYS:
        raise Refusal(f"keys={keys!r} is not one of 'eye', 'ear'")
    check_size(height, width)
    if board is not None:
        check_board(board)
    if not is_count(score):
        raise Refusal(f"score must be a whole number, and not {shown(score)}")
    player: Player
    if game is not None:
        player = OwnGame(game, pieces, goal=goal)
    else:
        player = Functions(
            pieces,
            height=height,
            width=width,
            board=board,
            score=score,
            rng=None if seed is None else Random(seed),
            p_four=p_four,
            goal=goal,
        )
    return BoardWidget(Match(player), keys, empty)


def _check_pieces(nameless: tuple[Any, ...], pieces: dict[str, Any]) -> None:
    known = f"It knows {', '.join(WANTED)} and game."
    if nameless:
        name = getattr(nameless[0], "__name__", nameless[0])
        name = name if isinstance(name, str) and name.isidentifier() else "merge"
        raise Refusal(f"play() needs to know what is what: write play({name}={name}). {known}")
    for name, function in pieces.items():
        if name not in WANTED:
            raise Refusal(f"play() does not know {name!r}. {known}")
        if not callable(function):
            raise Refusal(f"{name} must be a function, and this is {type(function).__name__}")
