"""Pieces: the functions a game is made of, the learner's where given, the reference's elsewhere."""

import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from random import Random
from types import FunctionType
from typing import Any

from course import rules
from course.hints import Diagnosis, diagnose
from course.match.calls import Stuck, Tail, call, copies, latest, shown

Function = Callable[..., Any]
Wanted = Callable[[Any, tuple[Any, ...]], str | None]


def _line(answer: Any, length: int, what: str) -> str | None:
    if not isinstance(answer, list):
        return f"It must give a list of {length} numbers."
    if len(answer) != length:
        return f"{what} has {length} squares, the answer has {len(answer)}."
    if not all(type(tile) is int and tile >= 0 for tile in answer):
        return "Every square must be a whole number: a tile, or 0 where it is empty."
    return None


def _board(answer: Any, height: int, width: int) -> str | None:
    if not isinstance(answer, list) or not all(isinstance(row, list) for row in answer):
        return f"It must give a board: a list of {height} rows, each a list of {width} numbers."
    if len(answer) != height:
        return f"The board has {height} rows, the answer has {len(answer)}."
    problems = (_line(row, width, "Each row") for row in answer)
    return next((problem for problem in problems if problem), None)


def _wants_line(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return _line(answer, len(arguments[0]), "The line")


def _wants_board(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return _board(answer, len(arguments[0]), len(arguments[0][0]))


def _wants_turned(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return _board(answer, len(arguments[0][0]), len(arguments[0]))


def _wants_new(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return _board(answer, arguments[0], arguments[1])


def _wants_truth(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return None if isinstance(answer, bool) else "It must give True or False."


def _wants_number(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return None if type(answer) is int else "It must give a whole number."


def _wants_text(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return None if isinstance(answer, str) else "It must give a text."


def _is_square(value: Any) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(type(number) is int and number >= 0 for number in value)
    )


def _wants_squares(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    if isinstance(answer, list) and all(map(_is_square, answer)):
        return None
    return "It must give a list of squares, each a tuple (row, column)."


def _wants_square(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    return None if _is_square(answer) else "It must give a square, a tuple (row, column)."


# Every piece a board knows, and what its answers look like.
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
    "empty_cells": _wants_squares,
    "spawn": _wants_board,
    "new_board": _wants_new,
    "take_turn": _wants_board,
    "has_pair": _wants_truth,
    "is_over": _wants_truth,
    "has_won": _wants_truth,
    "has_won_special": _wants_truth,
    "name_square": _wants_text,
    "announce_square": _wants_text,
    "announce_line": _wants_text,
    "announce_move": _wants_text,
    "announce_status": _wants_text,
    "move_cursor": _wants_square,
}

# Pieces whose answers depend on chance, may come in any order, or are compared square by square on
# the board.
NOT_COMPARED = {
    "start_squares",
    "merge",
    "close_gaps",
    "slide",
    "slide_by_offsets",
    "spawn",
    "new_board",
    "take_turn",
}


RIGHT = {name: getattr(rules, name) for name in WANTED}


@dataclass
class Report:
    """What the learner's pieces did in one turn: `faults` in sentences, `guilty` functions."""

    faults: list[str] = field(default_factory=list)
    guilty: list[Function] = field(default_factory=list)
    printed: Tail = field(default_factory=Tail)

    def add(self, sentence: str, function: Function) -> None:
        """One more fault, told once."""
        if sentence not in self.faults:
            self.faults.append(sentence)
        if function not in self.guilty:
            self.guilty.append(function)


class Pieces:
    """All functions of a game by name, in `play`, and the same without the learner's, in `right`.

    A piece that is given takes the place of the reference's everywhere: the reference's `slide`
    then merges with the learner's `merge`. `report` collects what the learner's pieces did.
    """

    def __init__(self, given: Mapping[str, Function]) -> None:
        self.given = {name: latest(function) for name, function in given.items()}
        self.report = Report()
        self.right = reference({name: RIGHT[name] for name in given})
        self.play = reference({name: self._guarded(name) for name in given})
        self._known: dict[Function, Diagnosis | None] = {}

    def _guarded(self, name: str) -> Function:
        """The learner's function, with its answer looked at before anybody uses it."""

        def guarded(*arguments: Any, **options: Any) -> Any:
            function = self.given[name]()
            mine = copies(arguments)
            answer = call(name, _with(function, options), mine, self.report.printed)
            self._look(name, function, arguments, mine, answer, options)
            return answer

        return guarded

    def _look(
        self,
        name: str,
        function: Function,
        arguments: tuple[Any, ...],
        mine: tuple[Any, ...],
        answer: Any,
        options: dict[str, Any],
    ) -> None:
        text = f"{name}({', '.join(map(_argument, arguments))})"
        problem = WANTED[name](answer, arguments)
        if problem is not None:
            self.report.guilty.append(function)
            raise Stuck(
                f"Your {name} gave no answer to go on with.",
                f"{text} gave {shown(answer)}. {problem}",
            )
        if any(a != b for a, b in zip(arguments, mine, strict=True) if not isinstance(a, Random)):
            self.report.add(f"Your {name} changed the list that it was given.", function)
        if name not in NOT_COMPARED:
            right = self.right[name](*copies(arguments), **options)
            if answer != right:
                self.report.add(
                    f"{text} gave {shown(answer)}. The rules give {shown(right)}.", function
                )

    def uses(self, *names: str) -> list[Function]:
        """The learner's functions among these pieces, as they are now."""
        return [self.given[name]() for name in names if name in self.given]

    def diagnose(self, function: Function) -> Diagnosis | None:
        """What is known about a wrong function; asked once for each."""
        if function not in self._known:
            try:
                # What it prints on the probes is no part of this turn.
                self._known[function] = call("function", lambda: diagnose(function), (), Tail())
            except Stuck:
                self._known[function] = None
        return self._known[function]


def reference(given: Mapping[str, Function]) -> dict[str, Function]:
    """The reference's functions by name, calling the given ones in place of their own.

    Each is the same code with other globals, so that an exchanged piece is used at every depth.

    >>> reference({"merge": lambda line: line})["slide"]([[0, 2]], "left")
    [[0, 2]]
    """
    world: dict[str, Any] = {"__builtins__": builtins}
    for name in dir(rules):
        value = getattr(rules, name)
        if isinstance(value, FunctionType):
            world |= {key: each for key, each in value.__globals__.items() if key[:2] != "__"}
            world[name] = value
    own = {name: value for name, value in world.items() if _is_rule(value)}
    for name, value in own.items():
        world[name] = FunctionType(value.__code__, world, name, value.__defaults__)
        world[name].__kwdefaults__ = value.__kwdefaults__
    world |= given
    if "slide" not in given and given.keys() & {"start_squares", "traverse", "slide_by_offsets"}:
        world["slide"] = world["slide_by_offsets"]
    if "merge" not in given and "close_gaps" in given:
        world["merge"] = world["close_gaps"]
    return {name: world[name] for name in own}


def _is_rule(value: Any) -> bool:
    return isinstance(value, FunctionType) and value.__module__.startswith(rules.__name__)


def accepts(function: Function, count: int) -> bool:
    """Whether a function can be called with so many arguments in order."""
    try:
        signature(function).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True


def _with(function: Function, options: dict[str, Any]) -> Function:
    return (lambda *arguments: function(*arguments, **options)) if options else function


def _argument(value: Any) -> str:
    return "rng" if isinstance(value, Random) else shown(value)
