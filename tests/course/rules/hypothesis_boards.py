"""Hypothesis strategies that make lines and boards of every shape."""

from hypothesis import strategies as st

from course.rules import DIRECTIONS

squares = st.sampled_from([0, 0, 0, 2, 2, 2, 4, 4, 8, 16, 1024])
lines = st.lists(squares, min_size=1, max_size=8)
directions = st.sampled_from(DIRECTIONS)
seeds = st.integers(0, 2**32)


@st.composite
def boards(draw, square=squares):
    """Make a board of 1 × 1 to 6 × 6 squares."""
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    row = st.lists(square, min_size=width, max_size=width)
    return draw(st.lists(row, min_size=height, max_size=height))


def flat(board):
    """Return all squares of a board, row by row."""
    return [tile for row in board for tile in row]
