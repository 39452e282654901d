"""Agents of the duel: the course's own, from weak to strong, and agents of the original platform.

Agents that were written for the platform Sessdsa.2048 play here unchanged. Such an agent is a
`class Player` with `__init__(isFirst, array)` and `output(currentRound, board, mode)`. On its
board, the value of a tile is its exponent: a tile of 2 has the value 1, a tile of 4 the value 2.
The names of the methods of `OriginalBoard` are the platform's.
"""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

from course.playing.duel_engine import View
from course.rules.board import DIRECTIONS, Board, Square
from course.rules.duel import HEIGHT, WIDTH, empties, empty_duel, own_square, place, push

# On the original platform, the players are `True` and `False`, and directions are numbers, 0 to 3.
ORIGINAL_PLAYERS = {True: 1, False: -1}
ORIGINAL_DIRECTIONS = ("up", "down", "left", "right")
Decision = tuple[int, ...]
_HALF = WIDTH // 2
# Positions are looked up in a `dict`, as on the original platform: `(0.0, 4)` is found, and a list
# raises an error.
_SQUARES = {square: square for square in product(range(HEIGHT), range(WIDTH))}


class RandomAgent:
    """An agent that chooses each answer at random among the legal ones."""

    def __init__(self, seed: object = None) -> None:
        self._rng = Random() if seed is None else Random(str(seed))

    def place(self, view: View) -> Any:
        return self._rng.choice(view["legal"])

    push = place


class GreedyAgent:
    """An agent that takes what is best at once, and does not consider the opponent's answer."""

    def place(self, view: View) -> Any:
        """Return the square after which the agent's best push leads to the best board."""
        board, player, number = view["board"], view["player"], view["numbers"][0]

        def outlook(square: Any) -> int:
            placed = place(board, player, square, number)
            return max(self._outlook(pushed, player) for pushed in _pushed(placed, player))

        return max(view["legal"], key=outlook)

    def push(self, view: View) -> Any:
        board, player = view["board"], view["player"]
        return max(view["legal"], key=lambda way: self._outlook(push(board, player, way), player))

    def _outlook(self, board: Board, player: int) -> int:
        return worth(board, player)


class LookAheadAgent(GreedyAgent):
    """An agent that, unlike `GreedyAgent`, expects the opponent to answer with its best push."""

    def _outlook(self, board: Board, player: int) -> int:
        return min(worth(pushed, player) for pushed in _pushed(board, -player))


# Functions that make the course's own agents, by name. Each takes a seed; only "chance" uses it.
OPPONENTS: dict[str, Callable[..., Any]] = {
    "chance": RandomAgent,
    "greedy": lambda seed=None: GreedyAgent(),
    "ahead": lambda seed=None: LookAheadAgent(),
}


def worth(board: Board, player: int) -> int:
    """Return the sum of tile² over a player's tiles, minus the same sum over the opponent's tiles.

    So a merged tile is worth more than its parts, and the highest tiles are worth most.

    >>> worth([[4, 0, -2, -2]], 1), worth([[4, 0, -2, -2]], -1)
    (8, -8)
    """
    return player * sum(tile * abs(tile) for row in board for tile in row)


def _pushed(board: Board, player: int) -> list[Board]:
    """Return the boards that a player can make by one push; `[board]` if no push is legal."""
    boards = [push(board, player, way) for way in DIRECTIONS]
    return [pushed for pushed in boards if pushed != board] or [board]


