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
    text_facts,
)
from course.hints.facts import UNKNOWN, error_fact
from course.rules.board import DIRECTIONS

Make = Callable[..., Any]

_FACTS = ("score", "moves", "is_over", "has_won")


def play_script(make: Make, start: Any, steps: list[str], p_four: float) -> Any:
    """Facts after the start and after every step, each as it is or as the error that it raises."""
    try:
        play = Observed(make, start, p_four)
    except GameProblem as problem:
        return _whole(_error(problem))
    has_fours_only = [_asked(lambda: play.read("values") == [4])] if p_four == 1 else []
    return [_state(play), *has_fours_only, *_steps(play, steps)]


def faults_of(rule: Callable[[Make], list[str]], make: Make) -> Any:
    """What a rule about games finds wrong."""
    try:
        return rule(make)
    except GameProblem as problem:
        return _whole(_error(problem))


def _whole(error: Any) -> Any:
    """An error in place of a list of facts; no facts at all where a part is not written yet."""
    return error if error == UNKNOWN else [error]


def _steps(play: Observed, steps: list[str]) -> list[Any]:
    """The facts after every step; after one that is not written yet, nothing is known."""
    facts: list[Any] = []
    for step in steps:
        is_unknown = bool(facts) and facts[-1] == UNKNOWN
        facts.append(UNKNOWN if is_unknown else _step(play, step))
    return facts


def _step(play: Observed, step: str) -> Any:
    if step not in DIRECTIONS:
        answer = _asked(lambda: play.step(step))
        return UNKNOWN if answer == UNKNOWN else [answer, *_state(play)]
    try:
        turn = observe_move(play, step)
    except GameProblem as problem:
        return _whole(_error(problem))
    new = "unchanged" if turn.after == turn.before else turn.new_tiles
    return [_plain(turn.answer), turn.has_slid, new, *_facts(play)]


def _state(play: Observed) -> list[Any]:
    def text() -> Any:
        text = play.read("text")
        return type(text) is str and text_facts(text, play.board(), play.read("score"))

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


def _error(problem: GameProblem) -> Any:
    return UNKNOWN if problem.is_unwritten else {"error": error_fact(problem.__cause__)}


def _plain(value: Any) -> Any:
    if value is None or type(value) in (bool, int, str, list):
        return value
    return {"a": "method" if callable(value) else "something else"}


KINDS: dict[str, Callable[..., Any]] = {
    "plays": play_script,
    "first_chance": partial(faults_of, partial(chance_faults, moves=())),
    "two_games": partial(faults_of, partial(shared_facts, moves=())),
    "apart": partial(faults_of, shared_facts),
    "chance": partial(faults_of, chance_faults),
}


def drive(make: Make, probes: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
    """The facts of all probes; a probe is the name of one of the `KINDS`, and its arguments."""
    return [KINDS[kind](make, *arguments) for kind, arguments in probes]
