"""The course in which you write the game 2048 yourself: `from course import check, play`."""

from importlib import import_module
from typing import Any

# The names that a learner imports, and the modules that define them. A module is loaded when one
# of its names is first used, so that the rules and the checks work without any widget.
HOMES = {
    "check": "course.checks",
    "CheckFailed": "course.checks",
    "play": "course.widgets.live_board",
    "watch": "course.widgets.stepper",
    "replay": "course.widgets.replay",
    "predict": "course.widgets.predict",
    "tally": "course.widgets.simulation_charts",
    "compare": "course.widgets.simulation_charts",
    "second_chances": "course.widgets.simulation_charts",
    "hint": "course.widgets.hint_widget",
    "add_to": "course.mine.add_to_class",
    "keep": "course.mine.keeping",
    "kept": "course.mine.keeping",
    "hand_in": "course.handing_in",
    "progress": "course.widgets.progress",
    "pieces": "course.widgets.progress",
    "play_duel": "course.widgets.live_duel",
    "tournament": "course.widgets.agent_tournament",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'course' has no attribute {name!r}")
    if name == "check":
        import_module("course.widgets.below_cells.cell_messages").begin()
    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
