"""Successes: the ✓ below the cell of each check that holds; it turns grey if code has changed."""

import sys
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Literal

from course.checks.failed import from_before
from course.hints.find_helpers import uses
from course.lessons import Exercise, Lesson, folder_of_lessons, lessons
from course.mine.passed_checks import Results, noting
from course.mine.run_visible_checks import CheckOutcome, check_and_idea
from course.widgets.below_cells.check_strip import make_stale

State = Literal["holds", "fails", "stale"]

_SIGNS = {"holds": "✓", "fails": "✗", "stale": "–"}
_SAYS = {
    "holds": "holds",
    "fails": "does not hold any more",
    "stale": "not checked since your last change",
}
_CIRCLE = (
    "display:inline-block;width:1.5em;height:1.5em;margin-right:.5em;border-radius:50%;"
    "color:#fff;text-align:center;line-height:1.5em;font-weight:700;background:"
)


@dataclass(frozen=True)
class Success:
    """A check that holds; a notebook shows it as a green ✓, with the idea that the check tests.

    `holding` is the number of the lesson's checks that hold. `before` is a sentence if the check
    has tested an older version of the learner's code, or else "". When the code changes later, the
    mark turns grey, and `state` becomes "stale". When the check is then run again, `state` becomes
    "holds" or "fails".
    """

    check: str
    idea: str
    lesson: Lesson
    holding: int
    before: str = ""
    state: State = "holds"

    def __repr__(self) -> str:
        said = f"{_SIGNS[self.state]} {self.check}: {self.idea}"
        if self.state != "holds":
            return f"{said} ({_SAYS[self.state]})"
        return f"{said} {self._count()} {self.before}".rstrip()

    def _repr_html_(self) -> str:
        colour = "#1a7f37" if self.state == "holds" else "#6b6b6b"
        tick = f'<span style="{_CIRCLE}{colour}" aria-hidden="true">{_SIGNS[self.state]}</span>'
        before = f" <strong>{escape(self.before)}</strong>" if self.before else ""
        count = f" <em>{self._count()}</em>{before}" if self.state == "holds" else ""
        return (
            f'<p style="margin:4px 0">{tick}<strong>{escape(self.check)}</strong> '
            f"{_SAYS[self.state]}: {escape(self.idea)}{count}</p>"
        )

    def _count(self) -> str:
        total = len(self.lesson.checks)
        if total == 1:
            return "It is the one idea of this lesson."
        if self.holding == total:
            return f"All {total} ideas of this lesson hold."
        return f"{self.holding} of {total} ideas of this lesson hold."


def note_result(source: str, cell: str, holds: bool) -> Success | None:
    """Note the result of a cell, if the cell is a check or an answer to an exercise.

    `source` is the text of the cell, `cell` is its id, and `holds` is true if it ran without error.
    Return the success of a check that holds, and `None` for any other cell. If an answer has
    changed, the marks of its checks turn stale, and so do the marks and strips of all answers that
    use it.
    """
    check, idea = check_and_idea(source)
    for lesson in lessons():
        if check in lesson.checks:
            with _results(lesson) as results:
                results.note_check(check, holds)
            before = from_before(_asked(lesson, check))
            return Success(check, idea, lesson, len(results.holds), before) if holds else None
        for exercise in lesson.exercises:
            if holds and exercise.cell == cell:
                _note_answer(lesson, exercise, source)
    return None


def _note_answer(lesson: Lesson, exercise: Exercise, source: str) -> None:
    names = vars(sys.modules["__main__"])
    of = exercise.name.partition(".")[0]
    # The cell of a class is checked before other cells add methods to the class. So this cell uses
    # none of these methods. (If the cell is run again, the methods are lost.)
    others = [other for other in lesson.exercises if other.name not in (exercise.name, of)]
    users = [one for one in others if uses(names.get(one.name.partition(".")[0]), names.get(of))]
    checks = [check for user in users for check in user.checks]
    with _results(lesson) as results:
        is_changed = results.note_answer(exercise, source, checks)
    _renew_marks(lesson, results)
    if is_changed:
        make_stale([user.name for user in users])


def write_down(lesson: Lesson, outcomes: Sequence[CheckOutcome]) -> None:
    """Save the outcomes of checks that are not open, and renew the marks below their cells."""
    with _results(lesson) as results:
        for each in outcomes:
            if each.state != "open":
                results.note_check(each.check, holds=each.state == "holds")
    _renew_marks(lesson, results, {each.check for each in outcomes if each.state == "fails"})


_shown: dict[str, Success] = {}  # the marks below the cells of checks, by the id of the check


def show_success(success: Success) -> None:
    """Show a ✓ below the cell that runs, and remember it, so that it can turn grey later."""
    _shown[success.check] = success
    sys.modules["IPython"].display.display(success, display_id=f"check-{success.check}")


def forget_success(check: str) -> None:
    """Forget the ✓ of a check whose cell now shows something else."""
    _shown.pop(check, None)


def _renew_marks(lesson: Lesson, results: Results, failing: Set[str] = frozenset()) -> None:
    """Renew the marks of a lesson that are out of date; the checks `failing` have just failed."""
    for check, success in _shown.items():
        has_failed = success.state == "fails" and check not in results.again
        state: State = "fails" if check in failing or has_failed else "stale"
        state = "holds" if check in results.holds else state
        if check in lesson.checks and state != success.state:
            new = replace(success, holding=len(results.holds), before="", state=state)
            _shown[check] = new
            sys.modules["IPython"].display.update_display(new, display_id=f"check-{check}")


def _asked(lesson: Lesson, check: str) -> Any:
    """Return the function, class or method of the learner that a check tests, or `None`."""
    name = next(each.name for each in lesson.exercises if check in each.checks)
    first, _, method = name.partition(".")
    piece = getattr(sys.modules.get("__main__"), first, None)
    member = vars(piece).get(method) if method and isinstance(piece, type) else piece
    return member.fget if isinstance(member, property) else member


@contextmanager
def _results(lesson: Lesson) -> Iterator[Results]:
    """Yield the results of a lesson, to be changed; save them if there is a folder of lessons."""
    place = folder_of_lessons()
    here = nullcontext(_here.setdefault(lesson.id, Results()))
    with here if place is None else noting(place, lesson.id) as own:
        yield own
        own.holds &= set(lesson.checks)


_here: dict[str, Results] = {}  # by the id of the lesson; used if there is no folder of lessons
