"""Pieces: the functions a game is made of, the learner's if given, the reference's otherwise."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from random import Random
from typing import Any

from course.answers import same
from course.heard import sounds_like
from course.hints import Diagnosis, diagnose
from course.playing.calls import Stuck, Tail, call, latest, shown
from course.playing.note import Answered, Fault, claim
from course.playing.wanted import RIGHT, WANTED, Function, answer_problem, reference
from course.rules.shape import is_board

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
    "second_chance",
}

# Pieces that speak: their answers are compared as they are heard.
SPOKEN = frozenset(name for name in WANTED if name.startswith("announce_"))

# The options that a learner's function may leave out.
OPTIONAL = ("empty", "won", "over")

LARGEST_DRAWN = 8  # squares a side


@dataclass
class Report:
    """The faults that are noticed while the learner's code is asked, and what that code prints."""

    found: list[Fault] = field(default_factory=list)
    printed: Tail = field(default_factory=Tail)

    @property
    def faults(self) -> list[str]:
        """The faults in sentences."""
        return [fault.sentence for fault in self.found]

    def add(self, fault: Fault) -> None:
        """Add a fault, unless it is there already."""
        if fault not in self.found:
            self.found.append(fault)


class Pieces:
    """All functions of a game by name; `right` holds the same without the learner's.

    A piece that is given takes the place of the reference's everywhere: the reference's `slide`
    then merges with the learner's `merge`. `report` collects what is noticed.

    >>> Pieces({"merge": lambda line: line})["slide"]([[2, 2]], "left")
    [[2, 2]]
    """

    def __init__(self, given: Mapping[str, Function]) -> None:
        self.given = {name: latest(function) for name, function in given.items()}
        self.report = Report()
        self.right = reference({name: RIGHT[name] for name in given})
        self._all = reference({name: partial(self._asked, name) for name in given})
        self._known: dict[Function, Diagnosis | None] = {}

    def __getitem__(self, name: str) -> Function:
        return self._all[name]

    def _asked(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Return the answer of the learner's function, which is checked before it is used."""
        mine, newest = _copies(arguments), self.given[name]()
        options = {n: value for n, value in options.items() if may_be_told(newest, n)}
        function = partial(newest, **options) if options else newest
        answer = call(name, function, mine, self.report.printed)
        asked = f"{name}({', '.join(map(_argument, arguments))})"
        problem = answer_problem(name, answer, arguments)
        if problem is not None:
            title = f"Your {name} gave no answer to go on with."
            raise Stuck(title, f"{asked} gave {shown(answer)}. {problem}", suspect=name)
        pairs = zip(arguments, mine, strict=True)
        if not all(isinstance(given, Random) or same(given, now) for given, now in pairs):
            self.report.add(Fault(f"Your {name} changed the list that it was given.", (), (name,)))
        if name not in NOT_COMPARED:
            right = self.right[name](*_copies(arguments), **options)
            if name in SPOKEN and not sounds_like(answer, right):
                said = f"Your {name} says {shown(answer)}. By the rules it is {shown(right)}."
                self.report.add(Fault(said, (), (name,)))
            elif name not in SPOKEN and answer != right:
                drawn = _drawn(name, arguments, answer, right)
                self.report.add(claim(asked, answer, right, name, answered=drawn))
        return answer

    def uses(self, *names: str) -> list[Function]:
        """Return the learner's functions among these pieces, in their newest versions."""
        return [self.given[name]() for name in names if name in self.given]

    def takes(self, name: str, count: int) -> bool:
        """Return true if a piece can be called with `count` arguments in order."""
        try:
            for function in self.uses(name):
                signature(function).bind(*range(count))
        except (TypeError, ValueError):
            return False
        return True

    def diagnose(self, function: Function) -> Diagnosis | None:
        """Return the known mistake of a wrong function, or `None`; each is diagnosed only once."""
        if function not in self._known:
            try:
                # What it prints on the probes is no part of this turn.
                self._known[function] = call("function", lambda: diagnose(function), (), Tail())
            except Stuck:
                self._known[function] = None
        return self._known[function]


def may_be_told(function: Function, option: str) -> bool:
    """Return true if an option is to be passed to a function.

    An option in `OPTIONAL` is passed only if the function takes it.

    >>> may_be_told(lambda before, after: "", "won"), may_be_told(RIGHT["announce_move"], "won")
    (False, True)
    """
    if option not in OPTIONAL:
        return True
    try:
        known = signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(each.name == option or each.kind is each.VAR_KEYWORD for each in known)


def _copies(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies of the arguments of a call, except a `Random`, which is there to be used."""
    return tuple(each if isinstance(each, Random) else deepcopy(each) for each in arguments)


def _drawn(name: str, arguments: tuple[Any, ...], answer: Any, right: Any) -> Answered | None:
    """Return an answer about a board to be drawn; `None` without a board, or if it is too large."""
    board, *more = arguments if arguments else (None,)
    if not is_board(board) or max(len(board), len(board[0])) > LARGEST_DRAWN:
        return None
    said = ", ".join(["board", *map(_argument, more)])
    return Answered(f"{name}({said})", board, answer, right)


def _argument(value: Any) -> str:
    return "rng" if isinstance(value, Random) else shown(value)
