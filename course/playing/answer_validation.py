"""The pieces of a game: the form that each answer must have, and rules with some pieces replaced.

A piece is a function of the rules, such as `merge`, that a learner can replace by one of their own.
"""

import builtins
import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import Any

import course
from course import rules
from course.playing.calls import shown
from course.refusal import Refusal
from course.rules.shape import is_line

Function = Callable[..., Any]

# A tile or a score must be smaller than this: a browser does not count larger numbers exactly.
LIMIT = 2**53
LONGEST_TEXT = 1000  # an announcement is one sentence or two
LARGEST_SIDE = 32

# Each piece of a game, and the form that its answers must have.
WANTED = {
    "close_gaps": "line",
    "merge": "line",
    "points": "number",
    "rotate": "turned board",
    "start_squares": "squares",
    "traverse": "squares",
    "slide": "board",
    "slide_by_offsets": "board",
    "is_legal": "truth",
    "empty_cells": "squares of the board",
    "spawn": "board",
    "new_board": "new board",
    "take_turn": "board",
    "has_pair": "truth",
    "is_over": "truth",
    "has_won": "truth",
    "has_won_special": "truth",
    "second_chance": "board and score",
    "name_square": "text",
    "announce_square": "text",
    "announce_line": "text",
    "announce_move": "text",
    "announce_status": "text",
    "move_cursor": "square of the board",
}


def reference(given: Mapping[str, Function]) -> dict[str, Any]:
    """Return a copy of the rules, in which given functions replace those with the same names.

    The copy is one dictionary of all names of the rules: its `slide` calls the given `merge`. Code
    that is run with its `__builtins__` gets the copy if it imports `course.rules`.

    If `start_squares`, `traverse` or `slide_by_offsets` is given, but no `slide`, the copy slides
    by offsets. If `close_gaps` is given, but no `merge`, tiles only slide, and never merge.

    >>> reference({"merge": lambda line: line})["slide"]([[0, 2]], "left")
    [[0, 2]]
    >>> reference({})["SpecialGame"].__mro__[1] is rules.Game
    False
    """
    ran = set[str]()

    def imported(name: str, *details: Any) -> ModuleType:
        module: ModuleType = __import__(name, *details)
        if module is course:
            return _twin(course, {"rules": _twin(rules, world)})
        if name.partition(".rules")[0] != "course":
            return module
        if name not in ran:
            ran.add(name)
            exec(_program(name), world)  # noqa: S102 — the course's own rules
        return _twin(module, world)

    world: dict[str, Any] = {"__name__": rules.__name__}
    world["__builtins__"] = {**vars(builtins), "__import__": imported}
    imported(rules.__name__, None, None, ("*",))
    world |= given
    if "slide" not in given and given.keys() & {"start_squares", "traverse", "slide_by_offsets"}:
        world["slide"] = world["slide_by_offsets"]
    if "merge" not in given and "close_gaps" in given:
        world["merge"] = world["close_gaps"]
    return world


@cache
def _program(name: str) -> Any:
    loader: Any = sys.modules[name].__loader__
    return loader.get_code(name)


def _twin(module: ModuleType, world: Mapping[str, Any]) -> ModuleType:
    """Return a copy of a module, in which the values of `world` replace those of the same names."""
    twin = ModuleType(module.__name__)
    vars(twin).update({name: world.get(name, value) for name, value in vars(module).items()})
    return twin


