"""A line: a list of squares whose tiles move towards its front, index 0."""

Line = list[int]


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


def close_gaps(line: Line) -> Line:
    """Move all tiles to the front, in the same order; the empty squares end up behind them.

    Take a line of one square or more; return a new line of the same length.

    >>> close_gaps([0, 2, 0, 4])
    [2, 4, 0, 0]
    """
    tiles = [tile for tile in line if tile != 0]
    return tiles + [0] * (len(line) - len(tiles))


def merge(line: Line) -> Line:
    """Slide tiles to the front, and merge pairs of equal neighbours, the pair at the front first.

    Take a line of one square or more; return a new line of the same length. A tile made by a
    merge does not merge again. Two equal tiles merge even if empty squares stand between them.
    (These are the rules of Principles of Computing, "Sliding and Merging".)

    >>> merge([2, 0, 2, 4])
    [4, 4, 0, 0]
    >>> merge([4, 4, 4, 4])
    [8, 8, 0, 0]
    """
    squares = close_gaps(line)
    for index in range(1, len(squares)):
        if squares[index - 1] == squares[index]:
            squares[index - 1] = 2 * squares[index]
            squares[index] = 0
    return close_gaps(squares)


def points(line: Line) -> int:
    """Return the points that merging a line gives: the sum of the tiles that the merges make.

    Take a line of one square or more. If nothing merges, the points are 0.

    >>> points([2, 2, 4, 4])
    12
    """
    left = close_gaps(line)
    gained = 0
    while len(left) > 1:
        first, second = left[0], left[1]
        if first == second:
            gained += first + second
            left = left[2:]
        else:
            left = left[1:]
    return gained
