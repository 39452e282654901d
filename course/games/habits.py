"""Habits of a class of games: it keeps its games apart, uses chance fairly, and starts again."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from course.answers import same
from course.games.observed import STATE, GameProblem, Make, Observed, Start
from course.rules.board import DIRECTIONS


def stays_apart(make: Make, moves: Sequence[str] = DIRECTIONS) -> None:
    """Playing one game leaves another one as it was; raises `GameProblem` if it does not.

    `moves` are the moves that are played to see it; without any, the game is only made.
    """
    observed, shared = _shared(make, moves)
    if shared:
        raise observed.problem(
            f"  another game, made before, has changed: its {', its '.join(shared)}"
        )


def shared_facts(make: Make, moves: Sequence[str] = DIRECTIONS) -> list[str]:
    """The names of what two games have in common, though they should not."""
    return _shared(make, moves)[1]


def _shared(make: Make, moves: Sequence[str]) -> tuple[Observed, list[str]]:
    first = Observed(make, (4, 4), seed=1)
    before = first.facts(STATE)
    second = Observed(make, (4, 4), seed=2)
    for direction in moves:
        second.step(direction)
    shared = _different(before, first.facts(STATE))
    if moves:
        second.step("reset")
    fresh = Observed(make, (4, 4), seed=3).facts(STATE)
    wanted = {**before, "board": fresh["board"]}
    return second, shared or _different(wanted, fresh)


def uses_chance(make: Make, moves: Sequence[str] = DIRECTIONS * 2) -> None:
    """All chance comes from `rng`, or is new in every game; raises `GameProblem` if it does not.

    `moves` are the moves that are played to see it.
    """
    said = chance_faults(make, moves)
    if said:
        raise GameProblem(said[0])


def chance_faults(make: Make, moves: Sequence[str] = DIRECTIONS * 2) -> list[str]:
    """Sentences on how chance is used wrongly.

    >>> from course.rules.game import Game
    >>> chance_faults(Game)
    []
    """
    games = [_played(make, seed, moves) for seed in (1, 1, 2, 2, 3)]
    fresh = [Observed(make, None).board() for _ in range(5)]
    faults = {
        "two games with equal rng, such as Random(1), must be equal": (
            games[0] == games[1] and games[2] == games[3]
        ),
        "games with different rng must not all be equal": games[0] != games[2] != games[4],
        "Game() without rng must be another game each time": any(
            board != fresh[0] for board in fresh
        ),
    }
    return [sentence for sentence, holds in faults.items() if not holds]


def _played(make: Make, seed: int, moves: Sequence[str]) -> list[Any]:
    observed = Observed(make, (4, 4), seed=seed)
    boards = [observed.board()]
    for direction in moves:
        observed.step(direction)
        boards.append(observed.board())
    return boards


def starts_again(make: Make, start: Start) -> None:
    """`reset` gives a new game of the same size; raises `GameProblem` if it does not.

    Needs no `move`: what the game remembers is set from outside, where it can be.
    """
    height, width = start if isinstance(start, tuple) else (len(start), len(start[0]))
    observed = Observed(make, start)
    for name, value in (("score", 28), ("moves", 9)):
        with suppress(GameProblem):
            observed.put(name, value)
    observed.step("reset")
    tiles = min(2, height * width)
    wanted = {"tiles": tiles, "shape": (height, width), "score": 0, "moves": 0}
    for name, expected in wanted.items():
        observed.expect(name, expected, observed.read(name))


def _different(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [name for name in before if not same(before[name], after[name])]
