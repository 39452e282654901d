"""Strategies: functions that look at a board and say where to slide; and games played by them."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from course.match.calls import Stuck, stuck_by
from course.rules.board import DIRECTIONS, Board, is_legal

Strategy = Callable[[Board], str]
Make = Callable[..., Any]

HABIT = ("left", "down", "right", "up")
LONGEST = 5000  # moves; no game that is played like this comes near


@dataclass(frozen=True)
class Outcome:
    """How a game ended: its score, its largest tile, and how many moves were made."""

    score: int
    largest: int
    moves: int


def by_habit(board: Board) -> str:
    """The first of left, down, right, up that is legal.

    >>> by_habit([[2, 4]]), by_habit([[0, 2]])
    ('left', 'left')
    """
    return next((way for way in HABIT if is_legal(board, way)), HABIT[0])


def by_chance(rng: Random) -> Strategy:
    """A strategy that takes any legal direction, each as likely as the others."""

    def strategy(board: Board) -> str:
        return rng.choice([way for way in DIRECTIONS if is_legal(board, way)])

    return strategy


def play_out(make: Make, strategy: Strategy, seed: int) -> Outcome:
    """One game of a class `Game`, played by a strategy to its end.

    Where the strategy's direction is not legal, habit decides. Raises `Stuck` where the game or the
    strategy gives no answer to go on with.

    >>> from course.rules import Game
    >>> play_out(Game, by_habit, seed=1).largest >= 8
    True
    """
    game = _asked("Game", lambda: make(4, 4, Random(seed)))
    moves = 0
    while moves < LONGEST:
        board: Board = deepcopy(game.board)
        if not any(is_legal(board, way) for way in DIRECTIONS):
            break
        wish = _asked(_name(strategy), lambda: strategy(deepcopy(board)))  # noqa: B023 — at once
        if wish not in DIRECTIONS:
            said = f"It gave {wish!r}. It must give 'left', 'right', 'up' or 'down'."
            raise Stuck(f"Your {_name(strategy)} gave no direction.", said)
        way = wish if is_legal(board, wish) else by_habit(board)
        _asked("Game.move", lambda: game.move(way))  # noqa: B023 — at once
        if game.board == board:
            said = f"game.move({way!r}) is legal here, and it changed nothing."
            raise Stuck("The game stands still.", said)
        moves += 1
    largest = max(tile for row in game.board for tile in row)
    return Outcome(int(game.score), largest, moves)


def _asked(name: str, question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception as error:
        raise stuck_by(error, name, None) from None


def _name(strategy: Strategy) -> str:
    return str(getattr(strategy, "__name__", "strategy"))
