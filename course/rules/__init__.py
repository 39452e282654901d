"""The course's own rules of 2048, which a learner's functions are compared with.

Each file is about one thing: a line, a board, a game. The rules read no file and no clock, and take
all their randomness from a `Random` object, never from the functions of the module `random`.
"""

from course.rules.agent import Agent
from course.rules.board import (
    DIRECTIONS,
    Board,
    Square,
    is_legal,
    rotate,
    slide,
    slide_by_offsets,
    start_squares,
    traverse,
)
from course.rules.duel import (
    leader,
    legal_directions,
    legal_squares,
    own_square,
    place,
    push,
    push_line,
)
from course.rules.game import Game
from course.rules.line import Line, close_gaps, merge, points
from course.rules.over import has_pair, has_won, is_over
from course.rules.score_counter import Score
from course.rules.spawn import empty_cells, new_board, spawn, take_turn
from course.rules.special_game import SpecialGame, has_won_special, second_chance
from course.rules.speech import (
    announce_line,
    announce_move,
    announce_square,
    announce_status,
    find_square,
    merged_tiles,
    move_cursor,
    name_square,
)

__all__ = [
    "DIRECTIONS",
    "Agent",
    "Board",
    "Game",
    "Line",
    "Score",
    "SpecialGame",
    "Square",
    "announce_line",
    "announce_move",
    "announce_square",
    "announce_status",
    "close_gaps",
    "empty_cells",
    "find_square",
    "has_pair",
    "has_won",
    "has_won_special",
    "is_legal",
    "is_over",
    "leader",
    "legal_directions",
    "legal_squares",
    "merge",
    "merged_tiles",
    "move_cursor",
    "name_square",
    "new_board",
    "own_square",
    "place",
    "points",
    "push",
    "push_line",
    "rotate",
    "second_chance",
    "slide",
    "slide_by_offsets",
    "spawn",
    "start_squares",
    "take_turn",
    "traverse",
]
