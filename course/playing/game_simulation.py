"""Strategies, functions that choose a direction for a board, and whole games played with them."""

from collections.abc import Callable
from operator import methodcaller
from random import Random
from typing import Any, NamedTuple

from course.playing.learner_calls import Stuck, shown, stuck_by
from course.rules.board import DIRECTIONS, Board, is_board, is_legal

Strategy = Callable[[Board], str]
Make = Callable[..., Any]

HABIT = ("left", "down", "right", "up")
LONGEST = 5000  # moves of a game; usual games are far shorter


class EndedGame(NamedTuple):
    """The score and the largest tile at the end of a game."""

    score: int
    largest: int


def by_habit(board: Board) -> str:
    """Return the first legal direction of left, down, right, up; `"left"` if none is legal.

    >>> by_habit([[2, 4]]), by_habit([[0, 2]])
    ('left', 'left')
    """
    return next((way for way in HABIT if is_legal(board, way)), HABIT[0])


def by_chance(rng: Random) -> Strategy:
    """Return a strategy that chooses each legal direction with the same probability."""

    def strategy(board: Board) -> str:
        return rng.choice([way for way in DIRECTIONS if is_legal(board, way)])

    return strategy


def play_out(make: Make, strategy: Strategy, seed: int) -> EndedGame:
    """Return the score and largest tile of one game of a class `Game`, played by a strategy.

    >>> from course.rules import Game
    >>> play_out(Game, by_habit, seed=1).largest >= 8
    True
    """
    game = _asked("Game", make, 4, 4, Random(seed))
    play_on(game, strategy)
    return EndedGame(_score(game), max(map(max, _board(game))))


def play_on(game: Any, strategy: Strategy) -> None:
    """Play a game with the directions of a strategy until it is over, at most `LONGEST` moves.

    A direction that is not legal is replaced by the first legal one of left, down, right and up.
    Raise `Stuck` if the game or the strategy gives no usable answer.
    """
    name = str(getattr(strategy, "__name__", "strategy"))
    for _ in range(LONGEST):
        board = _board(game)
        if not any(is_legal(board, way) for way in DIRECTIONS):
            return
        wish = _asked(name, strategy, _copy(board))
        if wish not in DIRECTIONS:
            said = f"It gave {shown(wish)}. It must give 'left', 'right', 'up' or 'down'."
            raise Stuck(f"Your {name} gave no direction.", said)
        way = wish if is_legal(board, wish) else by_habit(board)
        _asked("Game.move", methodcaller("move", way), game)
        if _board(game) == board:
            said = f"game.move({way!r}) is legal here, and it changed nothing."
            raise Stuck("The game stands still.", said)


def brought_back(make: Make, strategy: Strategy, start: Board, seed: int) -> int:
    """Return the points that a game of a class `SpecialGame` scores after its second chance.

    The game starts from the board `start`, which has a tile of 512 or more. When it is lost, the
    second chance is taken, and the game is played on until it is lost again. The cost of the second
    chance is not subtracted. Raise `Stuck` as `play_on` does, or if there is no second chance.
    """
    game = _asked("SpecialGame", make, len(start), len(start[0]), Random(seed))
    _asked("SpecialGame.board", setattr, game, "board", _copy(start))
    play_on(game, strategy)
    if _asked("SpecialGame.can_continue", getattr, game, "can_continue") is not True:
        said = "It is lost, with a tile of 512 or more, and can_continue is not True."
        raise Stuck("Your SpecialGame gives no second chance.", said)
    _asked("SpecialGame.continue_", methodcaller("continue_"), game)
    before = _score(game)
    play_on(game, strategy)
    return _score(game) - before


def _board(game: Any) -> Board:
    """Return a copy of a game's board; raise `Stuck` if it is missing, or is no board."""
    board = _asked("Game.board", getattr, game, "board")
    if not is_board(board):
        raise Stuck("The board of your Game is no board.", f"It is {shown(board)}.")
    return _copy(board)


def _score(game: Any) -> int:
    return int(_asked("Game.score", lambda: int(game.score)))


def _copy(board: Board) -> Board:
    return [list(row) for row in board]


def _asked(name: str, question: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return question(*arguments)
    except Exception as error:
        raise stuck_by(error, name, None) from None
