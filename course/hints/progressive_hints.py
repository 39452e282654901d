"""Hints on request: each call of `hint` tells a little more, and most series end in a puzzle."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from course import lessons
from course.function_calls import NoAnswer
from course.hints import Diagnosis, diagnose
from course.hints.custom_exercises import AuthoredExercise, authored_exercises
from course.hints.find_helpers import own_helpers
from course.hints.parsons_puzzles import Puzzle, answers_alike, is_untouched, puzzle
from course.plain_errors import plainly
from course.refusal import Refusal

TRY_FIRST = (
    "The next hint is a puzzle with all the lines of the function. Try it yourself first: write "
    "what you know in place of `raise NotImplementedError()`, even one line, and run the cell. "
    "Then ask again."
)
TRY_FIRST_ALONE = (
    "The next hint says all. Try it yourself first: write what you think in your cell, and run it. "
    "Then ask again."
)
UNTRIED = (TRY_FIRST, TRY_FIRST_ALONE)
HELPER_FIRST = (
    "Your `{name}` uses your `{helper}`, and that one is not right yet. Look there first: run the "
    "cell of `{helper}`, and read what stands below it."
)

IS_RIGHT = "Your `{name}` is right in all that its author asks here. There is nothing to hint at."

# The number of hints shown so far in each series; `_step` says what the key `about` is.
_shown: Counter[tuple[Any, ...]] = Counter()
# A dictionary from the names of exercises to pairs: the last program that failed a check, and the
# diagnosis shown below its cell.
_failed: dict[str, tuple[Any, Diagnosis | None]] = {}


@dataclass(repr=False)
class Hint:
    """One hint of a series; a notebook shows it as text."""

    step: int
    steps: int
    text: str

    @property
    def title(self) -> str:
        """The heading of the hint, such as `Hint 1 of 3`."""
        return f"Hint {self.step} of {self.steps}"

    def __repr__(self) -> str:
        return f"{self.title}: {self.text}"

    def _repr_markdown_(self) -> str:
        more = "" if self.step == self.steps else "\n\n*Run the cell again for more.*"
        return f"**{self.title}.** {self.text}{more}"


class PuzzleHint(Hint):
    """The last hint: a puzzle, with a text for readers who cannot move its lines."""

    def __init__(self, step: int, about: Puzzle) -> None:
        super().__init__(step, step, about.text())
        self.puzzle = about


@plainly
def hint(exercise: str | Callable[..., Any]) -> Hint:
    """Return the next hint for an exercise: first a nudge, then an explanation, then a puzzle.

    `exercise` is the exercise's name, as in `hint("merge")`, or the learner's own function. If this
    function shows a mistake, three hints about the mistake come before the puzzle. If a failed
    check has named a mistake, the hints are about this mistake until the program changes. If the
    mistake is in another function of the learner's, the first hint says so. A hint is left out if
    the function already does what the hint asks for. If the exercise has no puzzle, the last hint
    gives the answer. The last hint is not given until the learner has begun to solve the exercise.
    In a folder with exercises of another course, the hints are those of the course's author. Raise
    `Refusal` for an unknown name.

    >>> hint("winning_tile")
    Hint 1 of 3: The game is named after it.
    """
    name = exercise if isinstance(exercise, str) else getattr(exercise, "__name__", None)
    if not isinstance(name, str):
        raise Refusal(f'hint takes the name of an exercise, as hint("merge"), and not {exercise!r}')
    mine = in_the_notebook(name) if isinstance(exercise, str) else exercise
    if (authored := authored_exercises()) is not None:
        if name not in authored:
            listed = ", ".join(authored) or "none"
            raise Refusal(f"there is no exercise {name!r}; the exercises are {listed}")
        return _by_author(authored[name], mine)
    try:
        entry = lessons.exercise(name)
    except ValueError as error:
        raise Refusal(str(error)) from None
    program = _program(mine)
    failed, mistake = _failed.get(name, (None, None))
    if program is None or failed != program:
        mistake = None
        with suppress(Exception, NoAnswer, SystemExit, KeyboardInterrupt):
            mistake = diagnose(mine, name) if callable(mine) else None
    last = puzzle(name)
    is_own = mistake is not None and mistake.exercise.partition(".")[0] == name.partition(".")[0]
    if mistake is not None and is_own:
        texts = _about(mistake)
    elif last is None:
        texts = entry.hints
    else:
        asks = [entry.asks.get(str(number), "") for number in (1, 2)]
        pairs = zip(entry.hints, asks, strict=False)
        left = [text for text, call in pairs if not (call and answers_alike(last, call, mine))]
        texts = tuple(left or entry.hints[:-1])
    if mistake is not None and not is_own:
        texts = (HELPER_FIRST.format(name=name, helper=mistake.exercise), *texts)
    about = (name,) if mistake is None else (name, mistake.exercise, mistake.id, program)
    return _step(last, texts, about, mine)


def _about(mistake: Diagnosis) -> tuple[str, ...]:
    return mistake.nudge, mistake.explain, mistake.show


def _by_author(own: AuthoredExercise, mine: Any) -> Hint:
    """Return the next hint for `own`, an exercise of another course, which has no puzzle."""
    shown = own.shown_by(mine) if callable(mine) else ""
    if shown == own.right:
        return Hint(1, 1, IS_RIGHT.format(name=own.name))
    mistake, tried = own.wrong.get(shown), None if own.is_unwritten(shown) else mine
    if mistake is not None:
        return _step(None, _about(mistake), (own.name, mistake.id, shown), tried)
    return _step(None, own.hints, (own.name,), tried)


def note_failure(exercise: str, error: Any) -> None:
    """Note the error below a cell for the next `hint`, if it is about a learner's function."""
    _failed.pop(exercise, None)
    said = getattr(error, "diagnosis", None)
    if said is not None or getattr(error, "of", None) is not None:
        _failed[exercise] = _program(in_the_notebook(exercise)), said


def _program(mine: Any) -> Any:
    """Return the code objects of a function or class and its helpers; `None` for other values."""
    if not callable(mine):
        return None
    pieces = [mine, *own_helpers(mine)]
    members = [vars(each).values() if isinstance(each, type) else [each] for each in pieces]
    parts = (getattr(each, "fget", each) for member in members for each in member)
    return tuple(getattr(part, "__code__", None) for part in parts)


def _step(last: Puzzle | None, texts: tuple[str, ...], about: tuple[Any, ...], mine: Any) -> Hint:
    """Return the hint after the one shown last: one of `texts` or, after these, the puzzle `last`.

    Until the learner has begun to solve the exercise, a text that asks to begin takes the place of
    the last hint. Without a puzzle, the learner has begun once `mine` is neither `None` nor `...`.
    `about` names the series of hints: the exercise and, for a mistake, its id and the program.
    """
    steps = len(texts) + (last is not None)
    step = min(_shown[about] + 1, steps)
    if step == steps and last is None and (mine is None or mine is ...):
        return Hint(step, steps, TRY_FIRST_ALONE)
    if step == steps and last is not None:
        return Hint(step, steps, TRY_FIRST) if is_untouched(last, mine) else PuzzleHint(step, last)
    _shown[about] = step
    return Hint(step, steps, texts[step - 1])


def in_the_notebook(name: str) -> Any:
    """Return the value of a name in the notebook, or `None`; for `Game.move`, return `Game`."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    return None if shell is None else shell.user_ns.get(name.partition(".")[0])
