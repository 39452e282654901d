"""A duel: a game of two players on one board, of which each player owns one half, a territory.

The first player is `1`, the second is `-1`. Tiles of the first player are positive numbers,
those of the second are negative. The first player's territory is the left half of the board, the
second's is the right half. A player's own territory is also called home. Each round has a random
number that is public: both players know it. It chooses, for each
player, the one square at home that the player may fill. A duel is played on 4 rows × 8 columns.
The rules are those of Sessdsa.2048.
"""

from collections.abc import Iterator
from functools import cache, lru_cache

from course.rules.board import (
    DIRECTIONS,
    Board,
    Square,
    check_direction,
    squares_from,
)

PLAYERS = (1, -1)
HEIGHT, WIDTH = 4, 8
PLACED = 2  # every tile that is placed is a 2


def empty_duel() -> Board:
    """Return the board at the start of a duel, on which there are no tiles.

    >>> len(empty_duel()), empty_duel()[0]
    (4, [0, 0, 0, 0, 0, 0, 0, 0])
    """
    return [[0] * WIDTH for _ in range(HEIGHT)]


def territory(square: Square, width: int = WIDTH) -> int:
    """Return the player whose territory a square is in: 1 in the left half, -1 in the right half.

    Take a (row, column) of a board that is `width` squares wide.

    >>> territory((0, 3)), territory((0, 4))
    (1, -1)
    """
    return 1 if square[1] < width // 2 else -1


def empties(board: Board, player: int) -> list[Square]:
    """Return the empty squares of a player's territory, as (row, column) in reading order.

    >>> empties([[2, 0, 0, -2], [0, 4, 0, 0]], -1)
    [(0, 2), (1, 2), (1, 3)]
    """
    half = len(board[0]) // 2
    start = 0 if player == 1 else half
    return [
        (row, column)
        for row, squares in enumerate(board)
        for column in range(start, start + half)
        if squares[column] == 0
    ]


def own_square(board: Board, player: int, number: int) -> Square | None:
    """Return the one square of the player's own territory that the player may fill in a round.

    The empty squares of the territory are listed in reading order; for the second player, this list
    is reversed. The square is the item at the index `number % length`, where `number` is the public
    number of the round. Return (row, column), or `None` if the territory is full.

    >>> own_square([[2, 0, 0, 0], [0, 0, 0, 0]], 1, 4)
    (1, 0)
    >>> own_square([[2, 0, 0, 0], [0, 0, 0, 0]], -1, 4)
    (1, 3)
    """
    squares = empties(board, player)
    if not squares:
        return None
    if player == -1:
        squares.reverse()
    return squares[number % len(squares)]


def legal_squares(board: Board, player: int, number: int) -> list[Square]:
    """Return the squares that a player may fill in a round, as (row, column) in reading order.

    These are all empty squares of the opponent's territory, and one of the player's own, which the
    round's public `number` chooses. The list is empty if both territories are full.

    >>> legal_squares([[2, 0, 0, 0], [0, 0, 0, -2]], 1, 4)
    [(0, 2), (0, 3), (1, 0), (1, 2)]
    """
    squares = empties(board, -player)
    own = own_square(board, player, number)
    return squares if own is None else sorted([*squares, own])


def place(board: Board, player: int, square: Square, number: int) -> Board:
    """Place a 2 on a legal square; the tile belongs to the owner of the territory it is placed in.

    `player` is the player who places the tile, `number` the public number of the round. Return a
    new board; raise `ValueError` for a square that is not legal.

    >>> place([[0, 0]], 1, (0, 0), 0), place([[0, 0]], 1, (0, 1), 0)
    ([[2, 0]], [[0, -2]])
    """
    if square not in legal_squares(board, player, number):
        raise ValueError(f"{square!r} is not a square that this player may fill now")
    placed = [row[:] for row in board]
    placed[square[0]][square[1]] = PLACED * territory(square, len(board[0]))
    return placed


