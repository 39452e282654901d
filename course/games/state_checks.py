"""Checks of a class of games: its games share nothing, refuse wrong directions, and start again.

Reading a fact of a game changes nothing in it.

A fact is an attribute of a game, or something read from its board or its text: see
`Observed.read` in `observed.py`.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from course.function_calls import same
from course.games.observed import STATE, GameProblem, Make, Observed, Start
from course.rules.board import DIRECTIONS


def stays_apart(make: Make, moves: Sequence[str] = DIRECTIONS) -> None:
    """Raise `GameProblem` if playing one game changes another.

    `moves` are the moves that are played to find this out. Without any, a second game is only made.
    """
    observed, shared = _shared(make, moves)
    if shared:
        raise observed.problem(
            f"  another game, made before, has changed: its {', its '.join(shared)}"
        )


def shared_facts(make: Make, moves: Sequence[str] = DIRECTIONS) -> list[str]:
    """Return the names of the facts of one game that another game changes, such as `"board"`."""
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
    """Return the names of the facts that differ if two games are played by turns and not alone.

    If a game played alone is not the same each time, the two ways cannot be compared, and the list
    is empty.
    """

    def played_alone() -> list[list[dict[str, Any]]]:
        return [_told([_begun(make, which)], moves)[0] for which in range(2)]

    alone = played_alone()
    # Two first boards are the same by chance in one case of 1,848; three times below 10⁻⁹.
    if any(alone != played_alone() for _ in range(3)):
        return []
    together = _told([_begun(make, which) for which in range(2)], moves)
    pairs = zip(chain(*alone), chain(*together), strict=True)
    shared = [name for before, after in pairs for name in _different(before, after)]
    return list(dict.fromkeys(shared))


def _begun(make: Make, which: int) -> Observed:
    """Begin the first game (`which` is 0) or the second (1); they differ in size and in chance."""
    return Observed(make, ((3, 4), (4, 2))[which], p_four=(0, 1)[which], seed=1 + which).begun()


def _told(games: Sequence[Observed], moves: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Play some games by turns; return for each game its facts at first and after each step."""
    told: list[list[dict[str, Any]]] = [[game.facts(STATE)] for game in games]
    for step in [*moves, "reset", *moves] if moves else []:
        for game, facts in zip(games, told, strict=True):
            facts += [found for _, _, found in game.play([step], STATE)]
    return told


def refuses(make: Make, start: Start, direction: str, names: Sequence[str] = STATE) -> None:
    """Raise `GameProblem` if a direction that does not exist changes a game.

    `names` are the facts that are compared. It does not matter what `move` returns or raises.
    """
    observed = Observed(make, start)
    before = observed.facts(names)
    with suppress(GameProblem):
        observed.step(direction)
    for name, value in before.items():
        observed.expect(name, value, observed.read(name))


def starts_again(make: Make, start: Start) -> None:
    """Raise `GameProblem` unless `reset` gives a new game of the same size.

    The class needs no method `move`: the score and the number of moves are set from outside, if
    the game allows that.
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


def only_looks(make: Make, name: str, cases: Sequence[tuple[dict[str, Any], Any]]) -> None:
    """Raise `GameProblem` if reading a fact of a game changes the game, or gives a wrong value.

    The cases follow each other in one game. Each has the attributes to set from outside, among them
    `"board"`, and the wanted value of the fact, or `None` if every value will do. What the class
    does not have yet, such as its score, is not set.
    """
    observed = Observed(make, cases[0][0]["board"])
    for attributes, wanted in cases:
        observed.put("board", attributes["board"])
        for other in sorted(attributes.keys() - {"board"}):
            with suppress(GameProblem):
                observed.put(other, attributes[other])
        before = _readable(observed, {*STATE, *attributes})
        value = observed.read(name)
        if wanted is not None:
            observed.expect(name, wanted, value)
        for other in before:
            observed.expect(other, before[other], observed.read(other))


def _readable(observed: Observed, names: Collection[str]) -> dict[str, Any]:
    """Return those of the named facts that can be read without an error."""
    facts: dict[str, Any] = {}
    for name in sorted(names):
        with suppress(GameProblem):
            facts[name] = observed.read(name)
    return facts


def _different(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [name for name in before if not same(before[name], after[name])]
