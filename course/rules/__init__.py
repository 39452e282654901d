"""The reference rules of 2048, one noun a file. Pure: no disk, no clock, no global randomness."""

from course.rules.board import (
    DIRECTIONS,
    Board,
    Square,
    is_legal,
    rotate,
    slide,
    slide_by_offsets,
    traverse,
)
from course.rules.game import Game
from course.rules.line import Line, close_gaps, merge, points
from course.rules.over import has_pair, has_won, is_over
from course.rules.spawn import empty_cells, new_board, spawn, take_turn

__all__ = [
    "DIRECTIONS",
    "Board",
    "Game",
    "Line",
    "Square",
    "close_gaps",
    "empty_cells",
    "has_pair",
    "has_won",
    "is_legal",
    "is_over",
    "merge",
    "new_board",
    "points",
    "rotate",
    "slide",
    "slide_by_offsets",
    "spawn",
    "take_turn",
    "traverse",
]
