"""What a class `Game` does, as plain data: the facts that any right game shows, whatever its style.

Chance is different in every program, so no square of a new tile is among the facts.
"""

from collections.abc import Callable
from typing import Any

from course.games import GameProblem, Play, play_turn, shows, tile_count

Make = Callable[..., Any]

_FACTS = ("score", "moves", "is_over", "has_won")


def play_script(make: Make, start: Any, steps: list[str], p_four: float) -> list[Any]:
    """Facts after the start and after every step, each as it is or as the error that it raises."""
    try:
        play = Play(make, _start(start), p_four)
    except GameProblem as problem:
        return [_error(problem)]
    return [_state(play), *(_step(play, step) for step in steps)]


def keep_apart(make: Make) -> list[Any]:
    """Whether a game stays as it was while another one is made, played, and reset."""
    try:
        first, second = Play(make, (4, 4), seed=1), Play(make, (4, 4), seed=2)
        before = _all(first)
        for direction in ("left", "up", "right", "down"):
            second.step(direction)
        played = _all(first) == before
        second.step("reset")
        third = _all(Play(make, (4, 4), seed=3))
        return [played, _all(first) == before, third[1:]]
    except GameProblem as problem:
        return [_error(problem)]


def use_chance(make: Make) -> list[Any]:
    """Whether equal chance gives equal games, other chance others, and none at all new ones."""
    try:
        first, same, other = (_played(Play(make, (4, 4), seed=seed)) for seed in (1, 1, 2))
    except GameProblem as problem:
        return [_error(problem)]
    try:
        fresh = [str(make().board) for _ in range(5)]
    except Exception as error:
        return [first == same, first == other, type(error).__name__]
    return [first == same, first == other, len(set(fresh)) > 1]


def _played(play: Play) -> Any:
    for direction in ("left", "up", "right", "down") * 2:
        play.step(direction)
    return _all(play)


def _all(play: Play) -> list[Any]:
    return [play.board(), play.read("score"), play.read("moves")]


def _start(start: Any) -> Any:
    """A probe is JSON: a list of two numbers stands for (height, width)."""
    return tuple(start) if type(start[0]) is int else start


def _step(play: Play, step: str) -> list[Any]:
    if step not in ("left", "right", "up", "down"):
        return [_asked(lambda: play.step(step)), *_state(play)]
    try:
        turn = play_turn(play, step)
    except GameProblem as problem:
        return [_error(problem)]
    new = "unchanged" if turn.after == turn.before else turn.new_tiles
    return [_plain(turn.answer), turn.has_slid, new, *_facts(play)]


def _state(play: Play) -> list[Any]:
    def text() -> bool:
        return shows(play.read("text"), play.board(), play.read("score"))

    def board() -> list[Any]:
        squares = play.board()
        return [len(squares), len(squares[0]), tile_count(squares)]

    return [_asked(board), *_facts(play), _asked(text)]


def _facts(play: Play) -> list[Any]:
    return [_asked(lambda name=name: play.read(name)) for name in _FACTS]


def _asked(question: Callable[[], Any]) -> Any:
    try:
        return _plain(question())
    except GameProblem as problem:
        return _error(problem)


def _error(problem: GameProblem) -> str:
    return f"raises {type(problem.__cause__).__name__}"


def _plain(value: Any) -> Any:
    if value is None or type(value) in (bool, int, str, list):
        return value
    return "a method" if callable(value) else "something else"


KINDS: dict[str, Callable[..., list[Any]]] = {
    "plays": play_script,
    "apart": keep_apart,
    "chance": use_chance,
}


def drive(make: Make, probes: list[list[Any]]) -> list[Any]:
    """The facts of all probes; a probe is the name of one of the `KINDS`, and its arguments."""
    return [KINDS[kind](make, *arguments) for kind, *arguments in probes]
