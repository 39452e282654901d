"""`hint(...)` for learners, and the button for hints below a check that fails.

The last hint is a puzzle for most exercises: lines of code are to be put in order.
"""

from collections.abc import Callable
from html import escape
from typing import Any

import traitlets

from course.hints import progressive_hints
from course.hints.parsons_puzzles import DEEPEST, Puzzle, Row, call_shown, judge
from course.plain_errors import plainly
from course.widgets.below_cells.cells_without_name import lack_of
from course.widgets.live_widget import DROPPED, LiveWidget
from course.widgets.static_html import call_motion, drawn, read, show, with_code


class PuzzleWidget(LiveWidget):
    """A puzzle: the learner puts lines of code in order, and Python runs and judges them."""

    _esm = read("parsons_puzzle.js")
    _css = read("ask.css")
    puzzle: Any = traitlets.Dict().tag(sync=True)  # it does not say which lines are right
    step: progressive_hints.PuzzleHint | None = None

    def __init__(self, step: progressive_hints.PuzzleHint | None = None, **state: Any) -> None:
        super().__init__(**state)
        if step is not None:
            self._give(step)

    def _give(self, step: progressive_hints.PuzzleHint) -> None:
        self.step, about = step, step.puzzle
        self.puzzle = {
            "title": step.title,
            "name": about.exercise,
            "task": about.task,
            "given": about.given.splitlines(),
            "lines": list(about.pile()),
            "base": about.base,
            "deepest": about.base + DEEPEST,
        }

    def __repr__(self) -> str:
        return repr(self.step)

    def _ipython_display_(self) -> None:
        task, title = with_code(self.puzzle["task"]), self.puzzle["title"]
        lines = "".join(f"<li><code>{escape(line)}</code></li>" for line in self.puzzle["lines"])
        caption = f"{title}: a puzzle. Run this cell to solve it."
        show(self, f"<p>{task}</p><ol>{lines}</ol>", caption, repr(self))

    def _answer(self, content: Any) -> dict[str, Any]:
        """Return the judgement on the program that a view has sent; drop any other message."""
        sent = content.get("rows") if isinstance(content, dict) else None
        if self.step is None or sent is None:
            return DROPPED
        puzzle = self.step.puzzle
        pile = puzzle.pile()  # a view sends each line as its index in the pile, and its indentation
        rows = tuple(Row(pile[number], indent) for number, indent in sent)
        finding = judge(puzzle, rows)
        return {
            "kind": "judged",
            "right": finding.is_right,
            "sentence": finding.sentence,
            "line": finding.line,
            "shown": played(puzzle, rows) if finding.is_right else None,
        }


def next_hint(exercise: str | Callable[..., Any]) -> progressive_hints.Hint:
    """Return the next hint for an exercise; if its cell has not defined it, the hint says why."""
    step = progressive_hints.hint(exercise)
    name = exercise if isinstance(exercise, str) else ""
    lack = lack_of(name, is_known=progressive_hints.in_the_notebook(name) is not None)
    return progressive_hints.Hint(1, 1, lack) if lack else step


@plainly
def hint(exercise: str | Callable[..., Any]) -> progressive_hints.Hint | PuzzleWidget:
    """Show the next hint for an exercise: at first a nudge, at last a puzzle or the answer.

    `exercise` is the name of the exercise, as in `hint("merge")`, or your own function. If your
    function makes a known mistake, three hints about that mistake come before the puzzle. If the
    mistake is in a function of yours that it calls, the first hint says so. For an exercise without
    a puzzle, the last hint is its answer. You get the last hint only after you have tried
    something. Raise `Refusal`, listing all exercises, if there is no exercise of that name.
    """
    step = next_hint(exercise)
    return PuzzleWidget(step) if isinstance(step, progressive_hints.PuzzleHint) else step


def played(puzzle: Puzzle, rows: tuple[Row, ...]) -> dict[str, Any]:
    """Return an example call of a right program, as a dictionary for the view of a puzzle.

    `call` is the text of the call, and `text` is its result. `before` is the board or line that was
    passed, or `None` if there is none. `after` is the board after the call, or `None` if the call
    leaves the board as it was. `motion` says how the tiles move from one to the other.
    """
    arguments, gives, board, changed = call_shown(puzzle, rows)
    before, after = drawn(board), drawn(changed)
    return {
        "call": puzzle.shown["call"],
        "text": gives if gives is None or isinstance(gives, str) else repr(gives),
        "before": before,
        "after": after if before is None or after != before else None,
        "motion": call_motion(arguments, changed),
    }


class HintButton(PuzzleWidget):
    """A button that gives hints for an exercise; a first hint with the text `seen` is skipped."""

    _esm = read("hint_button.js")
    exercise = traitlets.Unicode("").tag(sync=True)
    hints: Any = traitlets.List().tag(sync=True)
    has_more = traitlets.Bool(True).tag(sync=True)

    def __init__(self, exercise: str, seen: str = "") -> None:
        super().__init__(exercise=exercise)
        self.seen = seen

    def __repr__(self) -> str:
        return f"<a button for hints about {self.exercise}>"

    def _ipython_display_(self) -> None:
        caption = "Run this cell to get a button for hints."
        show(self, "", caption, f'hint("{self.exercise}") gives a hint.')

    def _answer(self, content: Any) -> dict[str, Any]:
        if not isinstance(content, dict) or content.get("do") != "hint":
            return super()._answer(content)
        step = next_hint(self.exercise)
        if step.text == self.seen and step.step == 1:
            step = next_hint(self.exercise)
        if isinstance(step, progressive_hints.PuzzleHint):
            self._give(step)
        else:
            hint = {"title": step.title, "text": step.text}
            self.hints = [*(each for each in self.hints if each != hint), hint]
        self.has_more = step.step < step.steps or step.text in progressive_hints.UNTRIED
        state = {name: getattr(self, name) for name in ("hints", "puzzle", "has_more")}
        return {"kind": "hinted", **state}


_last: dict[str, HintButton] = {}  # the last button below each exercise or check, by its name


def show_button(exercise: str, seen: str, below: str, error: BaseException | None) -> None:
    """Show a button for hints below the cell of the check or exercise `below`.

    Close the button that was shown there before. `seen` is a hint that the learner sees already,
    and `error` is the error of the cell.
    """
    progressive_hints.note_failure(exercise, error)
    if below in _last:
        _last[below].close()
    _last[below] = HintButton(exercise, seen)
    _last[below]._ipython_display_()
