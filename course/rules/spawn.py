"""Spawning: putting a new 2 or 4 on a random empty square. All random numbers are from `rng`."""

from random import Random

from course.rules.board import Board, Square, slide


def empty_cells(board: Board) -> list[Square]:
    """Return the empty squares as (row, column) in reading order: row by row, left to right.

    >>> empty_cells([[2, 0], [0, 4]])
    [(0, 1), (1, 0)]
    """
    return [
        (row, column)
        for row, squares in enumerate(board)
        for column, tile in enumerate(squares)
        if tile == 0
    ]


def spawn(board: Board, rng: Random, p_four: float = 0.1) -> Board:
    """Put a new tile on a random empty square: a 4 with the probability `p_four`, or else a 2.

    Return a new board; raise `ValueError` if no square is empty. The sources of these rules
    disagree on the probability: it is 0.1 in Principles of Computing, 0.5 in the Ruby tutorial.

    >>> spawn([[2, 0]], Random(1), p_four=0)
    [[2, 2]]
    """
    cells = empty_cells(board)
    if not cells:
        raise ValueError("the board is full: there is no empty square for a new tile")
    row, column = rng.choice(cells)
    spawned = [squares[:] for squares in board]
    spawned[row][column] = 4 if rng.random() < p_four else 2
    return spawned


def new_board(height: int, width: int, rng: Random, p_four: float = 0.1) -> Board:
    """Return the board of a new game: two spawned tiles, or only one on a board of one square.

    >>> sum(tile > 0 for row in new_board(3, 5, Random(1)) for tile in row)
    2
    """
    board = [[0] * width for _ in range(height)]
    for _ in range(min(2, height * width)):
        board = spawn(board, rng, p_four)
    return board


def take_turn(board: Board, direction: str, rng: Random, p_four: float = 0.1) -> Board:
    """Play a turn: slide the board and then, only if this changed the board, spawn a tile.

    Return a new board; raise `ValueError` for a direction that is not one of the four.

    >>> take_turn([[2, 4]], "left", Random(1))
    [[2, 4]]
    >>> take_turn([[2, 2]], "left", Random(1), p_four=1)
    [[4, 4]]
    """
    slid = slide(board, direction)
    if slid == board:
        return slid
    return spawn(slid, rng, p_four)
