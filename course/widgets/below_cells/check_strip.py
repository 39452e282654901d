"""The strip below the cell of an answer: a mark for each check, and the first failure in full."""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import Any

from course.checks.failed import HINT, CheckFailed, from_before
from course.hints.diagnosis import no_function_observed_twice
from course.lessons import Exercise, definition, ways
from course.mine.own_or_course import released
from course.mine.run_visible_checks import CheckOutcome, check_and_idea, is_untouched, outcomes
from course.steps.function_source import coloured
from course.widgets.below_cells.error_advice import STUB
from course.widgets.failure_picture import failure_html
from course.widgets.static_html import read, with_code

MARKS = {"holds": "✓", "fails": "✗", "open": "–"}
WORDS = {"holds": "holds", "fails": "does not hold", "open": "is open"}
BRACKET = re.compile(r"([(\[])")
# In a notebook, Escape goes from the strip to the next cell, as it does from a widget.
TO_NEXT_CELL = (
    "onkeydown=\"if (event.key === 'Escape') "
    "this.closest('.jp-Cell')?.nextElementSibling?.focus()\""
)
STALE = "Not checked since you changed code that it uses. Run this cell again."
NEEDS_OTHERS = "It needs code that is not there yet. Is each cell above this one written, and run?"


@dataclass(repr=False)
class Strip:
    """The outcomes of an exercise's checks; a notebook shows them as marks in one line.

    If all checks hold, the strip offers other ways to write the answer. `is_stale` is true if code
    that the answer uses has changed since the checks were run, and `is_untouched` if the learner
    has written nothing yet.
    """

    exercise: str
    outcomes: Sequence[CheckOutcome]
    is_stale: bool = False
    is_untouched: bool = False

    @property
    def failure(self) -> CheckOutcome | None:
        """The outcome whose error is shown: the first that fails, or else the first open one."""
        found = [each for each in self.outcomes if each.error is not None]
        return min(found, key=lambda each: each.state == "open", default=None)

    @property
    def nudge(self) -> str:
        """The hint in the message of the failure; "" if it has none."""
        return _message(self.failure)[1]

    def __repr__(self) -> str:
        if self.is_stale:
            return f"{self.exercise}: {STALE}"
        lines, failure = [self._title()], self.failure
        if not self._is_short():
            lines.append("  ".join(f"{MARKS[each.state]} {each.check}" for each in self.outcomes))
        if failure is not None:
            lines += ["", f"{MARKS[failure.state]} {failure.check}: {failure.idea}"]
        lines += filter(None, [self._lack().replace("`", "")])
        if failure is not None:
            message, nudge = _message(failure)
            lines += [message, *([HINT.strip("\n") + nudge] if nudge else [])]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        body = f"<p>{escape(STALE)}</p>" if self.is_stale else "".join(self._parts_html())
        state = "stale" if self.is_stale else "fresh"
        return (
            f'<style>{read("check_strip.css")}</style><div class="c2048-checks c2048-{state}">'
            f'<p class="c2048-checks-title">{escape(self._title())}</p>{body}</div>'
        )

    def _title(self) -> str:
        total = len(self.outcomes)
        holding = sum(each.state == "holds" for each in self.outcomes)
        if self.is_stale:
            return self.exercise
        if total == 1:
            return f"{self.exercise}: its check {'holds' if holding else 'does not hold yet'}."
        if holding == total:
            return f"{self.exercise}: all {total} checks hold."
        return f"{self.exercise}: {holding} of {total} checks hold."

    def _is_short(self) -> bool:
        """Return true if there is only one check, and it has an error: then leave out the marks."""
        return self.failure is not None and len(self.outcomes) == 1

    def _lack(self) -> str:
        """Return a sentence if the checks need code that is not written yet, or else ""."""
        if self.failure is None:
            return STUB if self.is_untouched else ""
        if self.failure.state == "open":
            return NEEDS_OTHERS
        return STUB if self.failure.is_unwritten else ""

    def _parts_html(self) -> Iterator[str]:
        """Yield the HTML parts below the title: marks, the failure, other right programs."""
        if not self._is_short():
            marks = "".join(
                f'<li class="c2048-{each.state}">{_mark_html(each)} {escape(each.check)}'
                f'<span class="c2048-hidden"> {WORDS[each.state]}</span></li>'
                for each in self.outcomes
            )
            yield f'<ul class="c2048-marks" role="list">{marks}</ul>'
        failure, lack = self.failure, self._lack()
        if failure is not None:
            idea = f"{_mark_html(failure)} {escape(f'{failure.check}: {failure.idea}')}"
            yield f'<p class="c2048-first c2048-{failure.state}">{idea}</p>'
        if lack:
            yield f"<p>{with_code(lack)}</p>"
        if failure is not None:
            message, nudge = _message(failure)
            if isinstance(failure.error, CheckFailed):
                yield failure_html(failure.error)
            yield _message_html(message)
            yield f"<p>Hint: {with_code(nudge)}</p>" if nudge else ""
        found = ways(self.exercise) if all(one.state == "holds" for one in self.outcomes) else ()
        if found:
            yield f"<details {TO_NEXT_CELL}><summary>Other ways to write it</summary>"
            for way in found:
                yield f"<p>{with_code(way.sentence)}</p>{_program_html(way.program)}"
            yield "</details>"


