"""Shapes: what is a line, and what is a board, whatever stands on its squares."""


def is_line(value: object, signed: bool = False) -> bool:
    """A line is a list of one square or more, each a whole number.

    It is not negative, unless `signed`: the tiles of the second player in a duel are.

    >>> is_line([2, 0]), is_line([]), is_line([True]), is_line([-2]), is_line([-2], signed=True)
    (True, False, False, False, True)
    """
    return (
        type(value) is list
        and bool(value)
        and all(type(square) is int and (signed or square >= 0) for square in value)
    )


def is_board(value: object, signed: bool = False) -> bool:
    """A board is a list of one row or more, each a line, all of one length.

    >>> is_board([[2, 0], [4, 8]]), is_board([[2], [2, 2]]), is_board([2]), is_board([])
    (True, False, False, False)
    """
    return (
        type(value) is list
        and bool(value)
        and all(is_line(row, signed) for row in value)
        and len({len(row) for row in value}) == 1
    )
