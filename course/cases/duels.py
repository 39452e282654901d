"""Boards of duels to test with: some come from duels played by chance, others have random tiles."""

from random import Random

from course.cases.case_cache import made_once
from course.rules.board import Board
from course.rules.duel import (
    HEIGHT,
    PLAYERS,
    WIDTH,
    empty_duel,
    legal_directions,
    legal_squares,
    place,
    push,
)

TILES = (0, 0, 0, 2, 2, 2, 4, 4, 8, 16)
LAST_ROUND = 60


def crowded_duels(rng: Random, count: int, tiles: tuple[int, ...] = TILES) -> list[Board]:
    """Return boards on which tiles of both players stand anywhere, in either territory.

    >>> crowded_duels(Random(1), 1)[0][0]
    [0, 2, -4, -4, 2, 4, -4, 16]
    """
    return [
        [[rng.choice(tiles) * rng.choice(PLAYERS) for _ in range(WIDTH)] for _ in range(HEIGHT)]
        for _ in range(count)
    ]


def played_duels(rng: Random, count: int) -> list[Board]:
    """Return boards from duels in which both players place and push by chance.

    Each board comes from a duel of its own, which is 1 to 60 rounds old.

    >>> played_duels(Random(8), 1)[0][0]
    [0, 2, 8, 2, 0, -2, -4, -2]
    """
    return [_played(rng, rng.randint(1, LAST_ROUND)) for _ in range(count)]


def some_duels(rng: Random, count: int) -> list[Board]:
    """Return `count` of the 60 boards in a fixed pool, drawn without repetition.

    The boards of the pool come from duels played by chance. They are made only once, and are always
    the same 60. Raises `ValueError` if `count` is more than 60.

    >>> len(some_duels(Random(8), 20))
    20
    """
    return rng.sample(_pool(), count)


@made_once
def _pool() -> list[Board]:
    return played_duels(Random("duels"), 60)


def _played(rng: Random, rounds: int) -> Board:
    board = empty_duel()
    for _ in range(rounds):
        number = rng.randrange(1000)
        for player in PLAYERS:
            if squares := legal_squares(board, player, number):
                board = place(board, player, rng.choice(squares), number)
        for player in PLAYERS:
            if directions := legal_directions(board, player):
                board = push(board, player, rng.choice(directions))
    return board
