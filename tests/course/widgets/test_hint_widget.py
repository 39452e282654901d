"""The button that gives hints, and the puzzle in the last hint, which judges a learner's order."""

from inspect import getsource
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course import hint
from course.hints.parsons_puzzles import puzzle
from course.hints.progressive_hints import TRY_FIRST, Hint, _shown
from course.lessons import lessons
from course.widgets.hint_widget import HintButton, PuzzleWidget, played, show_button
from tests.course.playing import learners
from tests.course.widgets.conftest import answer_to, puzzle_of

NAMES = [each.name for lesson in lessons() for each in lesson.exercises]
CASCADE = getsource(learners.cascade).replace("def cascade", "def merge")
RIGHT = "from course.rules import merge as right\ndef merge(line):\n    return right(line)"


@pytest.fixture(autouse=True)
def shell():
    _shown.clear()
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def answer(widget: Any, rows: Any) -> dict[str, Any]:
    return answer_to(widget, {"view": "one", "rows": rows})


def right_rows(name: str) -> list[list[int]]:
    """Return the right order as the browser sends it: the number and indentation of each line.

    If two lines are equal, each number is used once.
    """
    about, used = puzzle(name), []
    for line in about.lines:
        free = [n for n, text in enumerate(about.pile()) if text == line.text and n not in used]
        used.append(free[0])
    return [[n, line.indent] for n, line in zip(used, about.lines, strict=True)]


def test_the_third_hint_of_a_notebook_is_a_widget(shell: InteractiveShell):
    shell.run_cell("from course.rules import merge")
    steps = [hint("merge") for _ in range(3)]
    assert [isinstance(step, Hint) for step in steps] == [True, True, False]
    assert isinstance(steps[2], PuzzleWidget)
    assert repr(steps[2]).startswith("Hint 3 of 3: Below `def merge(line):`")


def test_the_browser_gets_no_hint_at_which_lines_are_right():
    state = puzzle_of("merge").puzzle
    assert set(state) == {"title", "name", "task", "given", "lines", "base", "deepest"}
    assert sorted(state["lines"]) == sorted(puzzle("merge").pile())


@pytest.mark.parametrize("name", [name for name in NAMES if puzzle(name)])
def test_a_right_order_is_played(name: str):
    said = answer(puzzle_of(name), right_rows(name))
    assert (said["kind"], said["right"], said["line"]) == ("judged", True, None)
    assert said["view"] == "one"
    assert said["shown"]["call"] == puzzle(name).shown["call"]
    assert said["shown"]["text"] or said["shown"]["after"]


def test_a_wrong_order_gets_its_sentence_and_nothing_else():
    said = answer(puzzle_of("merge"), right_rows("merge")[::-1])
    assert said["sentence"] == "Line 1 is the first that is out of place."
    assert (said["right"], said["line"], said["shown"]) == (False, 1, None)


def test_what_is_seen_is_what_the_program_does():
    merge = puzzle("merge")
    seen = played(merge, merge.lines)
    assert (seen["before"], seen["after"]) == ([[2, 0, 2, 4]], [[4, 4, 0, 0]])
    assert seen["motion"]["merged"] == [[0, 0]]


def test_of_two_equal_lines_each_may_stand_in_the_place_of_the_other():
    rows, pile = right_rows("slide"), puzzle("slide").pile()
    first, second = [at for at, (n, _) in enumerate(rows) if pile[n] == "board = rotate(board)"]
    rows[first], rows[second] = rows[second], rows[first]
    assert answer(puzzle_of("slide"), rows)["right"]


def test_a_saved_notebook_shows_the_lines(monkeypatch: pytest.MonkeyPatch):
    seen: list[Any] = []
    monkeypatch.setattr("course.widgets.hint_widget.show", lambda *parts: seen.extend(parts))
    puzzle_of("merge")._ipython_display_()
    _, picture, caption, text = seen
    assert "<li><code>squares = close_gaps(line)</code></li>" in picture
    assert "<code>def merge(line):</code>" in picture
    assert caption == "Hint 3 of 3: a puzzle. Run this cell to solve it."
    assert "  8. squares = close_gaps(line)" in text


def press(made: HintButton) -> dict[str, Any]:
    return answer_to(made, {"do": "hint", "view": "one"})


def test_each_press_gives_what_the_function_gives(shell: InteractiveShell) -> None:
    shell.run_cell(RIGHT)
    made = HintButton("merge")
    first = press(made)
    assert (first["kind"], first["view"], first["has_more"]) == ("hinted", "one", True)
    second = press(made)
    assert [each["title"] for each in second["hints"]] == ["Hint 1 of 3", "Hint 2 of 3"]
    third = press(made)
    assert third["hints"] == second["hints"]
    assert sorted(third["puzzle"]["lines"]) == sorted(puzzle("merge").pile())
    assert not third["has_more"]
    assert repr(hint("merge")).startswith("Hint 3 of 3")


def test_a_hint_that_can_be_read_already_is_not_given_again(shell: InteractiveShell) -> None:
    shell.run_cell(CASCADE)
    nudge = hint("merge").text
    _shown.clear()
    assert press(HintButton("merge", nudge))["hints"][0]["title"] == "Hint 2 of 4"


def test_before_anything_is_tried_the_puzzle_is_held_back() -> None:
    made = HintButton("merge")
    for _ in range(3):
        said = press(made)
    assert (said["hints"][-1]["text"], said["has_more"], said["puzzle"]) == (TRY_FIRST, True, {})
    assert press(made)["hints"] == said["hints"]


def test_an_exercise_without_a_puzzle_ends_with_its_answer(shell: InteractiveShell) -> None:
    shell.run_cell("winning_tile = 2")
    made = HintButton("winning_tile")
    said = [press(made) for _ in range(3)]
    assert [each["has_more"] for each in said] == [True, True, False]


def test_the_puzzle_is_judged_by_the_same_widget(shell: InteractiveShell) -> None:
    shell.run_cell(RIGHT)
    made = HintButton("merge")
    assert answer(made, [[0, 1]]) == {"kind": "dropped", "view": "one"}
    for _ in range(3):
        press(made)
    assert answer(made, [[0, 1]])["kind"] == "judged"


def test_a_cell_that_runs_again_closes_the_button_of_its_last_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr("course.widgets.hint_widget.show", lambda made, *_: shown.append(made))
    for below in ("merge", "merge-once", "merge"):
        show_button("merge", "", below, None)
    assert [each.comm is None for each in shown] == [True, False, False]


def test_without_widgets_a_sentence_says_how_to_get_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("course.widgets.hint_widget.show", lambda *parts: seen.extend(parts))
    HintButton("merge")._ipython_display_()
    assert seen[2:] == ["Run this cell to get a button for hints.", 'hint("merge") gives a hint.']
