"""Checks of a learner's class `Game`: they play games of the class and compare them with the rules.

The class may be in another process. So the checks only make games, call their methods, and read or
set their attributes; a board is set as a whole.
"""

from course.games.chance_checks import (
    chance_faults,
    clearing_faults,
    clears_by_rng,
    goes_on,
    keeps_chances_apart,
    restart_faults,
    uses_chance,
)
from course.games.move_checks import IDEAS, observed_moves, play_by_the_rules
from course.games.observed_game import GameProblem, Observed, facts_hold
from course.games.state_checks import (
    only_looks,
    refuses,
    shared_facts,
    starts_again,
    stays_apart,
    tells,
    text_facts,
)

__all__ = [
    "IDEAS",
    "GameProblem",
    "Observed",
    "chance_faults",
    "clearing_faults",
    "clears_by_rng",
    "facts_hold",
    "goes_on",
    "keeps_chances_apart",
    "observed_moves",
    "only_looks",
    "play_by_the_rules",
    "refuses",
    "restart_faults",
    "shared_facts",
    "starts_again",
    "stays_apart",
    "tells",
    "text_facts",
    "uses_chance",
]
