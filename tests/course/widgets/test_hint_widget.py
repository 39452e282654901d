"""The puzzle of the last hint in a notebook: its widget, and its answers to the browser."""

from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course import hint
from course.hints.parsons_puzzles import puzzle, puzzles
from course.hints.progressive_hints import Hint, PuzzleHint, _shown
from course.widgets.hint_widget import PuzzleWidget, played


@pytest.fixture(autouse=True)
def fresh_hints():
    _shown.clear()
    yield
    InteractiveShell.clear_instance()


def shown(name: str) -> PuzzleWidget:
    about = puzzle(name)
    assert about is not None
    widget = PuzzleWidget(PuzzleHint(3, about))
    widget.sent = []
    widget.send = widget.sent.append
    return widget


def answer(widget: Any, rows: Any) -> dict[str, Any]:
    widget._handle_custom_msg({"view": "one", "rows": rows}, [])
    return widget.sent[-1]


def right_rows(name: str) -> list[list[int]]:
    """Return the right order as the browser sends it: the number and indentation of each line.

    If two lines are equal, each number is used once.
    """
    about, used = puzzle(name), []
    for line in about.lines:
        free = [n for n, text in enumerate(about.pile()) if text == line.text and n not in used]
        used.append(free[0])
    return [[n, line.indent] for n, line in zip(used, about.lines, strict=True)]


def test_the_third_hint_of_a_notebook_is_a_widget():
    InteractiveShell.instance().run_cell("from course.rules import merge")
    steps = [hint("merge") for _ in range(3)]
    assert [isinstance(step, Hint) for step in steps] == [True, True, False]
    assert isinstance(steps[2], PuzzleWidget)
    assert repr(steps[2]).startswith("Hint 3 of 3: Below `def merge(line):`")


def test_the_browser_gets_no_hint_at_which_lines_are_right():
    state = shown("merge").puzzle
    assert set(state) == {"title", "name", "task", "given", "lines", "base", "deepest"}
    assert sorted(state["lines"]) == sorted(puzzle("merge").pile())


@pytest.mark.parametrize("name", puzzles())
def test_a_right_order_is_played(name: str):
    said = answer(shown(name), right_rows(name))
    assert (said["kind"], said["right"], said["line"]) == ("judged", True, None)
    assert said["view"] == "one"
    assert said["shown"]["call"] == puzzle(name).shown.call
    assert said["shown"]["text"] or said["shown"]["after"]


def test_a_wrong_order_gets_its_sentence_and_nothing_else():
    said = answer(shown("merge"), right_rows("merge")[::-1])
    assert said["sentence"] == "Line 1 is the first that is out of place."
    assert (said["right"], said["line"], said["shown"]) == (False, 1, None)


@pytest.mark.parametrize(
    "rows",
    [
        *[None, 3, "0", {"0": 1}, ["0"], [[0]], [[0, 1, 2]], [[True, 1]], [[0.0, 1]]],
        *[[[0, 1], [0, 1]], [[99, 1]], [[-1, 1]], [[0, 99]], [[0, -1]]],
    ],
    ids=str,
)
def test_what_the_puzzle_never_sends_is_dropped(rows: Any):
    assert answer(shown("merge"), rows) == {"kind": "dropped", "view": "one"}


def test_a_message_that_is_no_message_is_dropped():
    widget = shown("merge")
    widget._handle_custom_msg("rows", [])
    assert widget.sent == [{"kind": "dropped", "view": None}]


def test_what_is_seen_is_what_the_program_does():
    merge = puzzle("merge")
    seen = played(merge, merge.lines)
    assert (seen["before"], seen["after"]) == ([[2, 0, 2, 4]], [[4, 4, 0, 0]])
    assert seen["motion"]["merged"] == [[0, 0]]


def test_of_two_equal_lines_each_may_stand_in_the_place_of_the_other():
    rows, pile = right_rows("slide"), puzzle("slide").pile()
    first, second = [at for at, (n, _) in enumerate(rows) if pile[n] == "board = rotate(board)"]
    rows[first], rows[second] = rows[second], rows[first]
    assert answer(shown("slide"), rows)["right"]


def test_a_saved_notebook_shows_the_lines(monkeypatch: pytest.MonkeyPatch):
    seen: list[Any] = []
    monkeypatch.setattr("course.widgets.hint_widget.show", lambda *parts: seen.extend(parts))
    shown("merge")._ipython_display_()
    _, picture, caption, text = seen
    assert "<li><code>squares = close_gaps(line)</code></li>" in picture
    assert "<code>def merge(line):</code>" in picture
    assert caption == "Hint 3 of 3: a puzzle. Run this cell to solve it."
    assert "  8. squares = close_gaps(line)" in text
