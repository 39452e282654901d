"""Boards of duels to test with: some come from duels of random moves, others have random tiles.

The tiles of the second player are negative numbers. A territory is one player's half of the board.
"""

from functools import partial
from random import Random

from course.cases.case_cache import made_once
from course.rules import Board, legal_directions, legal_squares, place, push
from course.rules.duel import HEIGHT, PLAYERS, WIDTH, empty_duel

TILES = (0, 0, 0, 2, 2, 2, 4, 4, 8, 16)
LARGE = (0, 2, 512, 4096, 65_536, 2**20)
SIZES = ((1, 2), (5, 2), (1, 10), (2, 4), (7, 6), (3, 12), (9, 12))  # (rows, columns)
LAST_ROUND = 60


def _drawn(
    rng: Random,
    height: int,
    width: int,
    full: range = range(0),
    owners: tuple[int, ...] = PLAYERS,
    tiles: tuple[int, ...] = TILES,
) -> Board:
    """Return a random board of `tiles` of `owners`; no square in the columns `full` is empty."""
    by_column = [[*filter(None, tiles)] if column in full else tiles for column in range(width)]
    return [[rng.choice(some) * rng.choice(owners) for some in by_column] for _ in range(height)]


def crowded_duels(rng: Random, count: int, tiles: tuple[int, ...] = TILES) -> list[Board]:
    """Return random boards on which tiles of both players stand anywhere, in either half.

    >>> crowded_duels(Random(1), 1)[0][0]
    [0, 2, -4, -4, 2, 4, -4, 16]
    """
    return [_drawn(rng, HEIGHT, WIDTH, tiles=tiles) for _ in range(count)]


@made_once
def played_duels(rng: Random, count: int) -> list[Board]:
    """Return boards, each from a duel of 1 to 60 rounds in which both players make random moves.

    >>> played_duels(Random(8), 1)[0][0]
    [0, 2, 8, 2, 0, -2, -4, -2]
    """
    boards = []
    for _ in range(count):
        board = empty_duel()
        for _ in range(rng.randint(1, LAST_ROUND)):
            number = rng.randrange(1000)
            for player in PLAYERS:
                if squares := legal_squares(board, player, number):
                    board = place(board, player, rng.choice(squares), number)
            for player in PLAYERS:
                if directions := legal_directions(board, player):
                    board = push(board, player, rng.choice(directions))
        boards.append(board)
    return boards


def some_duels(rng: Random, count: int) -> list[Board]:
    """Return `count` different boards out of 60 `played_duels`; these 60 are always the same."""
    return rng.sample(played_duels(Random("duels"), 60), count)


@made_once
def duels_of_every_kind() -> list[Board]:
    """Return boards of every kind, in sizes from 1 × 2 to 9 × 12.

    Of each size there are: an empty board; one with one tile; full boards, on which all tiles
    belong to one player or to both; boards on which one territory is full; a board with one empty
    square; boards with tiles anywhere, some of them far above 2048; and a draw.

    >>> duels_of_every_kind()[:3]
    [[[0, 0]], [[0, 2]], [[2, 8]]]
    """
    rng, boards = Random("every kind of duel"), list[Board]()
    for number, (height, width) in enumerate(SIZES):
        player = PLAYERS[number % 2]
        drawn, every, half = partial(_drawn, rng, height, width), range(width), width // 2
        empty: Board = [[0] * width for _ in range(height)]
        one_tile = [row[:] for row in empty]
        one_tile[rng.randrange(height)][rng.randrange(width)] = 2 * player
        almost = drawn(every)
        almost[rng.randrange(height)][rng.randrange(width)] = 0
        draw = [row[:half] + [-tile for tile in row[:half]] for row in drawn(every)]
        boards += [empty, one_tile, drawn(owners=(player,)), drawn(every, (player,))]
        boards += [drawn(tiles=LARGE), drawn(every, tiles=LARGE)]
        boards += [drawn(range(half)), drawn(range(half, width)), almost, draw]
    return boards
