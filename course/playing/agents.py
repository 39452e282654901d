"""Our own agents, from weak to strong."""

from functools import lru_cache
from random import Random

from course.playing.view import Choice, View
from course.rules.board import DIRECTIONS, Board, Square
from course.rules.duel import legal_directions, lines_of, place, push, push_line, territory


class RandomAgent:
    """An agent that answers by chance.

    >>> agent = RandomAgent(1)
    >>> agent.push({"legal": ["left", "up"]}) in ("left", "up")
    True
    """

    def __init__(self, seed: object = None) -> None:
        self._rng = Random() if seed is None else Random(str(seed))

    def place(self, view: View) -> Choice:
        """Return any legal square."""
        return self._rng.choice(view["legal"])

    def push(self, view: View) -> Choice:
        """Return any legal direction."""
        return self._rng.choice(view["legal"])


class GreedyAgent:
    """An agent that takes what is best for it right now, and does not think of its opponent."""

    def place(self, view: View) -> Choice:
        """Return the square that is worth most, together with the best push after it."""
        gains = Gains(view["board"], view["player"])
        return max(view["legal"], key=lambda square: gains.with_tile(_square(square)))

    def push(self, view: View) -> Choice:
        """Return the push after which the board is worth most to it."""
        board, player = view["board"], view["player"]
        return max(view["legal"], key=lambda way: worth(push(board, player, str(way)), player))


class LookAheadAgent:
    """An agent that also thinks of the push that its opponent answers with."""

    def place(self, view: View) -> Choice:
        """Return the square that leaves it the best push, as `push` rates pushes."""
        player = view["player"]
        return max(view["legal"], key=lambda square: _outlook(_placed(view, square), player))

    def push(self, view: View) -> Choice:
        """Return the push that leaves it best off after the opponent's best push."""
        board, player = view["board"], view["player"]
        return max(view["legal"], key=lambda way: _answered(push(board, player, str(way)), player))


def worth(board: Board, player: int) -> int:
    """Return the worth of a board to a player: own tiles squared, less the opponent's squared.

    A merge is worth more than its parts, and the highest tiles count most.

    >>> worth([[4, 0, -2, -2]], 1), worth([[4, 0, -2, -2]], -1)
    (8, -8)
    """
    return player * sum(tile * abs(tile) for row in board for tile in row)


class Gains:
    """The gains of a player's pushes, line by line: how much more the board is worth after a push.

    A line that does not move gains nothing, and no line ever loses. One more tile changes one line
    of each direction, so hundreds of boards are compared without a push.

    >>> gains = Gains([[2, 2, 0, 0, 0, 0, -2, 0]], 1)
    >>> gains.with_tile((0, 2)), gains.with_tile((0, 5))
    (12, 4)
    """

    def __init__(self, board: Board, player: int) -> None:
        self._player, self._width = player, len(board[0])
        self._lines: dict[Square, list[tuple[int, int, tuple[int, ...], tuple[bool, ...], int]]]
        self._lines = {}
        self._total = [0] * len(DIRECTIONS)
        for way, direction in enumerate(DIRECTIONS):
            for squares, is_own in lines_of(len(board), self._width, player, direction):
                line = tuple([board[row][column] * player for row, column in squares])
                gain = _gain(line, is_own)
                self._total[way] += gain
                for at, square in enumerate(squares):
                    found = self._lines.setdefault(square, [])
                    found.append((way, at, line, is_own, gain))

    def with_tile(self, square: Square) -> int:
        """Return the worth of a new tile on a square, together with the best push after it."""
        tile = 2 * territory(square, self._width) * self._player
        best = 0
        for way, at, line, is_own, gain in self._lines[square]:
            after = _gain((*line[:at], tile, *line[at + 1 :]), is_own)
            best = max(best, self._total[way] - gain + after)
        return tile * abs(tile) + best


@lru_cache(100_000)  # most lines of a duel are seen many times
def _gain(line: tuple[int, ...], is_own: tuple[bool, ...]) -> int:
    return worth([push_line(list(line), list(is_own))], 1) - worth([list(line)], 1)


def _square(answer: Choice) -> Square:
    assert not isinstance(answer, str)
    return answer


def _placed(view: View, square: Choice) -> Board:
    return place(view["board"], view["player"], _square(square), view["numbers"][0])


def _pushed(board: Board, player: int) -> list[Board]:
    """Return the boards that a player can make by a push; the board itself if no push is legal."""
    ways = legal_directions(board, player)
    return [push(board, player, way) for way in ways] or [board]


def _answered(board: Board, player: int) -> int:
    return min(worth(pushed, player) for pushed in _pushed(board, -player))


def _outlook(board: Board, player: int) -> int:
    return max(_answered(pushed, player) for pushed in _pushed(board, player))
