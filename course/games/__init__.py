"""Games under test: what is done with one is written down, and each turn is held to the rules.

Works with any class `Game`, the learner's own or one that is reached from another process: it is
only made, played, and read; its board is set as a whole.
"""

from course.games.habits import (
    chance_faults,
    shared_facts,
    starts_again,
    stays_apart,
    uses_chance,
)
from course.games.play import GameProblem, Make, Play, facts_hold
from course.games.text import shows, tells, text_facts
from course.games.turns import IDEAS, Idea, Turn, play_by_the_rules, play_turn, turn_problem

__all__ = [
    "IDEAS",
    "GameProblem",
    "Idea",
    "Make",
    "Play",
    "Turn",
    "chance_faults",
    "facts_hold",
    "play_by_the_rules",
    "play_turn",
    "shared_facts",
    "shows",
    "starts_again",
    "stays_apart",
    "tells",
    "text_facts",
    "turn_problem",
    "uses_chance",
]
