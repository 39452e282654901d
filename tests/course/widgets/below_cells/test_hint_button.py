"""The button for hints: what it gives, press by press."""

from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course import hint
from course.hints.parsons_puzzles import puzzle
from course.hints.progressive_hints import TRY_FIRST
from course.widgets.below_cells.hint_button import HintButton, show_button

RIGHT = "from course.rules import merge as right\ndef merge(line):\n    return right(line)"
CASCADE = """
def merge(line):
    made = []
    for tile in [tile for tile in line if tile]:
        while made and made[-1] == tile:
            tile += made.pop()
        made.append(tile)
    return made + [0] * (len(line) - len(made))
"""


@pytest.fixture(autouse=True)
def shell():
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def button(name: str = "merge", seen: str = "") -> Any:
    made: Any = HintButton(name, seen)
    made.sent = []
    made.send = made.sent.append
    return made


def press(made: Any) -> dict[str, Any]:
    made._handle_custom_msg({"do": "hint", "view": "one"}, [])
    return dict(made.sent[-1])


def test_each_press_gives_what_the_function_gives(shell: InteractiveShell) -> None:
    shell.run_cell(RIGHT)
    made = button()
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
    from course.hints.progressive_hints import _shown

    _shown.clear()
    assert press(button(seen=nudge))["hints"][0]["title"] == "Hint 2 of 4"


def test_before_anything_is_tried_the_puzzle_is_held_back() -> None:
    made = button()
    for _ in range(3):
        said = press(made)
    assert (said["hints"][-1]["text"], said["has_more"], said["puzzle"]) == (TRY_FIRST, True, {})
    assert press(made)["hints"] == said["hints"]


def test_an_exercise_without_a_puzzle_ends_with_its_answer(shell: InteractiveShell) -> None:
    shell.run_cell("winning_tile = 2")
    made = button("winning_tile")
    said = [press(made) for _ in range(3)]
    assert [each["has_more"] for each in said] == [True, True, False]


def test_the_puzzle_is_judged_by_the_same_widget(shell: InteractiveShell) -> None:
    shell.run_cell(RIGHT)
    made = button()
    made._handle_custom_msg({"rows": [[0, 1]], "view": "one"}, [])
    assert made.sent[-1] == {"kind": "dropped", "view": "one"}
    for _ in range(3):
        press(made)
    made._handle_custom_msg({"rows": [[0, 1]], "view": "one"}, [])
    assert made.sent[-1]["kind"] == "judged"


@pytest.mark.parametrize("message", [None, "hint", {"do": "other"}], ids=str)
def test_what_the_button_never_sends_is_dropped(message: Any) -> None:
    made = button()
    made._handle_custom_msg(message, [])
    assert made.sent[-1]["kind"] == "dropped"


def test_a_cell_that_runs_again_closes_the_button_of_its_last_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(
        "course.widgets.below_cells.hint_button.show", lambda made, *_: shown.append(made)
    )
    for below in ("merge", "merge-once", "merge"):
        show_button("merge", "", below, None)
    assert [each.comm is None for each in shown] == [True, False, False]


def test_without_widgets_a_sentence_says_how_to_get_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(
        "course.widgets.below_cells.hint_button.show", lambda *parts: seen.extend(parts)
    )
    button()._ipython_display_()
    assert seen[2:] == ["Run this cell to get a button for hints.", 'hint("merge") gives a hint.']
