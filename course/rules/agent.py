"""An agent: a program that plays a duel, the game of two players in `duel.py`."""

from typing import Any

from course.rules.board import Square
from course.rules.duel import push, territory


class Agent:
    """An agent that places tiles in its own territory, and pushes so that the board becomes best.

    Each method gets a `view`, a dictionary whose keys are listed in the docstring of
    `course.playing`.

    >>> Agent().push({"board": [[2, 2, 4, 0]], "player": 1, "legal": ["left", "right"]})
    'left'
    """

    def place(self, view: dict[str, Any]) -> Square:
        """Return a legal square, in the agent's own territory if possible."""
        legal: list[Square] = view["legal"]
        width, player = len(view["board"][0]), view["player"]
        return next((square for square in legal if territory(square, width) == player), legal[0])

    def push(self, view: dict[str, Any]) -> str:
        """Return the direction of the push after which the board is worth most to the agent.

        Each of the agent's tiles adds its number multiplied by itself to the worth; each of the
        opponent's tiles subtracts the same.
        """
        board, player = view["board"], view["player"]

        def worth(direction: str) -> int:
            after = push(board, player, direction)
            return int(player * sum(tile * abs(tile) for row in after for tile in row))

        legal: list[str] = view["legal"]
        return max(legal, key=worth)
