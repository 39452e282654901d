"""Pieces: the functions of a game or a duel, some of them the learner's, the others the rules'."""

from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from inspect import signature
from random import Random
from typing import Any

from course import rules
from course.answer_comparison import same, same_in_any_order
from course.heard import sounds_like
from course.hints import Diagnosis, diagnose
from course.playing.answer_validation import WANTED, Function, answer_problem, reference
from course.playing.calls import Stuck, Tail, call, latest, shown
from course.playing.note import Answered, Fault, Report, claim
from course.rules.shape import is_board

# The pieces of a duel. The answers of the learner's are only compared with the rules; the duel goes
# on by the rules.
DUEL = ("own_square", "legal_squares", "place", "push", "legal_directions", "leader")
IN_ANY_ORDER = {"legal_squares", "legal_directions"}

# Pieces whose answers are not compared here: they depend on chance, may be in any order, or show in
# the board of the turn, which is compared as a whole.
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

# Pieces that return text to be read aloud: only the words that are heard are compared.
SPOKEN = frozenset(name for name in WANTED if name.startswith("announce_"))

# The options that a learner's function may leave out.
OPTIONAL = ("empty", "won", "over")


class Pieces:
    """All functions of a game or a duel, by name: the rules', except for those that are given.

    A given piece replaces the rules' function everywhere: the rules' `slide` then calls the
    learner's `merge`. `right` has the rules' functions alone. `report` collects the faults of the
    given pieces, and the text that they print.

    >>> Pieces({"merge": lambda line: line})["slide"]([[2, 2]], "left")
    [[2, 2]]
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
        """Call the learner's function, report its faults, and return its answer.

        Raises `Stuck` if the game cannot go on with the answer.
        """
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
        if name in SPOKEN:
            if not sounds_like(answer, right):
                told = f"Your {name} says {shown(answer)}. By the rules it is {shown(right)}."
                self.report.add(Fault(told, (), (name,)))
        elif not (same_in_any_order if name in IN_ANY_ORDER else same)(answer, right):
            drawn, board = None, arguments[0]
            is_small = is_board(board, signed=True) and max(len(board), len(board[0])) <= 8
            if is_small and (name in WANTED or is_board(right, signed=True)):
                drawn = Answered(on_board, board, answer, right)
            self.report.add(claim(asked, answer, right, name, answered=drawn))
        return answer

    def uses(self, *names: str) -> list[Function]:
        """Return the learner's functions of these names, in their newest versions."""
        return [self.given[name]() for name in names if name in self.given]

    def takes(self, name: str, count: int) -> bool:
        """Return true if a piece can be called with `count` positional arguments."""
        try:
            for function in self.uses(name):
                signature(function).bind(*range(count))
        except (TypeError, ValueError):
            return False
        return True

    def diagnose(self, function: Function) -> Diagnosis | None:
        """Return the diagnosis of a wrong function, or `None`; each function is diagnosed once."""
        if function not in self._diagnoses:
            try:
                # The diagnosis calls the function; what it prints then is no part of this turn.
                self._diagnoses[function] = call("function", lambda: diagnose(function), (), Tail())
            except Stuck:
                self._diagnoses[function] = None
        return self._diagnoses[function]


def may_be_told(function: Function, option: str) -> bool:
    """Return true if an option is to be passed to a function: one in `OPTIONAL` only if it fits.

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
