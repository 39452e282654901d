"""Hints on request: each call says a little more."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from course import lessons
from course.answers import NoAnswer
from course.hints import Diagnosis, diagnose
from course.refusal import Refusal

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


def hint(exercise: str | Callable[..., Any]) -> Hint:
    """The next hint for an exercise: first a nudge, then what is going on, then how to do it.

    `exercise` is its name, as in `hint("merge")`, or the learner's own function. If that function
    shows a known mistake, the hints are about that mistake. Raises `Refusal`, listing all
    exercises, if there is no exercise of that name.

    >>> hint("winning_tile")
    Hint 1 of 3: The game is named after it.
    """
    name = exercise if isinstance(exercise, str) else getattr(exercise, "__name__", None)
    if not isinstance(name, str):
        raise Refusal(f'hint takes the name of an exercise, as hint("merge"), and not {exercise!r}')
    try:
        steps: tuple[str, ...] = lessons.exercise(name).hints
    except ValueError as error:
        raise Refusal(str(error)) from None
    mistake = _diagnosis(_in_the_notebook(name) if isinstance(exercise, str) else exercise)
    if mistake is not None:
        steps = (mistake.nudge, mistake.explain, mistake.show)
    about = "" if mistake is None else mistake.id
    step = min(_shown[name, about] + 1, len(steps))
    _shown[name, about] = step
    return Hint(step, steps[step - 1])


def _in_the_notebook(name: str) -> Any:
    """The learner's own function of that name, if there is one."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    return None if shell is None else shell.user_ns.get(name)


def _diagnosis(mine: Any) -> Diagnosis | None:
    """What is known of the learner's own function; nothing, if it does not let itself be asked."""
    if not callable(mine):
        return None
    try:
        return diagnose(mine)
    except (Exception, NoAnswer, SystemExit, KeyboardInterrupt):
        return None
