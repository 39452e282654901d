"""A board: a list of rows, each a list of numbers. It has one row and one column at least."""

from itertools import chain

from course.rules.line import is_line, merge, points

Board = list[list[int]]
Square = tuple[int, int]

DIRECTIONS = ("left", "right", "up", "down")

# For each side of the board: the number of clockwise quarter turns that bring it to the left. After
# these turns, a move towards that side moves the tiles of each row towards index 0.
QUARTER_TURNS = {"left": 0, "down": 1, "right": 2, "up": 3}

# For each direction of a move: the step, as (rows, columns), from the front square of a line to the
# square behind it.
STEPS = {"left": (0, 1), "right": (0, -1), "up": (1, 0), "down": (-1, 0)}


def is_board(value: object, signed: bool = False) -> bool:
    """Return true if a value is a board: a list of one or more rows, all lines of equal length.

    Negative numbers are allowed only if `signed` is true.

    >>> is_board([[2, 0], [4, 8]]), is_board([[2], [2, 2]]), is_board([2]), is_board([])
    (True, False, False, False)
    """
    if type(value) is not list or set(map(type, value)) != {list}:
        return False
    return len(set(map(len, value))) == 1 and is_line([*chain.from_iterable(value)], signed)


def check_direction(direction: str) -> None:
    """Raise `ValueError` if `direction` is not one of the four; its message names all four."""
    if direction not in DIRECTIONS:
        raise ValueError(f"{direction!r} is not one of 'left', 'right', 'up', 'down'")


def rotate(board: Board) -> Board:
    """Turn a board clockwise by a quarter: its left column, read upwards, becomes its top row.

    Take a board of height × width; return a new board of width × height.

    >>> rotate([[1, 2, 3], [4, 5, 6]])
    [[4, 1], [5, 2], [6, 3]]
    """
    return [list(column) for column in zip(*reversed(board), strict=True)]


def slide(board: Board, direction: str) -> Board:
    """Merge every line of a board towards the side that `direction` names.

    Turn the board clockwise until that side is on the left, and merge its rows. Then turn the
    board further clockwise, until it stands as it did before. (A tutorial on 2048 in Ruby
    slides boards in this way.) Return a new board of the same shape; raise `ValueError` for a
    direction that is not one of the four.

    >>> slide([[2, 2], [0, 4]], "right")
    [[0, 4], [0, 4]]
    """
    check_direction(direction)
    turns = QUARTER_TURNS[direction]
    for _ in range(turns):
        board = rotate(board)
    board = [merge(row) for row in board]
    for _ in range((4 - turns) % 4):
        board = rotate(board)
    return board


def start_squares(board: Board, direction: str) -> list[Square]:
    """Return the squares along the wall that tiles move to: the front square of each line.

    Each square is (row, column); the list goes from left to right, or from top to bottom. Raise
    `ValueError` for a direction that is not one of the four.

    >>> start_squares([[2, 0, 0], [0, 4, 8]], "right")
    [(0, 2), (1, 2)]
    """
    check_direction(direction)
    height, width = len(board), len(board[0])
    if direction in ("left", "right"):
        return traverse((0, 0 if direction == "left" else width - 1), (1, 0), height)
    return traverse((0 if direction == "up" else height - 1, 0), (0, 1), width)


def traverse(start: Square, step: tuple[int, int], count: int) -> list[Square]:
    """Return `count` squares: first `start`, then each square one `step` beyond the one before.

    Squares are (row, column); a step is (rows, columns).

    >>> traverse((0, 3), (0, -1), 3)
    [(0, 3), (0, 2), (0, 1)]
    """
    return [(start[0] + index * step[0], start[1] + index * step[1]) for index in range(count)]


def squares_from(direction: str, height: int, width: int) -> list[list[Square]]:
    """Return the rows or columns of a board; each begins at the side that `direction` names.

    >>> squares_from("right", 1, 3)
    [[(0, 2), (0, 1), (0, 0)]]
    """
    count = width if direction in ("left", "right") else height
    starts = start_squares([[0] * width] * height, direction)
    return [traverse(start, STEPS[direction], count) for start in starts]


def slide_by_offsets(board: Board, direction: str) -> Board:
    """Slide a board without turning it: walk along every line from the wall inwards, and merge it.

    The online course Principles of Computing slides boards in this way. The start squares along one
    wall are needed, and an offset: the step from each square of a line to the next. Return the same
    board as `slide`; raise `ValueError` for a direction that is not one of the four.

    >>> slide_by_offsets([[2, 2], [0, 4]], "right")
    [[0, 4], [0, 4]]
    """
    starts = start_squares(board, direction)
    count = len(board[0]) if direction in ("left", "right") else len(board)
    moved = [row[:] for row in board]
    for start in starts:
        squares = traverse(start, STEPS[direction], count)
        line = merge([board[row][column] for row, column in squares])
        for (row, column), tile in zip(squares, line, strict=True):
            moved[row][column] = tile
    return moved


def is_legal(board: Board, direction: str) -> bool:
    """Return true if a move is legal: at least one tile slides or merges, so that a line changes.

    Raise `ValueError` for a direction that is not one of the four.

    >>> is_legal([[2, 4]], "left"), is_legal([[2, 4, 0]], "right")
    (False, True)
    """
    check_direction(direction)
    for _ in range(QUARTER_TURNS[direction]):
        board = rotate(board)
    return any(merge(row) != row for row in board)


def slide_points(board: Board, direction: str) -> int:
    """Return the points that a slide gives: the sum of the tiles that its merges make.

    Raise `ValueError` for a direction that is not one of the four.

    >>> slide_points([[2, 2], [0, 4]], "left"), slide_points([[2, 2], [0, 4]], "up")
    (4, 0)
    """
    check_direction(direction)
    is_flat, is_turned = direction in ("left", "right"), direction in ("right", "down")
    lines = board if is_flat else [list(column) for column in zip(*board, strict=True)]
    return sum(points(line[::-1] if is_turned else line) for line in lines)
