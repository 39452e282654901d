"""Our own agents, from weak to strong."""

from random import Random

from course.duel.view import Answer, View
from course.rules.board import Board, Square
from course.rules.duel import legal_directions, place, push


class RandomAgent:
    """An agent that answers by chance.

    >>> agent = RandomAgent(1)
    >>> agent.push({"legal": ["left", "up"]}) in ("left", "up")
    True
    """

    def __init__(self, seed: object = None) -> None:
        self._rng = Random() if seed is None else Random(str(seed))

    def place(self, view: View) -> Answer:
        """Any legal square."""
        return self._rng.choice(view["legal"])

    def push(self, view: View) -> Answer:
        """Any legal direction."""
        return self._rng.choice(view["legal"])


class GreedyAgent:
    """An agent that takes what is best for it at once, and thinks of nobody else."""

    def place(self, view: View) -> Answer:
        """The square after which its best push is worth most."""
        player = view["player"]
        return max(view["legal"], key=lambda square: _best(_placed(view, square), player))

    def push(self, view: View) -> Answer:
        """The push that is worth most."""
        board, player = view["board"], view["player"]
        return max(view["legal"], key=lambda way: worth(push(board, player, str(way)), player))


class LookAheadAgent:
    """An agent that also thinks of the push that its opponent answers with."""

    def place(self, view: View) -> Answer:
        """The square after which a push is left to it that it likes best."""
        player = view["player"]
        return max(view["legal"], key=lambda square: _outlook(_placed(view, square), player))

    def push(self, view: View) -> Answer:
        """The push after which the opponent can do least."""
        board, player = view["board"], view["player"]
        return max(view["legal"], key=lambda way: _answered(push(board, player, str(way)), player))


def worth(board: Board, player: int) -> int:
    """What a board is worth to a player: each tile as much as its square, the opponent's against.

    A merge is worth more than its parts, and the highest tiles count most.

    >>> worth([[4, 0, -2, -2]], 1), worth([[4, 0, -2, -2]], -1)
    (8, -8)
    """
    return player * sum(tile * abs(tile) for row in board for tile in row)


def _placed(view: View, square: Answer) -> Board:
    assert not isinstance(square, str)
    where: Square = square
    return place(view["board"], view["player"], where, view["numbers"][0])


def _pushed(board: Board, player: int) -> list[Board]:
    """The boards that a player can make by a push; as it is, where there is none."""
    ways = legal_directions(board, player)
    return [push(board, player, way) for way in ways] or [board]


def _best(board: Board, player: int) -> int:
    return max(worth(pushed, player) for pushed in _pushed(board, player))


def _answered(board: Board, player: int) -> int:
    return min(worth(pushed, player) for pushed in _pushed(board, -player))


def _outlook(board: Board, player: int) -> int:
    return max(_answered(pushed, player) for pushed in _pushed(board, player))
