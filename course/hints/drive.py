"""What a class `Game` does, as plain data: the facts that any right game shows, whatever its style.

Chance is different in every program, so no square of a new tile is among the facts.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from course.cases import gone_tiles, is_like_before
from course.games import (
    GameProblem,
    Observed,
    chance_faults,
    clearing_faults,
    keeps_chances_apart,
    observed_moves,
    restart_faults,
    shared_facts,
    text_facts,
)
from course.hints.chance import part_of_fours
from course.hints.facts import NO_BOARD, UNKNOWN, error_fact
from course.rules.board import DIRECTIONS, Board

Make = Callable[..., Any]

FACTS = ("score", "moves", "is_over", "has_won")
SPECIAL = (*FACTS, "can_continue")
GAMES = 60  # whose first tiles are counted


def play_script(
    make: Make, start: Any, steps: list[Any], p_four: float, names: tuple[str, ...] = FACTS
) -> Any:
    """Facts after the start and after every step, each as it is or as the error that it raises.

    `names` are the facts that are read.
    """
    try:
        play = Observed(make, start, p_four).begun()
    except GameProblem as problem:
        return _whole(_error(problem))
    has_fours_only = [_asked(lambda: play.read("values") == [4])] if p_four == 1 else []
    return [_state(play, names), *has_fours_only, *_steps(play, steps, names)]


def faults_of(rule: Callable[[Make], Any], make: Make) -> Any:
    """What a rule about games finds wrong."""
    try:
        return rule(make)
    except GameProblem as problem:
        return _whole(_error(problem))


def shared_state(make: Make, **moves: Any) -> list[str]:
    """What two games have in common of what they remember; of odd things, that can not be told."""
    game = Observed(make, (4, 4))
    return [name for name in shared_facts(make, **moves) if type(game.read(name)) in (int, list)]


def own_size(make: Make) -> list[int]:
    """The height and the width of a game for which no size is asked."""
    return list(Observed(make, None).read("shape"))


def first_fours(make: Make) -> str:
    """How many of the first tiles are 4s, where nothing is said about it."""
    boards = [Observed(make, (4, 4), seed=seed).board() for seed in range(GAMES)]
    return part_of_fours(boards)


def _whole(error: Any) -> Any:
    """An error in place of a list of facts; no facts at all where a part is not written yet."""
    return error if error == UNKNOWN else [error]


def own_chances(make: Make) -> list[str]:
    """What one game that goes on takes from another."""
    try:
        keeps_chances_apart(make)
    except GameProblem as problem:
        if problem.__cause__ is not None:
            raise
        return ["shared"]
    return []


def _steps(play: Observed, steps: list[Any], names: tuple[str, ...]) -> list[Any]:
    """The facts after every step; after one that is not written yet, nothing is known."""
    facts: list[Any] = []
    for step in steps:
        is_unknown = bool(facts) and facts[-1] == UNKNOWN
        facts.append(UNKNOWN if is_unknown else _step(play, step, names))
    return facts


def _step(play: Observed, step: Any, names: tuple[str, ...]) -> Any:
    if step == "continue_":
        return _continued(play, names)
    if step not in DIRECTIONS:
        answer = _asked(lambda: play.step(step))
        return UNKNOWN if answer == UNKNOWN else [answer, *_state(play, names)]
    try:
        [turn] = observed_moves(play, [step])
    except GameProblem as problem:
        return _whole(_error(problem))
    new = "unchanged" if turn.after == turn.before else turn.new_tiles
    return [_plain(turn.answer), turn.has_slid, new, *_facts(play, names)]


def _continued(play: Observed, names: tuple[str, ...]) -> Any:
    """What `continue_` answers, how many tiles it clears, if the rest stays, and the facts then."""
    before = play.board()
    answer = _asked(lambda: play.step("continue_"))
    if answer == UNKNOWN:
        return UNKNOWN

    def change() -> list[Any]:
        after = (play.board(), 0)
        return [len(gone_tiles(before, after)), is_like_before(before, after)]

    return [answer, _asked(change), *_facts(play, names)]


def _state(play: Observed, names: tuple[str, ...]) -> list[Any]:
    """All facts; of a special game, only those that it may have of its own."""
    if names == SPECIAL:
        return [_asked(lambda: list(play.read("shape"))), *_facts(play, names)]

    def text() -> Any:
        text = play.read("text")
        return type(text) is str and text_facts(text, play.board(), play.read("score"))

    def board() -> list[Any]:
        return [*play.read("shape"), play.read("tiles"), *_rows_alike(play.board())]

    return [_asked(board), *_facts(play, names), _asked(text)]


def _rows_alike(board: Board) -> list[str]:
    """Whether all rows are the same, and more of them than a new game has tiles."""
    is_alike = len(board) > 2 and any(board[0]) and all(row == board[0] for row in board)
    return ["rows alike"] if is_alike else []


def _facts(play: Observed, names: tuple[str, ...]) -> list[Any]:
    return [_asked(partial(play.read, name)) for name in names]


def _asked(question: Callable[[], Any]) -> Any:
    try:
        return _plain(question())
    except GameProblem as problem:
        return _error(problem)


def _error(problem: GameProblem) -> Any:
    if problem.is_unwritten:
        return UNKNOWN
    # Without an error, it is the board that is none.
    return {"error": error_fact(problem.__cause__) if problem.__cause__ else NO_BOARD}


def _plain(value: Any) -> Any:
    if value is None or type(value) in (bool, int, str, list):
        return value
    if isinstance(value, Exception):  # where learners' code is graded, it arrives as an error
        return {"error": f"gives a {type(value).__name__}"}
    return {"a": "method" if callable(value) else "something else"}


KINDS: dict[str, Callable[..., Any]] = {
    "plays": play_script,
    "first_chance": partial(faults_of, partial(chance_faults, moves=())),
    "two_games": partial(faults_of, partial(shared_state, moves=())),
    "apart": partial(faults_of, shared_state),
    "own_size": partial(faults_of, own_size),
    "first_fours": partial(faults_of, first_fours),
    "chance": partial(faults_of, chance_faults),
    "special": partial(play_script, names=SPECIAL),
    "own_chances": partial(faults_of, own_chances),
    "clearing": partial(faults_of, clearing_faults),
    "restarts": partial(faults_of, restart_faults),
}


def drive(make: Make, probes: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
    """The facts of all probes; a probe is the name of one of the `KINDS`, and its arguments."""
    return [KINDS[kind](make, *arguments) for kind, arguments in probes]