def answer_problem(name: str, answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return a sentence on a wrong form of an answer of a piece, or `None` if its form is right."""
    form, first = WANTED[name], arguments[0]
    match form:
        case "line":
            return _line_problem(answer, len(first))
        case "board":
            return _board_problem(answer, len(first), len(first[0]))
        case "turned board":
            return _board_problem(answer, len(first[0]), len(first))
        case "new board":
            return _board_problem(answer, first, arguments[1])
        case "board and score":
            size = len(first), len(first[0])
            is_pair = type(answer) is tuple and len(answer) == 2 and is_count(answer[1])
            if is_pair and not _board_problem(answer[0], *size):
                return None
            board = f"a board of {size[0]} × {size[1]} squares"
            return f"It must give {board} and a score: return board, score."
        case "truth":
            return None if type(answer) is bool else "It must give True or False."
        case "number":
            return None if is_count(answer) else "It must give a whole number."
        case "text":
            if type(answer) is not str:
                return "It must give a text."
            is_short = len(answer) <= LONGEST_TEXT
            return None if is_short else f"It must give a text of at most {LONGEST_TEXT} letters."
        case "square of the board":
            if not _is_square(answer):
                return "It must give a square, a tuple (row, column)."
            return _outside(answer, first)
    if type(answer) is not list or not all(map(_is_square, answer)):
        return "It must give a list of squares, each a tuple (row, column)."
    problems = (_outside(square, first) for square in answer if form != "squares")
    return next(filter(None, problems), None)


def _line_problem(answer: Any, length: int, name: str = "The line") -> str | None:
    if type(answer) is not list:
        return f"It must give a list of {length} numbers."
    if len(answer) != length:
        return f"{name} has {length} squares, the answer has {len(answer)}."
    if not is_line(answer):
        return "Every square must be a whole number: a tile, or 0 where it is empty."
    if max(answer) >= LIMIT:
        return "One of its tiles is too large for any board."
    return None


def _board_problem(answer: Any, height: int, width: int) -> str | None:
    if type(answer) is not list or not all(type(row) is list for row in answer):
        return f"It must give a board: a list of {height} rows, each a list of {width} numbers."
    if len(answer) != height:
        return f"The board has {height} rows, the answer has {len(answer)}."
    problems = (_line_problem(row, width, "Each row") for row in answer)
    return next(filter(None, problems), None)


def is_count(value: Any) -> bool:
    """Return true if a value can be a score: an `int` that is not too large.

    >>> is_count(-2048), is_count(True), is_count(10**1000)
    (True, False, False)
    """
    return type(value) is int and abs(value) < LIMIT


def _is_square(value: Any) -> bool:
    return (
        type(value) is tuple
        and len(value) == 2
        and all(type(number) is int and number >= 0 for number in value)
    )


def _outside(square: Any, board: Any) -> str | None:
    is_on_board = square[0] < len(board) and square[1] < len(board[0])
    return None if is_on_board else f"There is no square {shown(square)} on the board."


def check_size(height: Any, width: Any) -> None:
    """Raise `Refusal` if no board can have this height and width."""
    for name, size in (("height", height), ("width", width)):
        if type(size) is not int or not 1 <= size <= LARGEST_SIDE:
            raise Refusal(
                f"{name} must be a whole number from 1 to {LARGEST_SIDE}, and not {shown(size)}"
            )


def check_board(board: Any) -> None:
    """Raise `Refusal` if a value is not a board that a game can start from."""
    if type(board) is not list:
        kind = type(board).__name__
        raise Refusal(f"board must be a list of rows, [[2, 0], [0, 2]] say, and not a {kind}")
    if not 1 <= len(board) <= LARGEST_SIDE:
        raise Refusal(f"board has {len(board)} rows: a board has 1 to {LARGEST_SIDE} of them")
    for number, row in enumerate(board):
        name = f"board[{number}]"
        if type(row) is not list:
            raise Refusal(f"{name} is {shown(row)}: a row must be a list of whole numbers")
        squares = f"{name} has {len(row)} square{'' if len(row) == 1 else 's'}"
        if not 1 <= len(row) <= LARGEST_SIDE:
            raise Refusal(f"{squares}: a row has 1 to {LARGEST_SIDE} of them")
        for column, tile in enumerate(row):
            said = f"{name}[{column}] is {shown(tile)}"
            if type(tile) is not int:
                kind = type(tile).__name__
                raise Refusal(f"{said}, of the type {kind}: it must be an int, as 2 is")
            if tile < 0 or tile == 1 or tile & (tile - 1) or tile >= LIMIT:
                raise Refusal(f"{said}: a square holds 0, or a tile such as 2, 4, 8 or 16")
        if len(row) != len(board[0]):
            lengths = f"{squares} and board[0] has {len(board[0])}"
            raise Refusal(f"{lengths}: all rows must be of one length")