def _mark_html(outcome: CheckOutcome) -> str:
    return f'<span aria-hidden="true">{MARKS[outcome.state]}</span>'


def _message(outcome: CheckOutcome | None) -> tuple[str, str]:
    """Return the message of an outcome without its hint, and the hint; `("", "")` for `None`."""
    if outcome is None:
        return "", ""
    message, _, nudge = outcome.message.partition(HINT)
    before = from_before(getattr(outcome.error, "of", None))
    return "\n".join(filter(None, [message, before])), nudge


def _message_html(message: str) -> str:
    """Return a message as HTML: its sentences as text, its calls, values and lines as code."""
    parts = []
    for is_code, lines in groupby(message.splitlines(), _is_code):
        text = escape("\n".join(lines))
        parts.append(f"<pre>{text}</pre>" if is_code else f"<p>{text}</p>")
    return "".join(parts)


def _is_code(line: str) -> bool:
    """Return true for a line of a message that is Python, or indented."""
    try:
        ast.parse(line.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return line.startswith(" ")
    return True


def _program_html(program: str) -> str:
    """Return a program as HTML in colours; long lines may be wrapped behind opening brackets."""
    shown = ""
    for line, parts in zip(program.splitlines(), coloured(program), strict=True):
        shown += f'<code style="--indent:{len(line) - len(line.lstrip())}ch">'
        for part, kind in parts:
            text = BRACKET.sub(r"\1<wbr>", escape(part))
            shown += f'<span class="c2048-py-{kind}">{text}</span>' if kind else text
        shown += "</code>"
    return f'<pre class="c2048-program">{shown}</pre>'


def strip_of(exercise: Exercise, source: str, names: dict[str, Any]) -> Strip | None:
    """Return the strip of the answer that a cell has just defined; `None` if it has defined none.

    `source` is the text of the cell, `names` are the variables of the notebook. If nothing is
    written in the cell yet, all checks are open.
    """
    if not definition(exercise.cell).search(source):
        return None
    if is_untouched(exercise, source):
        tests = released()[exercise.name]["checks"].values()
        still_open = [CheckOutcome(*check_and_idea(test), "open") for test in tests]
        return Strip(exercise.name, still_open, is_untouched=True)
    with no_function_observed_twice():
        return Strip(exercise.name, list(outcomes(exercise, names, source)))


_shown: dict[str, Strip] = {}  # the strips of this notebook, by the name of the exercise


def show_strip(strip: Strip) -> None:
    """Show a strip below the cell that runs, with a button for hints if a check fails."""
    _shown[strip.exercise] = strip
    sys.modules["IPython"].display.display(strip, display_id=f"strip-{strip.exercise}")
    if strip.failure is not None and strip.failure.state == "fails":
        # Imported here, because a cell that needs no button needs no widgets.
        from course.widgets.hint_widget import show_button

        show_button(strip.exercise, strip.nudge, strip.exercise, strip.failure.error)


def make_stale(exercises: Sequence[str]) -> None:
    """Make the strips of these exercises say that some code used by their answers has changed."""
    for name in _shown.keys() & set(exercises):
        _shown[name] = replace(_shown[name], is_stale=True, is_untouched=False)
        sys.modules["IPython"].display.update_display(_shown[name], display_id=f"strip-{name}")
