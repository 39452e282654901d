"""What a class `Game` does, as plain data: the facts that any right game shows, whatever its style.

Chance is different in every program, so no square of a new tile is among the facts.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from course.games import (
    GameProblem,
    Observed,
    chance_faults,
    observe_move,
    shared_facts,
    shows,
)

Make = Callable[..., Any]

_FACTS = ("score", "moves", "is_over", "has_won")


def play_script(make: Make, start: Any, steps: list[str], p_four: float) -> list[Any]:
    """Facts after the start and after every step, each as it is or as the error that it raises."""
    try:
        play = Observed(make, start, p_four)
    except GameProblem as problem:
        return [_error(problem)]
    has_fours_only = [_asked(lambda: play.read("values") == [4])] if p_four == 1 else []
    return [_state(play), *has_fours_only, *(_step(play, step) for step in steps)]


def faults_of(rule: Callable[[Make], list[str]], make: Make) -> list[Any]:
    """What a rule about games finds wrong."""
    try:
        return rule(make)
    except GameProblem as problem:
        return [_error(problem)]


def _step(play: Observed, step: str) -> list[Any]:
    if step not in ("left", "right", "up", "down"):
        return [_asked(lambda: play.step(step)), *_state(play)]
    try:
        turn = observe_move(play, step)
    except GameProblem as problem:
        return [_error(problem)]
    new = "unchanged" if turn.after == turn.before else turn.new_tiles
    return [_plain(turn.answer), turn.has_slid, new, *_facts(play)]


def _state(play: Observed) -> list[Any]:
    def text() -> bool:
        return shows(play.read("text"), play.board(), play.read("score"))

    def board() -> list[Any]:
        return [*play.read("shape"), play.read("tiles")]

    return [_asked(board), *_facts(play), _asked(text)]


def _facts(play: Observed) -> list[Any]:
    return [_asked(partial(play.read, name)) for name in _FACTS]


def _asked(question: Callable[[], Any]) -> Any:
    try:
        return _plain(question())
    except GameProblem as problem:
        return _error(problem)


def _error(problem: GameProblem) -> dict[str, str]:
    return {"raises": type(problem.__cause__).__name__}


def _plain(value: Any) -> Any:
    if value is None or type(value) in (bool, int, str, list):
        return value
    return {"a": "method" if callable(value) else "something else"}


KINDS: dict[str, Callable[..., list[Any]]] = {
    "plays": play_script,
    "apart": partial(faults_of, shared_facts),
    "chance": partial(faults_of, chance_faults),
}


def drive(make: Make, probes: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
    """The facts of all probes; a probe is the name of one of the `KINDS`, and its arguments."""
    return [KINDS[kind](make, *arguments) for kind, arguments in probes]
