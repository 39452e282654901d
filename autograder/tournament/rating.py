"""Ratings: the strength of each agent, from the games that it won and lost, and how sure it is."""

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import BradleyTerryFull

from autograder.tournament.pairing import Played

_SURE = 2  # standard deviations: in 95 of 100 cases the strength lies within


@dataclass(frozen=True)
class Rating:
    """A strength, and how far off it may be; everybody begins at 25."""

    strength: float
    give_or_take: float


def ratings(names: Iterable[str], games: Iterable[Played]) -> dict[str, Rating]:
    """Return the ratings of all agents, by a Bradley–Terry model that takes in game after game.

    The first games of all pairings are taken in before the second ones, so that no agent's last
    games count for more than another's.
    """
    model = BradleyTerryFull(tau=0)  # agents do not change while they play
    rated = {name: model.rating(name=name) for name in names}
    for game in sorted(games, key=lambda game: game.number):
        teams = [[rated[game.first]], [rated[game.second]]]
        ranks = {1: [0.0, 1.0], -1: [1.0, 0.0], 0: [0.0, 0.0]}[game.winner]
        (first,), (second,) = model.rate(teams, ranks=ranks)
        rated[game.first], rated[game.second] = first, second
    return {name: Rating(one.mu, _SURE * one.sigma) for name, one in rated.items()}
