"""Special rules: a high score wins, too; a lost game may go on once, with a second chance."""

from random import Random

from course.rules.board import Board
from course.rules.game import Game
from course.rules.over import has_won

WINNING_SCORE = 25_000
SECOND_CHANCE_TILE = 512  # the largest tile must be this or more for a second chance
CLEARED_TILES = 6
LARGEST_CLEARED = 128
SECOND_CHANCE_COST = 2048


def has_won_special(board: Board, score: int) -> bool:
    """Return true if a game is won: by a tile of 2048 or more, or by a score of 25,000 or more.

    >>> has_won_special([[2048, 2]], 0), has_won_special([[2, 4]], 25_000)
    (True, True)
    >>> has_won_special([[1024, 2]], 24_996)
    False
    """
    return has_won(board) or score >= WINNING_SCORE


def second_chance(board: Board, score: int, rng: Random) -> tuple[Board, int]:
    """Clear six random tiles with values of at most 128, and subtract 2048 from the score.

    If there are fewer than six of these tiles, all are cleared. No tile is spawned. Return a
    new board and the new score, which may be negative.

    >>> second_chance([[512, 2], [4, 256]], 3000, Random(1))
    ([[512, 0], [0, 256]], 952)
    """
    small = [
        (row, column)
        for row, squares in enumerate(board)
        for column, tile in enumerate(squares)
        if 0 < tile <= LARGEST_CLEARED
    ]
    cleared = [squares[:] for squares in board]
    for row, column in rng.sample(small, min(CLEARED_TILES, len(small))):
        cleared[row][column] = 0
    return cleared, score - SECOND_CHANCE_COST


class SpecialGame(Game):
    """A game with the special rules.

    `can_continue` is true if the second chance may be taken, and `continue_()` takes it.

    >>> game = SpecialGame(2, 2, Random(1))
    >>> game.board, game.score = [[512, 2], [4, 256]], 3000
    >>> game.is_over, game.can_continue
    (True, True)
    >>> game.continue_()
    >>> game.board, game.score, game.is_over
    ([[512, 0], [0, 256]], 952, False)
    """

    has_continued = False

    def reset(self) -> None:
        """Start a new game, with a new second chance."""
        super().reset()
        self.has_continued = False

    @property
    def has_won(self) -> bool:
        """True if a tile of 2048 or more is on the board, or the score is 25,000 or more."""
        return has_won_special(self.board, self.score)

    @property
    def can_continue(self) -> bool:
        """True if the game is lost, has a tile of 512 or more, and was not continued before."""
        largest = max(tile for row in self.board for tile in row)
        return self.is_over and largest >= SECOND_CHANCE_TILE and not self.has_continued

    def continue_(self) -> None:
        """Take the second chance; raise `ValueError` if `can_continue` is false."""
        if not self.can_continue:
            raise ValueError(
                "there is no second chance: the game must be lost, its largest tile 512 or more, "
                "and it may be continued only once"
            )
        self.board, self.score = second_chance(self.board, self.score, self.rng)
        self.has_continued = True