def push(board: Board, player: int, direction: str) -> Board:
    """Push all tiles of one player towards the side that `direction` names, the frontmost first.

    Return a new board; raise `ValueError` for a direction that is not one of the four. If no tile
    moves, the new board is equal to the old one, and the push was not legal.

    >>> push([[4, 0, 4, 2, 2, 0, 0, 0]], 1, "right")
    [[0, 0, 0, 8, 4, 0, 0, 0]]
    >>> push([[0, 0, 0, -2, 2, 0, 0, 0]], 1, "left")
    [[0, 0, 0, 4, 0, 0, 0, 0]]
    """
    check_direction(direction)
    pushed = [row[:] for row in board]
    for squares, line in _changed_lines(board, player, direction):
        for (row, column), tile in zip(squares, line, strict=True):
            pushed[row][column] = tile * player
    return pushed


def _changed_lines(
    board: Board, player: int, direction: str
) -> Iterator[tuple[list[Square], tuple[int, ...]]]:
    """Yield (squares, numbers) for each line that a push changes: the numbers are those after it.

    The numbers of the tiles of `player` are positive, even if `player` is -1.
    """
    for squares, is_own in lines_of(len(board), len(board[0]), player, direction):
        line = tuple([board[row][column] * player for row, column in squares])
        pushed = _pushed_line(line, is_own)
        if pushed != line:
            yield squares, pushed


@lru_cache(100_000)  # most lines of a duel occur many times
def _pushed_line(line: tuple[int, ...], is_own: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(push_line(list(line), list(is_own)))


@cache  # agents that look ahead push a million times
def lines_of(
    height: int, width: int, player: int, direction: str
) -> list[tuple[list[Square], tuple[bool, ...]]]:
    """Return each line of a board as a pair: its squares, and a flag for each of these squares.

    A flag is true if its square is in the player's own territory. The first square of each line is
    at the side that `direction` names.

    >>> lines_of(1, 2, 1, "right")
    [([(0, 1), (0, 0)], (False, True))]
    """
    lines = squares_from(direction, height, width)
    return [(line, tuple(territory(square, width) == player for square in line)) for line in lines]


def push_line(line: list[int], is_own: list[bool]) -> list[int]:
    """Push the positive tiles of a line to its front, each until something stops it.

    A pushed tile moves through empty squares of its player's territory. It stops before an empty
    square of the other territory, at the wall, and before a tile of another value. If it meets a
    tile of the same value, it eats this tile, no matter who owns it; but a tile that has eaten is
    not eaten in the same push. A tile that eats takes the square of the eaten tile, doubles, and
    stops.

    `line` has the numbers of the line from the front on; those of the player who pushes are
    positive. `is_own` has a flag for each square, true if the square is in that player's territory.
    Return a new line.

    >>> push_line([0, -4, 4, 2, 2], [True] * 5)
    [0, 8, 4, 0, 0]
    >>> push_line([0, 2, 0, 2], [False, False, True, True])
    [0, 4, 0, 0]
    """
    pushed = list(line)
    has_eaten = None
    for square, tile in enumerate(line):
        if tile <= 0:
            continue
        front = square
        while front > 0 and pushed[front - 1] == 0 and is_own[front - 1]:
            front -= 1
        pushed[square] = 0
        if front > 0 and abs(pushed[front - 1]) == tile and front - 1 != has_eaten:
            front, tile = front - 1, 2 * tile
            has_eaten = front
        pushed[front] = tile
    return pushed


def legal_directions(board: Board, player: int) -> list[str]:
    """Return the directions in which a push by this player changes the board.

    The directions are in the order left, right, up, down. In the examples, columns 4 to 7 are the
    opponent's territory, into whose empty squares no tile moves.

    >>> legal_directions([[0, 0, 0, 0, 0, 2, 0, 0]], 1)
    []
    >>> legal_directions([[0, 0, 0, 0, 2, 0, 0, 0]], 1)
    ['left']
    """
    return [way for way in DIRECTIONS if any(_changed_lines(board, player, way))]


def leader(board: Board) -> int:
    """Return the player who leads, 1 or -1, or 0 for a draw.

    The player with more tiles of the highest value leads. If both players have equally many, the
    next lower value decides, and so on.

    >>> leader([[8, 0, -4, -4]]), leader([[8, 0, -8, -2]]), leader([[2, 0, 0, -2]])
    (1, -1, 0)
    """
    first = sorted((tile for row in board for tile in row if tile > 0), reverse=True)
    second = sorted((-tile for row in board for tile in row if tile < 0), reverse=True)
    return (first > second) - (first < second)
