"""A game: a board, a score, a count of moves, and a source of random numbers."""

from random import Random

from course.rules.board import is_legal, slide_points
from course.rules.over import has_won, is_over
from course.rules.spawn import new_board, take_turn


class Game:
    """A whole game of 2048 on a board of height × width squares.

    All random numbers come from `rng` (a new `Random` if none is given); `p_four` is the
    probability that a spawned tile is a 4. Attributes: `board`, `score`, `moves`.

    >>> game = Game(rng=Random(1))
    >>> game.board = [[2, 2, 0, 0], [0] * 4, [0] * 4, [0] * 4]
    >>> game.move("left"), game.score, game.moves
    (True, 4, 1)
    """

    def __init__(
        self, height: int = 4, width: int = 4, rng: Random | None = None, p_four: float = 0.1
    ) -> None:
        self.height = height
        self.width = width
        self.rng = rng if rng is not None else Random()
        self.p_four = p_four
        self.board = new_board(height, width, self.rng, p_four)
        self.score = 0
        self.moves = 0

    def reset(self) -> None:
        """Start a new game: two tiles, no points, no moves."""
        self.board = new_board(self.height, self.width, self.rng, self.p_four)
        self.score = 0
        self.moves = 0

    def move(self, direction: str) -> bool:
        """Play one turn, and return true; return false if the move is not legal.

        An illegal move changes neither the board nor the score nor the count of moves. Raise
        `ValueError` for a direction that is not one of the four.
        """
        if not is_legal(self.board, direction):
            return False
        self.score += slide_points(self.board, direction)
        self.board = take_turn(self.board, direction, self.rng, self.p_four)
        self.moves += 1
        return True

    @property
    def is_over(self) -> bool:
        """True if no move is legal any more."""
        return is_over(self.board)

    @property
    def has_won(self) -> bool:
        """True if a tile of 2048 or more is on the board."""
        return has_won(self.board)

    def __str__(self) -> str:
        """Return the board as text, one line for each row, with the score below it."""
        size = max(len(str(tile)) for row in self.board for tile in row)
        rows = [" ".join(str(tile or ".").rjust(size) for tile in row) for row in self.board]
        return "\n".join([*rows, f"Score: {self.score}"])
