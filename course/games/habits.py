"""Habits of a class of games: it keeps its games apart, uses chance fairly, and starts again."""

from typing import Any

from course.answers import same
from course.games.observed import GameProblem, Make, Observed, facts_hold
from course.rules.board import DIRECTIONS

_STATE = ("board", "score", "moves")


def stays_apart(make: Make) -> None:
    """Playing one game leaves another one as it was; raises `GameProblem` if it does not."""
    observed, shared = _shared(make)
    if shared:
        raise observed.problem(
            f"  another game, made before, has changed: its {', its '.join(shared)}"
        )


def shared_facts(make: Make) -> list[str]:
    """The names of what two games have in common, though they should not."""
    return _shared(make)[1]


def _shared(make: Make) -> tuple[Observed, list[str]]:
    first, second = Observed(make, (4, 4), seed=1), Observed(make, (4, 4), seed=2)
    before = first.facts(_STATE)
    for direction in DIRECTIONS:
        second.step(direction)
    shared = _different(before, first.facts(_STATE))
    second.step("reset")
    fresh = Observed(make, (4, 4), seed=3).facts(_STATE)
    return second, shared or _different({**fresh, "score": 0, "moves": 0}, fresh)


def uses_chance(make: Make) -> None:
    """All chance comes from `rng`, or is new in every game; raises `GameProblem` if it does not."""
    said = chance_faults(make)
    if said:
        raise GameProblem(said[0])


def chance_faults(make: Make) -> list[str]:
    """Sentences on how chance is used wrongly.

    >>> from course.rules.game import Game
    >>> chance_faults(Game)
    []
    """
    games = [_played(make, seed) for seed in (1, 1, 2, 2, 3)]
    fresh = [Observed(make, None).board() for _ in range(5)]
    faults = {
        "two games with equal rng, such as Random(1), must be equal in every turn": (
            games[0] == games[1] and games[2] == games[3]
        ),
        "games with different rng must not all be equal": games[0] != games[2] != games[4],
        "Game() without rng must be another game each time": any(
            board != fresh[0] for board in fresh
        ),
    }
    return [sentence for sentence, holds in faults.items() if not holds]


def _played(make: Make, seed: int) -> list[Any]:
    observed = Observed(make, (4, 4), seed=seed)
    boards = [observed.board()]
    for direction in DIRECTIONS * 2:
        observed.step(direction)
        boards.append(observed.board())
    return boards


def starts_again(make: Make, start: tuple[int, int]) -> None:
    """`reset` gives a new game of the same size; raises `GameProblem` if it does not."""
    new = Observed(make, start)
    wanted = {**new.facts(["tiles", "shape"]), "score": 0, "moves": 0}
    facts_hold(make, start, [*DIRECTIONS, *DIRECTIONS, "reset"], wanted)
    facts_hold(make, start, ["reset", "reset"], wanted)


def _different(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [name for name in before if not same(before[name], after[name])]
