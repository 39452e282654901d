"""Checks of the form of each piece's answers; if an answer is wrong, they say why in words."""

from collections.abc import Callable
from typing import Any

from course.playing.calls import shown
from course.rules.shape import is_line

Wanted = Callable[[Any, tuple[Any, ...]], str | None]

# A tile or a score must be smaller: beyond it, a browser does not count exactly any more.
LIMIT = 2**53
LONGEST_TEXT = 1000  # an announcement is one sentence or two


def line_problem(answer: Any, length: int, what: str = "The line") -> str | None:
    """Return why an answer is no line of this length, or `None` if it is one.

    >>> line_problem([2], 4)
    'The line has 4 squares, the answer has 1.'
    """
    if type(answer) is not list:
        return f"It must give a list of {length} numbers."
    if len(answer) != length:
        return f"{what} has {length} squares, the answer has {len(answer)}."
    if not is_line(answer):
        return "Every square must be a whole number: a tile, or 0 where it is empty."
    if max(answer) >= LIMIT:
        return "One of its tiles is too large for any board."
    return None


def board_problem(answer: Any, height: int, width: int) -> str | None:
    """Return why an answer is no board of this size, or `None` if it is one."""
    if type(answer) is not list or not all(type(row) is list for row in answer):
        return f"It must give a board: a list of {height} rows, each a list of {width} numbers."
    if len(answer) != height:
        return f"The board has {height} rows, the answer has {len(answer)}."
    problems = (line_problem(row, width, "Each row") for row in answer)
    return next((problem for problem in problems if problem), None)


def is_count(value: Any) -> bool:
    """Return true if a value may be a score or a number of moves.

    >>> is_count(-2048), is_count(True), is_count(10**1000)
    (True, False, False)
    """
    return type(value) is int and abs(value) < LIMIT


def _wants_line(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return line_problem(answer, len(arguments[0]))


def _wants_board(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return board_problem(answer, len(arguments[0]), len(arguments[0][0]))


def _wants_turned(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return board_problem(answer, len(arguments[0][0]), len(arguments[0]))


def _wants_new(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return board_problem(answer, arguments[0], arguments[1])


def _wants_truth(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return None if type(answer) is bool else "It must give True or False."


def _wants_number(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return None if is_count(answer) else "It must give a whole number."


def _wants_text(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    if type(answer) is not str:
        return "It must give a text."
    return (
        None
        if len(answer) <= LONGEST_TEXT
        else f"It must give a text of at most {LONGEST_TEXT} letters."
    )


def _wants_squares(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    if type(answer) is list and all(map(_is_square, answer)):
        return None
    return "It must give a list of squares, each a tuple (row, column)."


def _wants_squares_of_board(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    problem = _wants_squares(answer, arguments)
    outside = [] if problem else [each for each in answer if not _is_on(each, arguments[0])]
    return f"There is no square {outside[0]} on the board." if outside else problem


def _wants_square_of_board(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    if not _is_square(answer):
        return "It must give a square, a tuple (row, column)."
    on_board = _is_on(answer, arguments[0])
    return None if on_board else f"There is no square {shown(answer)} on the board."


def _wants_board_and_score(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    if type(answer) is tuple and len(answer) == 2:
        board, score = answer
        if not _wants_board(board, arguments) and is_count(score):
            return None
    height, width = len(arguments[0]), len(arguments[0][0])
    return f"It must give a board of {height} × {width} squares and a score: return board, score."


def _is_square(value: Any) -> bool:
    return (
        type(value) is tuple
        and len(value) == 2
        and all(type(number) is int and number >= 0 for number in value)
    )


def _is_on(square: Any, board: Any) -> bool:
    return bool(square[0] < len(board) and square[1] < len(board[0]))


# Every piece that a game is made of, and the check of its answers.
WANTED: dict[str, Wanted] = {
    "close_gaps": _wants_line,
    "merge": _wants_line,
    "points": _wants_number,
    "rotate": _wants_turned,
    "start_squares": _wants_squares,
    "traverse": _wants_squares,
    "slide": _wants_board,
    "slide_by_offsets": _wants_board,
    "is_legal": _wants_truth,
    "empty_cells": _wants_squares_of_board,
    "spawn": _wants_board,
    "new_board": _wants_new,
    "take_turn": _wants_board,
    "has_pair": _wants_truth,
    "is_over": _wants_truth,
    "has_won": _wants_truth,
    "has_won_special": _wants_truth,
    "second_chance": _wants_board_and_score,
    "name_square": _wants_text,
    "announce_square": _wants_text,
    "announce_line": _wants_text,
    "announce_move": _wants_text,
    "announce_status": _wants_text,
    "move_cursor": _wants_square_of_board,
}
