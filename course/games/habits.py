"""Habits of a class of games: it keeps its games apart, refuses, and starts again."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
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
    list(second.take(moves))
    shared = _different(before, first.facts(STATE))
    if moves:
        second.step("reset")
    fresh = Observed(make, (4, 4), seed=3).facts(STATE)
    wanted = {**before, "board": fresh["board"]}
    return second, shared or _different(wanted, fresh) or _mixed(make, moves)


def _mixed(make: Make, moves: Sequence[str]) -> list[str]:
    """What is different when two games are played by turns, though each could be played alone.

    A game that is never the same twice says nothing about that.
    """

    def played_alone() -> list[list[dict[str, Any]]]:
        return [_told([_begun(make, which)], moves)[0] for which in range(2)]

    alone = played_alone()
    # Two first boards are the same by chance in one case of 1,848, and three times below 10⁻⁹.
    if any(alone != played_alone() for _ in range(3)):
        return []
    together = _told([_begun(make, which) for which in range(2)], moves)
    pairs = zip(chain(*alone), chain(*together), strict=True)
    shared = [name for before, after in pairs for name in _different(before, after)]
    return list(dict.fromkeys(shared))


def _begun(make: Make, which: int) -> Observed:
    """One of two games that have nothing in common: neither size, nor chance."""
    return Observed(make, ((3, 4), (4, 2))[which], p_four=(0, 1)[which], seed=1 + which).begun()


def _told(games: Sequence[Observed], moves: Sequence[str]) -> list[list[dict[str, Any]]]:
    """What each of some games, played by turns, shows after each of its steps."""
    told: list[list[dict[str, Any]]] = [[game.facts(STATE)] for game in games]
    for step in [*moves, "reset", *moves] if moves else []:
        for game, facts in zip(games, told, strict=True):
            facts += [found for _, _, found in game.play([step], STATE)]
    return told


def refuses(make: Make, start: Start, direction: str, names: Sequence[str] = STATE) -> None:
    """A direction that does not exist leaves a game as it was, whatever `move` gives or raises.

    `names` are the facts that are looked at. Raises `GameProblem` if one of them is different.
    """
    observed = Observed(make, start)
    before = observed.facts(names)
    with suppress(GameProblem):
        observed.step(direction)
    for name, value in before.items():
        observed.expect(name, value, observed.read(name))


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
