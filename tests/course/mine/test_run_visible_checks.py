"""The visible checks of an exercise, run without their cells."""

from typing import Any

import nbformat
import pytest

from autograder.course_adapter import ROOT
from course import rules
from course.lessons import Lesson, exercise, lessons
from course.mine import run_visible_checks
from course.mine.add_to_class import add_to
from course.mine.run_visible_checks import CheckOutcome, is_untouched, outcomes

OWN = ("__dict__", "__weakref__")  # that each class has
STUB = "def {name}(*all):\n    raise NotImplementedError()"


def ran(name: str, names: dict[str, Any]) -> dict[str, CheckOutcome]:
    return {each.check: each for each in outcomes(exercise(name), names)}


def states(name: str, names: dict[str, Any]) -> dict[str, str]:
    return {check: each.state for check, each in ran(name, names).items()}


def defined(source: str) -> Any:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(source, names)  # noqa: S102
    return next(value for name, value in names.items() if callable(value))


def the_rules() -> dict[str, Any]:
    return {name: getattr(rules, name) for name in rules.__all__}


@pytest.mark.parametrize(
    "name", [one.name for lesson in lessons()[1:-1] for one in lesson.exercises]
)
def test_every_check_holds_for_the_rules(name: str) -> None:
    found = states(name, the_rules())
    assert found == dict.fromkeys(exercise(name).checks, "holds")


def test_a_wrong_answer_fails_its_checks_and_prints_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def merge(line: list[int]) -> list[int]:
        print("I am here")
        return line

    found = ran("merge", {"merge": merge})
    assert found["merge-once"].state == "fails"
    assert "  expected  [8, 8, 0, 0]" in found["merge-once"].message
    assert found["keeps-length"].state == "holds"
    assert capsys.readouterr().out == ""


def test_the_names_of_the_notebook_stay_as_they_are() -> None:
    names = {"merge": rules.merge}
    ran("merge", names)
    assert names == {"merge": rules.merge}


def test_an_endless_loop_is_one_sentence_and_the_checks_after_it_are_not_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run_visible_checks, "SECONDS", 0.2)
    merge = defined("def merge(line):\n    while True:\n        pass")
    first, *others = ran("merge", {"merge": merge}).values()
    assert first.state == "fails"
    assert first.message.startswith("Your merge was stopped. It had not answered yet.")
    assert first.message.endswith("Does a loop in `merge` never end, or does something wait there?")
    assert {each.state for each in others} == {"open"}
    assert {each.message for each in others} == {""}


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_whatever_an_answer_raises_is_an_outcome(error: type[BaseException]) -> None:
    def winning(_: Any) -> None:
        raise error

    assert "fails" in states("merge", {"merge": winning}).values()


@pytest.mark.parametrize("has_cell_run", [False, True], ids=["no cell", "a stub"])
def test_a_function_that_is_not_written_yet_leaves_checks_open(has_cell_run: bool) -> None:
    source = "def merge(line):\n    return close_gaps(line)"
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(source, names)  # noqa: S102
    if has_cell_run:
        exec(STUB.format(name="close_gaps"), names)  # noqa: S102
    assert set(states("merge", names).values()) == {"open"}


def test_a_name_that_no_exercise_has_is_a_failure() -> None:
    merge = defined("def merge(line):\n    return clsoe_gaps(line)")
    assert set(states("merge", {"merge": merge}).values()) == {"fails"}


@pytest.mark.parametrize("has_cell_run", [False, True], ids=["no cell", "a stub"])
def test_a_method_of_another_cell_leaves_checks_open(has_cell_run: bool) -> None:
    parts = {name: part for name, part in vars(rules.Game).items() if name not in OWN}
    game: Any = type("Game", (), parts)
    del game.move
    if has_cell_run:
        add_to(game)(defined(STUB.format(name="move")))
    found = states("Game.reset", {**the_rules(), "Game": game})
    assert found["whole-game"] == "open"
    assert set(states("Game", {"Game": game}).values()) == {"holds"}


def test_a_part_of_the_class_itself_is_no_other_cell() -> None:
    score = type("Score", (), {"__init__": lambda self: setattr(self, "total", 0)})
    found = states("Score", {"Score": score})
    assert (found["score-starts-at-zero"], found["score-adds-points"]) == ("holds", "fails")


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_a_released_cell_is_untouched_until_a_line_of_code_is_written(lesson: Lesson) -> None:
    released = ROOT / "release" / lesson.id / lesson.notebook
    cells = {cell.id: cell.source for cell in nbformat.read(released, as_version=4).cells}
    for one in lesson.exercises:
        stub = cells[one.cell]
        begun = stub.replace("# YOUR CODE HERE", "begun = 1 #")
        assert is_untouched(one, stub), one.name
        assert not is_untouched(one, begun), one.name


@pytest.mark.parametrize(
    "source",
    [
        "def merge(line):\n    raise NotImplementedError()",
        'def merge(line):\n    """My own words."""\n\n    # first\n    raise NotImplementedError()',
    ],
    ids=["no docstring", "comments"],
)
def test_comments_and_docstrings_are_no_code(source: str) -> None:
    assert is_untouched(exercise("merge"), source)


def test_what_is_no_python_is_not_untouched() -> None:
    assert not is_untouched(exercise("merge"), "%time\ndef merge(line):")
