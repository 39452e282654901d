"""Messages below the cells of a notebook: a ✓ for a check that holds, or advice after an error.

A check holds if the learner's code has passed it. Each check tests one idea of a lesson.
"""

import os
import re
import sys
from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

from course.checks.failed import CheckFailed
from course.checks.leftover_functions import from_before, note_run
from course.hints.diagnosis import note_check
from course.lessons import Lesson, folder_of_lessons, lessons
from course.mine.passed_checks import Results, note
from course.plain_errors import say_what_is_missing
from course.widgets.error_advice import advice, cut_recursion, not_added
from course.widgets.static_html import show_failure

IDEA = re.compile(r"\A# ([\w-]+): *([^\n]*)")
_TICK = (
    "display:inline-block;width:1.5em;height:1.5em;margin-right:.5em;border-radius:50%;"
    "background:#1a7f37;color:#fff;text-align:center;line-height:1.5em;font-weight:700"
)


def begin() -> None:
    """Show failed checks as pictures, and a message below each cell that needs one, from now on.

    Tracebacks of an endless recursion get shorter, and for an unfinished cell, Python's own message
    says what is missing. In a script, and while nbgrader runs the notebook, only the pictures are
    switched on.
    """
    CheckFailed.picture = staticmethod(show_failure)
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    if not hasattr(shell, "kernel") or "NBGRADER_EXECUTION" in os.environ:
        return
    if not getattr(shell, "shows_success_2048", False):
        shell.shows_success_2048 = True  # type: ignore[union-attr]
        shell.events.register("pre_run_cell", _cell_begins)  # type: ignore[union-attr]
        shell.events.register("post_run_cell", _cell_has_run)  # type: ignore[union-attr]
        cut_recursion(shell)
        say_what_is_missing(shell)


def _cell_begins(info: Any) -> None:
    """Note the check that a cell runs, if it runs one; IPython calls this before each cell."""
    idea = IDEA.match(str(info.raw_cell))
    note_check(idea[1] if idea is not None else "")


def _cell_has_run(result: Any) -> None:
    """Show advice or a success below a cell; IPython calls this after each cell.

    If this function itself fails, it shows nothing, so that no learner sees its error.
    """
    source, cell, is_done = result.info.raw_cell, _cell_id(result.info), bool(result.success)
    try:
        error = result.error_before_exec or result.error_in_exec
        note_run(cell, source, is_done, error)
        said = advice(result.error_in_exec) or told(source, cell, is_done)
        said = said or (not_added(source, cell) if is_done else None)
    except Exception:
        return
    if said is not None:
        sys.modules["IPython"].display.display(said)


def _cell_id(info: Any) -> str:
    """Return the id of the cell that has run.

    If Python runs in the browser, only the message that asked it to run the cell has the id.
    """
    if info.cell_id is None:
        message = sys.modules["IPython"].get_ipython().kernel.get_parent()
        return str(message.get("metadata", {}).get("cellId"))
    return str(info.cell_id)


class Success:
    """A check that holds; a notebook shows it as a ✓, with the idea that the check tests."""

    def __init__(
        self, check: str, idea: str, lesson: Lesson, holding: int, before: str = ""
    ) -> None:
        self.check, self.idea = check, idea
        self.lesson, self.holding = lesson, holding
        self.before = before  # a sentence, if the check has tested an older version of the cell

    def __repr__(self) -> str:
        return f"✓ {self.check}: {self.idea} {self._count()} {self.before}".rstrip()

    def _repr_html_(self) -> str:
        tick = f'<span style="{_TICK}" aria-hidden="true">✓</span>'
        before = f" <strong>{escape(self.before)}</strong>" if self.before else ""
        return (
            f'<p style="margin:4px 0">{tick}<strong>{escape(self.check)}</strong> holds: '
            f"{escape(self.idea)} <em>{self._count()}</em>{before}</p>"
        )

    def _count(self) -> str:
        total = len(self.lesson.checks)
        if total == 1:
            return "It is the one idea of this lesson."
        if self.holding == total:
            return f"All {total} ideas of this lesson hold."
        return f"{self.holding} of {total} ideas of this lesson hold."


def told(source: str, cell: str, holds: bool) -> Success | None:
    """Note the result of a cell, if the cell is a check or an answer to an exercise.

    `source` is the text of the cell, and `cell` its id, which may be unknown. `holds` is true if
    the cell has run without an error. Returns the success of a check that holds, and `None` for any
    other cell.
    """
    idea = IDEA.match(source)
    for lesson in lessons():
        if idea is not None and idea[1] in lesson.checks:
            results = _noted(lesson, partial(Results.note_check, check=idea[1], holds=holds))
            before = from_before(_asked(lesson, idea[1]))
            holding = len(results.holds)
            return Success(idea[1], idea[2], lesson, holding, before) if holds else None
        written = [exercise for exercise in lesson.exercises if holds and exercise.cell == cell]
        for exercise in written:
            _noted(lesson, partial(Results.note_answer, exercise=exercise, source=source))
    return None


def _asked(lesson: Lesson, check: str) -> Any:
    """Return the function, class or method of the learner that a check tests, or `None`."""
    name = next(each.name for each in lesson.exercises if check in each.checks)
    first, _, method = name.partition(".")
    piece = getattr(sys.modules.get("__main__"), first, None)
    member = vars(piece).get(method) if method and isinstance(piece, type) else piece
    return member.fget if isinstance(member, property) else member


def _noted(lesson: Lesson, change: Callable[[Results], None]) -> Results:
    """Change the results of a lesson, save them, and return them.

    If there is no folder of lessons, the results are kept only as long as Python runs.
    """

    def changed(own: Results) -> None:
        change(own)
        own.holds &= set(lesson.checks)

    place = folder_of_lessons()
    if place is not None:
        return note(place, lesson.id, changed)
    own = _here.setdefault(lesson.id, Results())
    changed(own)
    return own


_here: dict[str, Results] = {}  # by the id of the lesson, if there is no folder of lessons