class OriginalBoard:
    """A board with the methods of the platform Sessdsa.2048, which call the first player `True`.

    The value of a tile is its exponent. For a position outside of the board, `getValue` returns 0,
    and `getBelong` decides by the column. If `move` gets a number that is no direction, it changes
    nothing.
    """

    def __init__(self, array: Sequence[int]) -> None:
        self.array = array
        self._board = empty_duel()
        self._decisions: dict[bool, Decision] = {True: (), False: ()}
        self._times: dict[bool, float] = {True: 0, False: 0}

    def add(self, belong: bool, position: Square, value: int = 1) -> None:
        """Put a tile with the exponent `value` on a square.

        The tile belongs to the player in whose territory the square is; `belong` is ignored.
        """
        square = _SQUARES.get(position)
        if square is None:
            raise IndexError(f"{position} is not on the board")
        row, column = square
        tile = 2**value if value else 0
        self._board[row][column] = tile if column < _HALF else -tile

    def move(self, belong: bool, direction: int) -> bool:
        """Push the tiles of one player; return true if anything changed."""
        if direction not in range(4):
            return False
        before, way = self._board, ORIGINAL_DIRECTIONS[direction]
        self._board = push(before, ORIGINAL_PLAYERS[belong], way)
        return self._board != before

    def getBelong(self, position: Square) -> bool:  # noqa: N802
        """Return true if the tile on a square, or else the empty square, is the first player's."""
        try:  # agents ask this and `getValue` millions of times
            row, column = _SQUARES[position]
        except KeyError:
            return position[1] < _HALF
        tile = self._board[row][column]
        return tile > 0 if tile else column < _HALF

    def getValue(self, position: Square) -> int:  # noqa: N802
        """Return the exponent of the tile on a square; 0 for an empty square."""
        try:
            row, column = _SQUARES[position]
        except KeyError:
            return 0
        tile = self._board[row][column]
        return tile and tile.bit_length() - 1

    def getScore(self, belong: bool) -> list[int]:  # noqa: N802
        """Return the exponents of all tiles of a player, the smallest first."""
        sign = ORIGINAL_PLAYERS[belong]
        tiles = (abs(tile) for row in self._board for tile in row if tile * sign > 0)
        return sorted(tile.bit_length() - 1 for tile in tiles)

    def getNone(self, belong: bool) -> list[Square]:  # noqa: N802
        """Return the empty squares of a player's territory, in reading order."""
        return empties(self._board, ORIGINAL_PLAYERS[belong]) if belong in ORIGINAL_PLAYERS else []

    def getNext(self, belong: bool, currentRound: int) -> Square | tuple[()]:  # noqa: N802, N803
        """Return the square of a player's own half to fill in a round; `()` if the half is full."""
        if not self.getNone(belong):
            return ()
        return own_square(self._board, ORIGINAL_PLAYERS[belong], self.array[currentRound]) or ()

    def getTime(self, belong: bool) -> float:  # noqa: N802
        """Return the seconds of processor time that a player has left."""
        return self._times[belong]

    def updateTime(self, belong: bool, time: float) -> None:  # noqa: N802
        self._times[belong] = time

    def getDecision(self, belong: bool) -> Decision:  # noqa: N802
        """Return a player's last decision: a position or `(direction,)`; `()` if there is none."""
        return self._decisions[belong]

    def updateDecision(self, belong: bool, decision: Decision) -> None:  # noqa: N802
        self._decisions[belong] = decision

    def getAnime(self) -> list[Any]:  # noqa: N802
        return []  # there are no pictures here

    def getRaw(self) -> list[list[tuple[int, bool]]]:  # noqa: N802
        """Return all squares as rows of (exponent, owner); the owner `True` is the first player."""
        squares = [[(row, column) for column in range(WIDTH)] for row in range(HEIGHT)]
        return [[(self.getValue(each), self.getBelong(each)) for each in row] for row in squares]

    def copy(self) -> "OriginalBoard":
        new = OriginalBoard.__new__(OriginalBoard)  # agents that look ahead copy a million times
        new.array = self.array
        new._board = [row[:] for row in self._board]
        new._decisions, new._times = self._decisions.copy(), self._times.copy()
        return new

    def __repr__(self) -> str:
        return "\n".join(
            " ".join(f"{'+' if owner else '-'}{value:02}" for value, owner in row)
            for row in self.getRaw()
        )


class OriginalAgent:
    """An agent that passes on the answers of a `Player` written for the platform Sessdsa.2048.

    As on that platform, an answer is accepted if it equals a position or a direction. So `True` is
    accepted as the direction 1, because `True == 1`; the text `"left"` is not accepted.
    """

    def __init__(self, player_class: Any, player: int, numbers: Sequence[int]) -> None:
        self._numbers = tuple(numbers)
        self._player = player_class(player == 1, self._numbers)

    def place(self, view: View) -> Any:
        said = self._player.output(view["round"], self._board(view), "position")
        if isinstance(said, tuple) and len(said) == 2:
            row, column = said
            if row in range(HEIGHT) and column in range(WIDTH):
                return int(row), int(column)
        return said

    def push(self, view: View) -> Any:
        said = self._player.output(view["round"], self._board(view), "direction")
        if said in range(4):
            return ORIGINAL_DIRECTIONS[int(said)]
        return f"{said} (text; a direction is 0, 1, 2 or 3)" if said in DIRECTIONS else said

    def skip(self, view: View) -> None:
        """Tell the `Player` that it has no legal answer; what its `output` returns is ignored."""
        mode = "_position" if view["phase"] == "place" else "_direction"
        self._player.output(view["round"], self._board(view), mode)

    def _board(self, view: View) -> OriginalBoard:
        board, player = OriginalBoard(self._numbers), view["player"]
        board._board = [row[:] for row in view["board"]]
        for owner, sign in ORIGINAL_PLAYERS.items():
            last = view["last"][sign]
            if last is not None:
                way = (ORIGINAL_DIRECTIONS.index(last),) if isinstance(last, str) else last
                board.updateDecision(owner, way)
            left = view["time_left"] if sign == player else view["opponent_time_left"]
            board.updateTime(owner, 0 if left is None else left)
        return board
