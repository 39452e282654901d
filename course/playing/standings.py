"""The results of a tournament: who plays whom, and who stands where."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations


@dataclass
class Row:
    """One agent's row: a win is a point, a draw is half a point.

    `lost_by` counts the reasons why it lost.
    """

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    lost_by: Counter[str] = field(default_factory=Counter)

    @property
    def points(self) -> float:
        """Wins and half of the draws."""
        return self.wins + self.draws / 2

    @property
    def games(self) -> int:
        """All games of the agent."""
        return self.wins + self.draws + self.losses


def fixtures(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return all pairs of agents, so that everybody plays everybody else.

    >>> fixtures(["a", "b", "c"])
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    return list(combinations(names, 2))


def standings(names: Iterable[str], games: Iterable[tuple[str, str, int, str]]) -> list[Row]:
    """Return the rows of all agents, the best first; equal points go by wins, then by name.

    Each game is `(first, second, winner, reason)`, with 1, -1 or 0 as its winner.

    >>> [row.name for row in standings(["a", "b"], [("a", "b", -1, "error"), ("b", "a", 0, "")])]
    ['b', 'a']
    """
    rows = {name: Row(name) for name in names}
    for first, second, winner, reason in games:
        if winner == 0:
            rows[first].draws += 1
            rows[second].draws += 1
            continue
        won, lost = (first, second) if winner == 1 else (second, first)
        rows[won].wins += 1
        rows[lost].losses += 1
        rows[lost].lost_by[reason] += 1
    return sorted(rows.values(), key=lambda row: (-row.points, -row.wins, row.name))
