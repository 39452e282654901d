"""Cases to test functions with: lines, boards, turns and duels.

A case is what a check passes to a function: a line, a board, or all arguments of a call. Most sets
of cases are about one idea of the rules, so that a failed check says which idea does not work yet.
"""

from course.cases.answer_facts import (
    begins_at_the_start,
    changes_nothing_else,
    goes_by_the_step,
    has_count_squares,
    has_its_shape,
    has_two_tiles,
    in_reading_order,
    is_full,
    keeps_length,
    one_for_each_empty_square,
    one_new_tile,
    one_start_a_line,
    one_tile_more,
    six_are_gone,
    slides_first,
    with_seeds,
)
from course.cases.boards import (
    WRONG_DIRECTIONS,
    announced_moves,
    boards_about,
    boards_of_every_kind,
    each_direction,
    gone_tiles,
    is_like_before,
    is_squares,
    moves_that,
    new_tiles,
    random_boards,
    slid_some_way,
    what_happens,
)
from course.cases.case_cache import asked_for, precompute
from course.cases.duels import crowded_duels, duels_of_every_kind, played_duels, some_duels
from course.cases.endings import boards_about_over
from course.cases.lines import SQUARES, every_line, lines_about, random_lines
from course.rules.shape import is_board

__all__ = [
    "SQUARES",
    "WRONG_DIRECTIONS",
    "announced_moves",
    "asked_for",
    "begins_at_the_start",
    "boards_about",
    "boards_about_over",
    "boards_of_every_kind",
    "changes_nothing_else",
    "crowded_duels",
    "duels_of_every_kind",
    "each_direction",
    "every_line",
    "goes_by_the_step",
    "gone_tiles",
    "has_count_squares",
    "has_its_shape",
    "has_two_tiles",
    "in_reading_order",
    "is_board",
    "is_full",
    "is_like_before",
    "is_squares",
    "keeps_length",
    "lines_about",
    "moves_that",
    "new_tiles",
    "one_for_each_empty_square",
    "one_new_tile",
    "one_start_a_line",
    "one_tile_more",
    "played_duels",
    "precompute",
    "random_boards",
    "random_lines",
    "six_are_gone",
    "slid_some_way",
    "slides_first",
    "some_duels",
    "what_happens",
    "with_seeds",
]
