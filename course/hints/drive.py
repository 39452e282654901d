"""The facts about a class `Game`, as plain data: every right game shows the same, in any style.

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
GAMES = 60  # games whose first tiles are counted


def play_script(
    make: Make, start: Any, steps: list[Any], p_four: float, names: tuple[str, ...] = FACTS
) -> Any:
    """Return the facts after the start and after every step.

    Each is a value, or the error that the game raises. `names` are the facts that are read.
    """
    try:
        play = Observed(make, start, p_four).begun()
    except GameProblem as problem:
        return _whole(_error(problem))
    has_fours_only = [_asked(lambda: play.read("values") == [4])] if p_four == 1 else []
    return [_state(play, names), *has_fours_only, *_steps(play, steps, names)]


def faults_of(rule: Callable[[Make], Any], make: Make) -> Any:
    """Return what a rule about games finds wrong, or the error that the game raises."""
    try:
        return rule(make)
    except GameProblem as problem:
        return _whole(_error(problem))


def shared_state(make: Make, **moves: Any) -> list[str]:
    """Return the names of the attributes that two games share, though they should not.

    Only whole numbers and lists count; for values of other types it cannot be told.
    """
    game = Observed(make, (4, 4))
    return [name for name in shared_facts(make, **moves) if type(game.read(name)) in (int, list)]


def own_size(make: Make) -> list[int]:
    """Return the height and the width of a game that is made without a size."""
    return list(Observed(make, None).read("shape"))


def first_fours(make: Make) -> str:
    """Return, in a word, how many of the first tiles are 4s if no `p_four` is passed."""
    boards = [Observed(make, (4, 4), seed=seed).board() for seed in range(GAMES)]
    return part_of_fours(boards)


def _whole(error: Any) -> Any:
    """Return an error as a list of facts, or `UNKNOWN` if a part is not written yet."""
    return error if error == UNKNOWN else [error]


def own_chances(make: Make) -> list[str]:
    """Return `["shared"]` if a game that goes on takes another's second chance, `[]` if not.

    Raises `GameProblem` if a game raises an error.
    """
    try:
        keeps_chances_apart(make)
    except GameProblem as problem:
        if problem.__cause__ is not None:
            raise
        return ["shared"]
    return []


def _steps(play: Observed, steps: list[Any], names: tuple[str, ...]) -> list[Any]:
    """Return the facts after every step; after one that is not written yet, nothing is known."""
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
    """Call `continue_`, and return its answer, its effect on the board, and the facts after it.

    The effect is the number of tiles that are cleared, and whether all other squares stay.
    """
    before = play.board()
    answer = _asked(lambda: play.step("continue_"))
    if answer == UNKNOWN:
        return UNKNOWN

    def change() -> list[Any]:
        after = (play.board(), 0)
        return [len(gone_tiles(before, after)), is_like_before(before, after)]

    return [answer, _asked(change), *_facts(play, names)]


def _state(play: Observed, names: tuple[str, ...]) -> list[Any]:
    """Return all facts; of a special game, only its shape and the facts of these names."""
    if names == SPECIAL:
        return [_asked(lambda: list(play.read("shape"))), *_facts(play, names)]

    def text() -> Any:
        text = play.read("text")
        return type(text) is str and text_facts(text, play.board(), play.read("score"))

    def board() -> list[Any]:
        return [*play.read("shape"), play.read("tiles"), *_rows_alike(play.board())]

    return [_asked(board), *_facts(play, names), _asked(text)]


def _rows_alike(board: Board) -> list[str]:
    """Return `["rows alike"]` if all rows hold the same tiles, and there are three or more.

    A new game has only two tiles, so its rows are not alike unless they are one list.
    """
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
    # A problem that no error has caused is a board that is no board.
    return {"error": error_fact(problem.__cause__) if problem.__cause__ else NO_BOARD}


def _plain(value: Any) -> Any:
    if value is None or type(value) in (bool, int, str, list):
        return value
    if isinstance(value, Exception):  # where learners' code is graded, an odd value is an error
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
    """Return the facts of all probes; a probe is one of the `KINDS`, by name, and arguments."""
    return [KINDS[kind](make, *arguments) for kind, arguments in probes]
