"""Shapes: functions that tell if a value is a line or a board, whatever numbers it holds."""

from itertools import chain


def is_line(value: object, signed: bool = False) -> bool:
    """Return true if a value is a line: a list of one square or more, each a whole number.

    Negative numbers are allowed only if `signed` is true: in a duel, the second player's tiles are
    negative.

    >>> is_line([2, 0]), is_line([]), is_line([True]), is_line([-2]), is_line([-2], signed=True)
    (True, False, False, False, True)
    """
    if type(value) is not list or set(map(type, value)) != {int}:
        return False
    return signed or min(value) >= 0


def is_board(value: object, signed: bool = False) -> bool:
    """Return true if a value is a board: a list of one or more rows, all lines of equal length.

    Negative numbers are allowed only if `signed` is true.

    >>> is_board([[2, 0], [4, 8]]), is_board([[2], [2, 2]]), is_board([2]), is_board([])
    (True, False, False, False)
    """
    if type(value) is not list or set(map(type, value)) != {list}:
        return False
    return len(set(map(len, value))) == 1 and is_line([*chain.from_iterable(value)], signed)
