"""Pieces: the functions of a game or a duel. Some are the learner's, the others the course's.

This file also checks the form of each answer, and of a board from which a game starts.
"""

import builtins
import sys
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache, partial
from inspect import signature
from random import Random
from types import ModuleType
from typing import Any

import course
from course import rules
from course.answer_comparison import same, same_in_any_order
from course.heard import sounds_like
from course.hints import Diagnosis, diagnose
from course.playing.board_notes import Answered, Fault, Report, claim
from course.playing.learner_calls import Stuck, Tail, call, latest, shown
from course.refusal import Refusal
from course.rules.board import is_board
from course.rules.line import is_line

Function = Callable[..., Any]

# A tile or a score must be smaller than this: a browser does not count larger numbers exactly.
LIMIT = 2**53
LONGEST_TEXT = 1000  # letters; a usual announcement is one sentence or two
LARGEST_SIDE = 32

# Each function of a game, and the form that its answers must have.
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

# The functions of a duel. The learner's answers are compared with those of the rules, but the duel
# goes on with the rules' answers.
DUEL = ("own_square", "legal_squares", "place", "push", "legal_directions", "leader")
IN_ANY_ORDER = {"legal_squares", "legal_directions", "start_squares"}

# The functions whose answers are not compared in this file. Some answers depend on chance. The
# others show in the board of the turn, which is compared as a whole in `game_in_progress.py`.
NOT_COMPARED = {"start_squares", "merge", "close_gaps", "slide", "slide_by_offsets"}
NOT_COMPARED |= {"spawn", "new_board", "take_turn", "second_chance"}

# The functions that return text to be read aloud: only the words that are heard are compared.
SPOKEN = frozenset(name for name in WANTED if name.startswith("announce_"))

# The options that a learner's function may leave out.
OPTIONAL = ("empty", "won", "over")


class Pieces:
    """All functions of a game or a duel, by name: the learner's in `given`, else the rules'.

    A function in `given` replaces the rules' function of the same name everywhere: the rules'
    `slide` then calls the learner's `merge`. `right` has only functions of the rules. `report`
    collects the faults of the learner's functions, and the text that they print.
    """

    def __init__(self, given: Mapping[str, Function]) -> None:
        self.given = {name: latest(function) for name, function in given.items()}
        self.report = Report()
        self.right = reference({name: getattr(rules, name) for name in given})
        self._all = reference({name: partial(self._asked, name) for name in given})
        self._diagnoses: dict[Function, Diagnosis | None] = {}

    def __getitem__(self, name: str) -> Function:
        function: Function = self._all[name]
        return function

    def _asked(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Return the learner's answer, and report its faults; if it is unusable, raise `Stuck`."""
        mine, newest = _copies(arguments), self.given[name]()
        options = {n: value for n, value in options.items() if may_be_told(newest, n)}
        function = partial(newest, **options) if options else newest
        answer = call(name, function, mine, self.report.printed)
        said = ["rng" if isinstance(each, Random) else shown(each) for each in arguments]
        on_board = f"{name}({', '.join(['board', *said[1:]])})"
        asked = on_board if name in DUEL else f"{name}({', '.join(said)})"
        problem = None if name in DUEL else answer_problem(name, answer, arguments)
        if problem is not None:
            title = f"Your {name} gave no answer to go on with."
            raise Stuck(title, f"{asked} gave {shown(answer)}. {problem}", suspect=name)
        pairs = zip(arguments, mine, strict=True)
        if not all(isinstance(given, Random) or same(given, now) for given, now in pairs):
            self.report.add(Fault(f"Your {name} changed the list that it was given.", (), (name,)))
        if name in NOT_COMPARED:
            return answer
        right = self.right[name](*_copies(arguments), **options)
        if is_right(name, answer, right):
            return answer
        if name in SPOKEN:
            told = f"Your {name} says {shown(answer)}. By the rules it is {shown(right)}."
            self.report.add(Fault(told, (), (name,)))
        else:
            drawn, board = None, arguments[0]
            is_small = is_board(board, signed=True) and max(len(board), len(board[0])) <= 8
            if is_small and (name in WANTED or is_board(right, signed=True)):
                drawn = Answered(on_board, board, answer, right)
            self.report.add(claim(asked, answer, right, name, answered=drawn))
        return answer

    def uses(self, *names: str) -> list[Function]:
        """Return the learner's functions of these names, in their newest versions."""
        return [self.given[name]() for name in names if name in self.given]

    def diagnose(self, function: Function) -> Diagnosis | None:
        """Return the known mistake in a function, or `None`; each function is examined once."""
        if function not in self._diagnoses:
            try:
                # The diagnosis calls the function; what it prints then is no part of this turn.
                self._diagnoses[function] = call("function", lambda: diagnose(function), (), Tail())
            except Stuck:
                self._diagnoses[function] = None
        return self._diagnoses[function]


def is_right(name: str, answer: Any, right: Any) -> bool:
    """Return true if the answer of the function `name` is as good as the rules' answer `right`.

    >>> is_right("announce_square", "B1, 2", "B1 2"), is_right("name_square", "b1", "B1")
    (True, False)
    """
    if name in SPOKEN:
        return sounds_like(answer, right)
    return (same_in_any_order if name in IN_ANY_ORDER else same)(answer, right)


def may_be_told(function: Function, option: str) -> bool:
    """Return true if the argument `option` is to be passed to a function.

    An option in `OPTIONAL` is passed only to a function that has a parameter for it.

    >>> may_be_told(lambda before: "", "won"), may_be_told(rules.announce_move, "won")
    (False, True)
    """
    try:
        known = signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    is_taken = any(each.name == option or each.kind is each.VAR_KEYWORD for each in known)
    return is_taken or option not in OPTIONAL


def _copies(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies of arguments; only a `Random` is passed on as it is."""
    return tuple(each if isinstance(each, Random) else deepcopy(each) for each in arguments)


def reference(given: Mapping[str, Function]) -> dict[str, Any]:
    """Return a copy of the rules; the functions in `given` replace those of the same names.

    The copy is one dictionary of all names of the rules: its `slide` calls the given `merge`. If
    code is run with the copy's `__builtins__`, its imports of `course.rules` get the copy.

    If `given` has `start_squares`, `traverse` or `slide_by_offsets`, but no `slide`, the copy
    slides by offsets. If it has `close_gaps`, but no `merge`, tiles only slide, and never merge.

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
    """Return a copy of a module; names that are also in `world` get their values from `world`."""
    twin = ModuleType(module.__name__)
    vars(twin).update({name: world.get(name, value) for name, value in vars(module).items()})
    return twin


def answer_problem(name: str, answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return a sentence if the answer of a function does not have the right form; else `None`."""
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
