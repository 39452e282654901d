"""Hints on request: each call says a little more."""

from collections import Counter
from typing import Any

from course.answers import NoAnswer
from course.hints import diagnose
from course.hints.diagnosis import exercise_of
from course.lessons import exercise

_shown: Counter[tuple[str, str]] = Counter()


class Hint:
    """One step of three; a notebook shows it as text."""

    def __init__(self, step: int, text: str) -> None:
        self.step = step
        self.text = text

    def __repr__(self) -> str:
        return f"Hint {self.step} of 3: {self.text}"

    def _repr_markdown_(self) -> str:
        more = "" if self.step == 3 else "\n\n*Run the cell again for more.*"
        return f"**Hint {self.step} of 3.** {self.text}{more}"


def hint(name: str) -> Hint:
    """The next hint for an exercise: first a nudge, then what is going on, then how to do it.

    If the learner's own function shows a known mistake, the hints are about that mistake. Raises
    `ValueError`, listing all exercises, if there is no exercise of that name.

    >>> hint("winning_tile")
    Hint 1 of 3: The game is named after it.
    """
    steps: tuple[str, ...] = exercise(name).hints
    about = ""
    mistake = _diagnosis(name)
    if mistake is not None:
        about = mistake.id
        steps = (mistake.nudge, mistake.explain, mistake.show)
    step = min(_shown[name, about] + 1, len(steps))
    _shown[name, about] = step
    return Hint(step, steps[step - 1])


def _diagnosis(name: str) -> Any:
    """What is known of the learner's own function of that name, if there is one in the notebook."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    mine = None if shell is None else shell.user_ns.get(name.partition(".")[0])
    if not callable(mine):
        return None
    try:
        mistake = diagnose(mine)
    except NoAnswer:
        return None
    # A class shows the mistakes of all its methods; only those of the one asked about count.
    return mistake if mistake is not None and exercise_of(mistake.id) == name else None
