"""Checks of how a class of games uses chance: all its random numbers must be drawn from `rng`.

Eight games, each with a seed of its own, are played twice. If each game is the same the second
time, all random numbers came from `rng`. A game that draws numbers elsewhere is the same again in
less than one case of 18. So all eight games are the same again with a probability below 10⁻⁹: luck
does not decide.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from course.cases.rng_objects import is_drawn_again
from course.games.observed import (
    GameProblem,
    Make,
    Observed,
    Start,
    begin_together,
    lines_of,
)
from course.rules.board import DIRECTIONS, Board

AGAIN = range(8)  # seeds
ONE_TILE = [[0, 0, 0, 8], *([0] * 4 for _ in range(3))]


def uses_chance(make: Make, moves: Sequence[str] = DIRECTIONS * 2) -> None:
    """Raise `GameProblem` if a class of games uses chance wrongly.

    All chance must come from the `rng` of a game. A game made without `rng` must have a new
    `Random` of its own. `moves` are the moves that are played to find this out.
    """
    said = chance_faults(make, moves)
    if said:
        raise GameProblem(said[0])


def chance_faults(make: Make, moves: Sequence[str] = DIRECTIONS * 2) -> list[str]:
    """Return a list of sentences on how a class of games uses chance wrongly; it may be empty.

    >>> from course.rules.game import Game
    >>> chance_faults(Game)
    []
    """
    games, again = (boards_by_seed(make, (4, 4), [None, *moves]) for _ in range(2))
    starts = (None, None, None, *[(4, 4)] * 5)
    fresh = _boards([Observed(make, start, seed=None) for start in starts], [None])
    faults = {
        "two games with equal rng, such as Random(1), must be equal": games == again,
        "games with different rng must not all be equal": any(game != games[0] for game in games),
        "Game() without rng must be another game each time": any(
            board != fresh[0] for board in fresh
        ),
        "Game() without rng must have a Random of its own": _own_random(make, moves),
        "two games that get one rng, one after the other, must not always be equal": not (
            _is_drawn_again(_begun_together(make, seed) for seed in AGAIN)
        ),
        "two equal moves of one game must not always bring the same new tile": not moves
        or not _is_drawn_again(_moved_twice(make)),
    }
    return [sentence for sentence, holds in faults.items() if not holds]


def restart_faults(make: Make) -> list[str]:
    """Return a list with a sentence on how `reset` uses chance wrongly, or an empty list.

    >>> from course.rules.game import Game
    >>> restart_faults(Game)
    []
    """
    if _is_drawn_again(_reset_twice(make)):
        return ["game.reset() must not always bring the same first tiles"]
    if _reset_twice(make) != _reset_twice(make):
        return ["two games with equal rng, such as Random(1), must be equal after reset"]
    return []


def _is_drawn_again(pairs: Iterable[tuple[Board, Board]]) -> bool:
    """Return true if in each pair both boards are equal, although the pairs are not all equal.

    Then each second board was made with the same random numbers as the first one of its pair.
    """
    first, second = zip(*pairs, strict=True)
    return is_drawn_again(list(first), list(second))


def _begun_together(make: Make, seed: int) -> tuple[Board, Board]:
    rng = Random(seed)
    first, second = (Observed(make, (4, 4), seed=rng).board() for _ in range(2))
    return first, second


def _moved_twice(make: Make) -> list[tuple[Board, Board]]:
    boards = boards_by_seed(make, ONE_TILE, ["left", {"board": ONE_TILE}, "left"])
    return [(first, second) for first, _, second in boards]


def _reset_twice(make: Make) -> list[tuple[Board, Board]]:
    return [(first, second) for first, second in boards_by_seed(make, (4, 4), ["reset", "reset"])]


def _own_random(make: Make, moves: Sequence[str]) -> bool:
    """Return true if playing a second game does not change the `rng` of the first.

    Return true, too, if the first game has no `rng` that can be read.
    """
    first = Observed(make, None)
    before = _chance(first)
    second = Observed(make, None).begun()
    # Each move starts from a fixed board, because a move from a random board may raise an error.
    list(second.take([step for way in moves for step in ({"board": ONE_TILE}, way)]))
    return before is None or before == _chance(first)


def _chance(observed: Observed) -> Any:
    with suppress(GameProblem):
        return observed.read("chance")
    return None


def boards_by_seed(make: Make, start: Start, steps: Sequence[Any]) -> list[list[Board]]:
    """Play a game from `start` for each seed of `AGAIN`; return its boards, one after each step."""
    return _boards([Observed(make, start, seed=seed) for seed in AGAIN], steps)


def _boards(games: Sequence[Observed], steps: Sequence[Any]) -> list[list[Board]]:
    """Take the same steps in some games; return the boards of each game, one after each step.

    The step `None` changes nothing. For games in another process, this takes only a few messages.
    """
    begin_together((game, lines_of(steps, after_each=["board"])) for game in games)
    return [[board for _, board, _ in game.play(steps)] for game in games]
