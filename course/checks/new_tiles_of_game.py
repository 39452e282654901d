"""Checks of the new tiles of a whole game: of their squares, and of their values.

The first tiles, the tiles after a reset and the new tiles of turns must pass the checks of lesson
3. For this, a game is called as if it were a function that spawns tiles. Besides, one game makes a
reset or a turn again and again: every square, row and column must get its share of new tiles, of
the 2s, and of the 4s. This last check fails if a game draws the same numbers again each time, or if
it counts instead of drawing. `README.md` says with what risk a right game fails.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from course.checks.chance import FOURS, check_fours, check_one_in_ten, check_squares, wrong_places
from course.checks.failed import CheckFailed
from course.function_calls import Answer, Step, Tested, call_many
from course.games import GameProblem, restart_faults
from course.plain_errors import error_text
from course.rules.board import Board, is_board
from course.rules.spawn import empty_cells

SIZES = ((2, 3), (1, 5))  # small, so that few calls show each pair of squares often
BEFORE = [[0, 0, 8], [0, 0, 0], [0, 0, 0]]
LEFT: Step = ("call", "move", "left")
AFTER = [[8, 0, 0], [0, 0, 0], [0, 0, 0]]  # `BEFORE`, slid to the left
CALLS = 300  # games, each for one start, reset or turn
TIMES = 200  # resets or turns of one game
HALVES = 700  # tiles, enough to tell one 4 in two from one in three


def first_tiles_come_anywhere(make: Tested) -> None:
    """Raise `GameProblem` unless each square gets its share of the first tiles of many games."""
    _hold_squares(SpawningGame(make, "first_tiles"), (4, 4), *SIZES)


def first_tiles_by_p_four(make: Tested) -> None:
    """Raise `GameProblem` unless the share of 4s among first tiles is `p_four`, by default 0.1."""
    _hold_to_p_four(SpawningGame(make, "first_tiles"), 2, 4, 4)


def tiles_after_reset_come_anywhere(make: Tested) -> None:
    """Raise `GameProblem` unless a reset draws its tiles by the same rules as the start."""
    again = SpawningGame(make, "tiles_after_reset", ("call", "reset"))
    _hold_squares(again, SIZES[0])
    _hold_to_p_four(again, 2, 4, 4)
    for said in restart_faults(make):
        raise GameProblem(said)
    empty = [[0] * 4 for _ in range(4)]
    _hold_shares(make, [("call", "reset")], empty, "of the tiles after game.reset()")


def tiles_of_turns_come_anywhere(make: Tested) -> None:
    """Raise `GameProblem` unless each empty square gets its share of the new tiles of turns."""
    turning = SpawningGame(make, "tiles_after_move", LEFT)
    for board, slid in ((BEFORE, AFTER), ([[0, 0, 0, 8]], [[8, 0, 0, 0]])):
        _hold_to(check_squares, turning, board, before=slid, times=CALLS)
    told = f"of the tiles after game.move('left') on {BEFORE}"
    _hold_shares(make, [("set", "board", BEFORE), LEFT], AFTER, told)


def tiles_of_turns_by_p_four(make: Tested) -> None:
    """Raise `GameProblem` unless the share of 4s in tiles of turns is `p_four`, by default 0.1."""
    _hold_to_p_four(SpawningGame(make, "tiles_after_move", LEFT), 1, BEFORE)


class SpawningGame:
    """A class of games that is called as if it were a function that spawns tiles.

    A call makes a new game, takes `steps` with it, and returns its board. If the first argument of
    a call is a board, the game has its size, and gets this board before the steps.
    """

    def __init__(self, make: Tested, name: str, *steps: Step) -> None:
        self.make, self.steps = make, steps
        self.__name__ = name

    def values_many(self, calls: list[list[Any]]) -> list[Answer]:
        """Return the answers to many calls; the value of each is a board, or `None` on an error."""
        steps = [*self.steps, ("get", "board")]
        first = calls[0][0]
        if isinstance(first, list):
            steps = [("set", "board", first), *steps]
            calls = [[len(board), len(board[0]), *chance] for board, *chance in calls]
        answers = call_many(self.make, [tuple(call) for call in calls], steps, only_values=True)
        return [
            Answer(each.value and each.value[-1], each.error, (), each.printed) for each in answers
        ]


def _hold_squares(spawning: SpawningGame, *sizes: tuple[int, int]) -> None:
    """Raise `GameProblem` unless each square, and each pair of squares, gets its share of tiles."""
    for height, width in sizes:
        empty = [[0] * width for _ in range(height)]
        _hold_to(check_squares, spawning, height, width, before=empty, times=CALLS)


def _hold_to_p_four(spawning: SpawningGame, tiles: int, *arguments: Any) -> None:
    """Raise `GameProblem` unless the share of 4s is right; each call makes `tiles` new tiles."""
    _hold_to(check_one_in_ten, spawning, *arguments)
    _hold_to(check_fours, spawning, *arguments, times=FOURS // tiles)
    _hold_to(check_fours, spawning, *arguments, p_four=0.5, times=HALVES // tiles)


def _hold_to(checked: Callable[..., None], *arguments: Any, **options: Any) -> None:
    """Call a check of lesson 3, and raise `GameProblem` if it fails."""
    try:
        checked(*arguments, **options)
    except CheckFailed as failed:
        raise GameProblem(str(failed)) from failed


def _hold_shares(make: Tested, steps: list[Step], before: Board, what: str) -> None:
    """Let a game repeat `steps`; raise `GameProblem` unless new tiles come evenly to all places.

    `before` is the board without new tiles, and `what` names the new tiles in the message.
    """
    size = len(before), len(before[0])
    [answer] = call_many(
        make, [(*size, Random(1), 0.5)], [*steps, ("get", "board")] * TIMES, only_values=True
    )
    if answer.error is not None:
        raise GameProblem(f"  got       {error_text(answer.error)}") from answer.error
    new = []
    for board in answer.value:
        if not is_board(board) or (len(board), len(board[0])) != size:
            raise GameProblem(f"  got       {board!r}\n  this is no board of the game's size")
        for row, squares in enumerate(board):
            new += [
                (tile, ((row, column),)) for column, tile in enumerate(squares) if tile in (2, 4)
            ]
    if len(new) < TIMES // 4:
        raise GameProblem(f"{TIMES} times a tile should be new; only {len(new)} were")
    for values, kind in (((2, 4), ""), ((2,), " that are 2s"), ((4,), " that are 4s")):
        found = [cells for tile, cells in new if tile in values]
        for where, count, said in wrong_places(found, empty_cells(before), 1):
            told = f"{count} of {len(found)} tiles come to {where}, where {said}"
            raise GameProblem(f"with p_four=0.5, {what}{kind} {told}")
