"""Arguments for the functions of a duel, to find out if two programs do the same."""

from collections.abc import Callable
from random import Random
from typing import Any

from course import rules
from course.cases import crowded_duels, random_boards
from course.cases.duels import played_duels


def cases_of_duels(exercise: str) -> list[tuple[Any, ...]]:
    """Return many tuples of arguments for a function of the duel; for any other, an empty list.

    These are far more than the checks of the lesson have.
    """
    rng = Random(4096)
    tiles = (0, 0, 0, 2, -2, 4, -4, 8)
    sides = [[own, not own] for own in (True, False)]
    lines = [[rng.choice(tiles) for _ in range(rng.randint(1, 8))] for _ in range(6000)]
    homes = [[side for side in rng.choice(sides) for _ in range(4)][: len(line)] for line in lines]
    boards = played_duels(rng, 200) + crowded_duels(rng, 100) + small_duels(rng)
    both = [(board, player) for board in boards for player in (1, -1)]
    numbered = [(*each, number) for each in both for number in (0, 1, 5, rng.randrange(720_720))]
    known: dict[str, Callable[[], list[tuple[Any, ...]]]] = {
        "own_square": lambda: numbered,
        "legal_squares": lambda: numbered,
        "place": lambda: [
            (board, player, (row, column), number)
            for board, player, number in numbered[::3]
            for row in range(len(board))
            for column in range(len(board[0]))
        ],
        "push_line": lambda: list(zip(lines, homes, strict=True)),
        "push": lambda: [(*each, way) for each in both for way in rules.DIRECTIONS],
        "legal_directions": lambda: both,
        "leader": lambda: [(board,) for board in boards],
    }
    return known[exercise]() if exercise in known else []


def small_duels(rng: Random) -> list[Any]:
    """Return boards of other sizes, with few or many empty squares, and few sizes of tiles."""
    sizes = [(height, width) for height in (1, 2, 3) for width in (2, 4, 6)]
    several = [(0, 2, -2), (0, 0, 0, 2, -2, 4, -4), (2, -2, 4, -4, 8), (0, 8, -8)]
    return [
        board
        for size in sizes
        for tiles in several
        for board in random_boards(rng, 20, *size, tiles)
    ]
