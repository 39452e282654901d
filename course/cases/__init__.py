"""What functions are tested with: lines, boards and endings, each set about one idea."""

from course.cases.boards import (
    boards_about,
    each_direction,
    is_squares,
    moves_that,
    new_tiles,
    random_boards,
    slid_some_way,
)
from course.cases.endings import boards_about_over
from course.cases.lines import every_line, lines_about, random_lines
from course.rules.shape import is_board

__all__ = [
    "boards_about",
    "boards_about_over",
    "each_direction",
    "every_line",
    "is_board",
    "is_squares",
    "lines_about",
    "moves_that",
    "new_tiles",
    "random_boards",
    "random_lines",
    "slid_some_way",
]
