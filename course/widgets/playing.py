"""`play(...)`: a live board that runs the learner's functions, and the reference's for the rest."""

from random import Random
from typing import Any

from course.match.functions import Functions
from course.match.match import Match
from course.match.own_game import OwnGame
from course.match.player import Player
from course.match.start import check_board, check_size
from course.match.wanted import WANTED
from course.rules import Board
from course.widgets.board import BoardWidget

KEYS = ("eye", "ear")


def play(
    *nameless: Any,
    height: int = 4,
    width: int = 4,
    board: Board | None = None,
    seed: int | None = None,
    p_four: float = 0.1,
    goal: int = 2048,
    keys: str | None = None,
    empty: str = "zero",
    **pieces: Any,
) -> BoardWidget:
    """A board to play on: `play()`, `play(merge=merge)`, `play(game=Game())`.

    Takes functions by the names of the course, or `game`, an object of the learner's own class;
    the reference does the rest. With `second_chance`, `has_won_special` or a `SpecialGame` the
    special rules are played. `board` is where to start (else two tiles on height × width
    squares), `seed` makes chance repeat itself, `keys` is `"eye"` or `"ear"` and `empty` the word
    that an empty square is read with. Returns the board, which shows itself at the end of a cell.
    Raises `TypeError` for a piece that no board knows, `ValueError` for an impossible board.
    """
    game = pieces.pop("game", None)
    _check_pieces(nameless, pieces)
    if keys is not None and keys not in KEYS:
        raise ValueError(f"keys={keys!r} is not one of 'eye', 'ear'")
    check_size(height, width)
    if board is not None:
        check_board(board)
    player: Player
    if game is not None:
        player = OwnGame(game, pieces, goal=goal)
    else:
        player = Functions(
            pieces,
            height=height,
            width=width,
            board=board,
            rng=Random(seed),
            p_four=p_four,
            goal=goal,
        )
    return BoardWidget(Match(player), keys, empty)


def _check_pieces(nameless: tuple[Any, ...], pieces: dict[str, Any]) -> None:
    known = f"It knows {', '.join(WANTED)} and game."
    if nameless:
        name = getattr(nameless[0], "__name__", "merge")
        raise TypeError(f"play() needs to know what is what: write play({name}={name}). {known}")
    for name, function in pieces.items():
        if name not in WANTED:
            raise TypeError(f"play() does not know {name!r}. {known}")
        if not callable(function):
            raise TypeError(f"{name} must be a function, and this is {type(function).__name__}")
