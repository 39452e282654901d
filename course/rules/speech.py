"""Speech: short sentences about a board and its moves, for somebody who cannot see the board."""

import re
from collections import Counter

from course.rules.board import STEPS, Board, Square, check_direction
from course.rules.over import has_won, is_over

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def name_square(row: int, column: int) -> str:
    """Return the name of a square: the letter of its column, and the number of its row from 1.

    A1 is the upper left square. Raise `ValueError` for a negative row or column, and for a column
    beyond Z.

    >>> name_square(0, 0), name_square(2, 1)
    ('A1', 'B3')
    """
    if row < 0 or not 0 <= column < len(LETTERS):
        raise ValueError(f"row {row}, column {column} has no name: names go from A1 to column Z")
    return f"{LETTERS[column]}{row + 1}"


def find_square(name: str) -> Square:
    """Return the square that has this name; the reverse of `name_square`.

    The square is (row, column), counted from 0. Raise `ValueError` if the name is not one capital
    letter followed by a row number, from 1 on.

    >>> find_square("B3")
    (2, 1)
    """
    if not re.fullmatch("[A-Z][1-9][0-9]*", name):
        raise ValueError(f"{name!r} names no square: write a capital letter and a number, as B3")
    return int(name[1:]) - 1, LETTERS.index(name[0])


def announce_square(board: Board, row: int, column: int, empty: str = "zero") -> str:
    """Return the announcement of a square: its name, and its tile, or `empty` if it has no tile.

    >>> announce_square([[2, 0]], 0, 0), announce_square([[2, 0]], 0, 1)
    ('A1 2', 'B1 zero')
    """
    return f"{name_square(row, column)} {board[row][column] or empty}"


def announce_line(
    board: Board, row: int | None = None, column: int | None = None, empty: str = "zero"
) -> str:
    """Return the announcement of a whole row, or of a whole column from the top.

    Take either a row or a column, counted from 0; `empty` is the word for an empty square. Raise
    `ValueError` if both or neither are passed, and for a column beyond Z, which has no name.

    >>> announce_line([[2, 0], [4, 8]], row=0), announce_line([[2, 0], [4, 8]], column=1)
    ('Row 1: 2, zero', 'Column B: zero, 8')
    """
    if row is not None and column is None:
        name, line = f"Row {row + 1}", board[row]
    elif column is not None and row is None:
        letter = name_square(0, column)[0]
        name, line = f"Column {letter}", [squares[column] for squares in board]
    else:
        raise ValueError("announce_line reads one line: give it a row or a column")
    return f"{name}: {', '.join(str(tile or empty) for tile in line)}"


def merged_tiles(before: Board, after: Board, spawned: Square | None = None) -> list[int]:
    """Return the tiles that merges made in a turn, the largest first.

    Take the boards before and after the turn, and the square of the spawned tile, if there is one.
    The merges are found by counting: tiles that are missing after the turn have merged, in pairs.
    The smallest value is counted first, because its merges make tiles of the next value.

    >>> merged_tiles([[2, 2, 4, 4]], [[4, 8, 0, 2]], spawned=(0, 3))
    [8, 4]
    """
    missing = Counter(tile for line in before for tile in line if tile)
    missing.subtract(tile for line in after for tile in line if tile)
    if spawned is not None:
        missing[after[spawned[0]][spawned[1]]] += 1
    made: list[int] = []
    for value in sorted(missing):
        merges = max(0, missing[value] // 2)
        missing[2 * value] += merges
        made = [2 * value] * merges + made
    return made


def say_merges(before: Board, after: Board, spawned: Square | None = None) -> str:
    """Return a sentence that names each value made by merges once; "" if nothing merged.

    >>> say_merges([[2, 2, 4, 4]], [[4, 8, 0, 0]])
    'Merged into 8 and 4.'
    """
    made = dict.fromkeys(merged_tiles(before, after, spawned))
    return f"Merged into {' and '.join(map(str, made))}." if made else ""


def announce_move(
    before: Board,
    after: Board,
    gained: int,
    spawned: Square | None,
    *,
    won: bool | None = None,
    over: bool | None = None,
) -> str:
    """Return the announcement of a move: what merged, the points, the new tile, a win, the end.

    Take the boards before and after the turn, the points gained, and the square of the new tile
    (`None` if there is none). `won` is true if the move won the game, `over` if it ended the game.
    If `won` or `over` is left out, it is worked out from the boards, with 2048 as the goal. What
    did not happen is not mentioned.

    >>> announce_move([[2, 2, 0]], [[4, 0, 2]], 4, (0, 2))
    'Merged into 4. 4 points. New 2 at C1.'
    >>> announce_move([[2, 4, 0]], [[2, 4, 0]], 0, None)
    'Nothing moved.'
    """
    merges = say_merges(before, after, spawned)
    said = []
    if before == after:
        said.append("Nothing moved.")
    if merges:
        said.append(merges)
    if gained:
        said.append(f"{gained} points.")
    if spawned is not None:
        row, column = spawned
        said.append(f"New {after[row][column]} at {name_square(row, column)}.")
    if has_won(after) and not has_won(before) if won is None else won:
        said.append("You win!")
    if before != after and is_over(after) if over is None else over:
        said.append("Game over.")
    return " ".join(said)


def announce_status(score: int, moves: int) -> str:
    """Return the announcement of the score and the number of moves.

    >>> announce_status(120, 14), announce_status(4, 1)
    ('Score 120, 14 moves', 'Score 4, 1 move')
    """
    return f"Score {score}, {moves} {'move' if moves == 1 else 'moves'}"


def move_cursor(board: Board, square: Square, direction: str) -> Square:
    """Return the square to which a cursor steps in a direction; at the wall, it does not move.

    Take and return the cursor's square as (row, column). Raise `ValueError` for a direction that
    is not one of the four.

    >>> move_cursor([[2, 0], [0, 4]], (0, 0), "right")
    (0, 1)
    >>> move_cursor([[2, 0], [0, 4]], (0, 1), "right")
    (0, 1)
    """
    check_direction(direction)
    back_rows, back_columns = STEPS[direction]
    row, column = square[0] - back_rows, square[1] - back_columns
    if 0 <= row < len(board) and 0 <= column < len(board[0]):
        return row, column
    return square
