"""The button below a check that fails: each press gives the next hint, and at last the puzzle."""

from typing import Any

import traitlets

from course.hints import progressive_hints
from course.hints.parsons_puzzles import Puzzle
from course.widgets.hint_widget import judged, next_hint, puzzle_state
from course.widgets.live import LiveWidget
from course.widgets.static_html import read, show

CAPTION = "Run this cell to get a button for hints."


class HintButton(LiveWidget):
    """A button that gives the hints of an exercise, those of `hint(...)`, one after the other.

    `exercise` is the name of the exercise, `seen` a hint that the learner can read already. The
    traits hold what a new view begins with: the hints so far, and the puzzle once it has come.
    """

    _esm = read("hint_button.js")
    _css = read("ask.css")
    exercise = traitlets.Unicode("").tag(sync=True)
    hints: Any = traitlets.List().tag(sync=True)
    puzzle: Any = traitlets.Dict().tag(sync=True)
    has_more = traitlets.Bool(True).tag(sync=True)

    def __init__(self, exercise: str, seen: str = "") -> None:
        super().__init__(exercise=exercise)
        self.seen = seen
        self.about: Puzzle | None = None

    def __repr__(self) -> str:
        return f"<a button for hints about {self.exercise}>"

    def _ipython_display_(self) -> None:
        show(self, "", CAPTION, f'hint("{self.exercise}") gives a hint.')

    def _answer(self, content: Any) -> dict[str, Any]:
        if not isinstance(content, dict) or content.get("do") != "hint":
            return judged(self.about, content)
        self._give_hint()
        state = {name: getattr(self, name) for name in ("hints", "puzzle", "has_more")}
        return {"kind": "hinted", **state}

    def _give_hint(self) -> None:
        """Add the next hint to `hints`; if it is the puzzle, put it into `puzzle`."""
        step = next_hint(self.exercise)
        if step.text == self.seen and step.step == 1:
            step = next_hint(self.exercise)
        if isinstance(step, progressive_hints.PuzzleHint):
            self.about, self.puzzle = step.puzzle, puzzle_state(step)
        else:
            hint = {"title": step.title, "text": step.text}
            self.hints = [*(each for each in self.hints if each != hint), hint]
        self.has_more = step.step < step.steps or step.text in progressive_hints.UNTRIED


_last: dict[str, HintButton] = {}  # the last button below each exercise or check, by its name


def show_button(exercise: str, seen: str, below: str, error: BaseException | None) -> None:
    """Show a button below a cell, and close the one that its last run has shown.

    `exercise` and `seen` are those of `HintButton`. `below` is the name of the exercise or check
    that the cell is for, and `error` is the one that is shown there: the hints are about it.
    """
    progressive_hints.note_failure(exercise, error)
    if below in _last:
        _last[below].close()
    _last[below] = HintButton(exercise, seen)
    _last[below]._ipython_display_()
