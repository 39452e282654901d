"""An agent: a program that plays the duel."""

from typing import Any

from course.rules.board import Square
from course.rules.duel import push, territory


class Agent:
    """A simple agent: it places at home, and takes the push that is worth most at once.

    It is shown a `view`, a dictionary; `course.playing` says what is in it.

    >>> Agent().push({"board": [[2, 2, 4, 0]], "player": 1, "legal": ["left", "right"]})
    'left'
    """

    def place(self, view: dict[str, Any]) -> Square:
        """Return the legal square at home, if there is one; else the first legal square."""
        legal: list[Square] = view["legal"]
        width, player = len(view["board"][0]), view["player"]
        return next((square for square in legal if territory(square, width) == player), legal[0])

    def push(self, view: dict[str, Any]) -> str:
        """Return the direction after which the board is worth most to it.

        The worth is the sum of its own tiles squared, less that of the opponent's tiles squared.
        """
        board, player = view["board"], view["player"]

        def worth(direction: str) -> int:
            after = push(board, player, direction)
            return int(player * sum(tile * abs(tile) for row in after for tile in row))

        legal: list[str] = view["legal"]
        return max(legal, key=worth)
