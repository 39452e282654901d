"""The ✓ below a check that has passed: its text, its entry in a file, and how it turns grey."""

import sys
from pathlib import Path

import pytest

from course.checks.failed import note_run
from course.lessons import lesson
from course.mine.passed_checks import FILE, read
from course.widgets.below_cells.success_marks import note_result

LESSON = lesson("1-merge-a-line")
IDEAS = len(LESSON.checks)
SOURCE = "# merge-once: every pair merges once.\ncheck(merge, [4, 4, 4, 4], gives=[8, 8, 0, 0])"


def test_a_check_that_holds_shows_its_idea_and_how_many_hold(place: Path):
    said = note_result(SOURCE, "merge-once", holds=True)
    assert repr(said) == (
        f"✓ merge-once: every pair merges once. 1 of {IDEAS} ideas of this lesson hold."
    )
    assert read(place)[LESSON.id].holds == {"merge-once"}


def test_a_check_that_fails_shows_nothing_and_is_written_down(place: Path):
    note_result(SOURCE, "merge-once", holds=True)
    assert note_result(SOURCE, "merge-once", holds=False) is None
    assert read(place)[LESSON.id].holds == set()


def test_all_ideas_are_said_to_hold_at_last(place: Path):
    said = [note_result(f"# {check}: an idea.", check, holds=True) for check in LESSON.checks]
    assert repr(said[-1]).endswith(f"All {IDEAS} ideas of this lesson hold.")


def test_an_answer_that_changes_takes_its_ticks_back(place: Path):
    note_result("def merge(line): return 1", "merge", holds=True)
    note_result(SOURCE, "merge-once", holds=True)
    note_result("def merge(line): return 2", "merge", holds=True)
    own = read(place)[LESSON.id]
    assert (own.holds, own.again) == (set(), {"merge-once"})


def test_a_method_that_changes_takes_no_tick_of_the_class_itself(
    place: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys.modules["__main__"], "Score", type("Score", (), {}), raising=False)
    for check in ("score-starts-at-zero", "score-text"):
        note_result(f"# {check}: an idea.", check, holds=True)
    note_result("def is_high(self): return 1", "Score-is_high", holds=True)
    note_result("def is_high(self): return 2", "Score-is_high", holds=True)
    assert read(place)["5-points-and-objects"].holds == {"score-starts-at-zero"}


def test_a_tick_for_the_function_from_before_says_so(place: Path, monkeypatch: pytest.MonkeyPatch):
    def merge(line: list[int]) -> list[int]:
        return line

    monkeypatch.setattr(sys.modules["__main__"], "merge", merge, raising=False)
    note_run("merge", "def merge(line)\n    return line", is_done=False)
    said = note_result(SOURCE, "merge-once", holds=True)
    note_run("merge", "def merge(line):\n    return line", is_done=True)
    sentence = "Your last change has an error, so this is still your merge from before."
    assert repr(said).endswith(sentence)
    assert sentence in said._repr_html_()
    assert "before" not in repr(note_result(SOURCE, "merge-once", holds=True))


def test_a_lesson_of_one_idea_says_so_in_good_english(place: Path):
    said = note_result("# winning-tile: the tile that wins.", "", holds=True)
    assert repr(said).endswith("It is the one idea of this lesson.")


@pytest.mark.parametrize("source", ["", "# a note: of the learner's own", "x = 1", "merge-once:"])
def test_other_cells_are_let_alone(source: str, place: Path):
    assert note_result(source, "own-cell", holds=True) is None
    assert not (place / FILE).exists()


def test_markup_in_an_idea_is_text(place: Path):
    said = note_result("# merge-once: <b>bold</b>", "", holds=True)
    assert said is not None
    assert "<b>" not in said._repr_html_()


def test_without_a_folder_of_lessons_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert note_result(SOURCE, "merge-once", holds=True) is not None
    assert list(tmp_path.iterdir()) == []
