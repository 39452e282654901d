"""Cases to test functions with: lines, boards, turns and duels.

A case is what a check passes to a function: a line, a board, or all arguments of a call. Most sets
of cases are about one idea of the rules, so that a failed check says which idea does not work yet.
"""

from course.cases.announced_moves import announced_moves
from course.cases.boards import (
    boards_about,
    each_direction,
    gone_tiles,
    is_like_before,
    is_squares,
    moves_that,
    new_tiles,
    random_boards,
    slid_some_way,
)
from course.cases.case_cache import asked_for, precompute
from course.cases.duels import crowded_duels, played_duels, some_duels
from course.cases.endings import boards_about_over
from course.cases.lines import SQUARES, every_line, lines_about, random_lines
from course.rules.shape import is_board

__all__ = [
    "SQUARES",
    "announced_moves",
    "asked_for",
    "boards_about",
    "boards_about_over",
    "crowded_duels",
    "each_direction",
    "every_line",
    "gone_tiles",
    "is_board",
    "is_like_before",
    "is_squares",
    "lines_about",
    "moves_that",
    "new_tiles",
    "played_duels",
    "precompute",
    "random_boards",
    "random_lines",
    "slid_some_way",
    "some_duels",
]
