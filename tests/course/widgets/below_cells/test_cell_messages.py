"""The ✓ below a check that passes; other cells get no message."""

import sys
from pathlib import Path

import pytest

from course.checks.leftover_functions import note_run
from course.lessons import lesson, lessons
from course.mine.passed_checks import FILE, Results, read
from course.widgets.below_cells.check_marks import told
from course.widgets.progress import Progress, progress

LESSON = lesson("1-merge-a-line")
IDEAS = len(LESSON.checks)
SOURCE = "# merge-once: every pair merges once.\ncheck(merge, [4, 4, 4, 4], gives=[8, 8, 0, 0])"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a learner's folder, go to its lesson 1, and return the folder."""
    (tmp_path / LESSON.id).mkdir()
    monkeypatch.chdir(tmp_path / LESSON.id)
    return tmp_path


def test_a_check_that_holds_shows_its_idea_and_how_many_hold(place: Path):
    said = told(SOURCE, "merge-once", holds=True)
    assert repr(said) == (
        f"✓ merge-once: every pair merges once. 1 of {IDEAS} ideas of this lesson hold."
    )
    assert read(place)[LESSON.id].holds == {"merge-once"}


def test_a_check_that_fails_shows_nothing_and_is_written_down(place: Path):
    told(SOURCE, "merge-once", holds=True)
    assert told(SOURCE, "merge-once", holds=False) is None
    assert read(place)[LESSON.id].holds == set()


def test_all_ideas_are_said_to_hold_at_last(place: Path):
    said = [told(f"# {check}: an idea.", check, holds=True) for check in LESSON.checks]
    assert repr(said[-1]).endswith(f"All {IDEAS} ideas of this lesson hold.")


def test_an_answer_that_changes_takes_its_ticks_back(place: Path):
    told("def merge(line): return 1", "merge", holds=True)
    told(SOURCE, "merge-once", holds=True)
    told("def merge(line): return 2", "merge", holds=True)
    assert read(place)[LESSON.id].holds == set()
    said = repr(progress())
    assert "· merge: 0 of 10; run again merge-once; not yet merge-a-pair" in said
    for text in (said, progress()._repr_html_()):
        assert "You have changed the code since, so run the check again." in text


def test_a_tick_for_the_function_from_before_says_so(place: Path, monkeypatch: pytest.MonkeyPatch):
    def merge(line: list[int]) -> list[int]:
        return line

    monkeypatch.setattr(sys.modules["__main__"], "merge", merge, raising=False)
    note_run("merge", "def merge(line)\n    return line", is_done=False)
    said = told(SOURCE, "merge-once", holds=True)
    note_run("merge", "def merge(line):\n    return line", is_done=True)
    sentence = "Your last change has an error, so this is still your merge from before."
    assert repr(said).endswith(sentence)
    assert sentence in said._repr_html_()
    assert "before" not in repr(told(SOURCE, "merge-once", holds=True))


def test_a_lesson_of_one_idea_says_so_in_good_english(place: Path):
    said = told("# winning-tile: the tile that wins.", "", holds=True)
    assert repr(said).endswith("It is the one idea of this lesson.")


@pytest.mark.parametrize("source", ["", "# a note: of the learner's own", "x = 1", "merge-once:"])
def test_other_cells_are_let_alone(source: str, place: Path):
    assert told(source, "own-cell", holds=True) is None
    assert not (place / FILE).exists()


def test_markup_in_an_idea_is_text(place: Path):
    said = told("# merge-once: <b>bold</b>", "", holds=True)
    assert said is not None
    assert "<b>" not in said._repr_html_()


def test_without_a_folder_of_lessons_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert told(SOURCE, "merge-once", holds=True) is not None
    assert list(tmp_path.iterdir()) == []


def test_in_a_lesson_progress_tells_what_is_done_and_what_is_not(place: Path):
    told("# tiles-to-front: an idea.", "", holds=True)
    told(SOURCE, "", holds=True)
    said = repr(progress())
    assert f"1 Merge a line: 2 of {IDEAS} ideas hold" in said
    assert "✓ close_gaps: done" in said
    assert "· merge: 1 of 10; not yet merge-a-pair" in said


def test_outside_of_a_lesson_it_is_the_map_and_says_where_to_go_on(
    place: Path, monkeypatch: pytest.MonkeyPatch
):
    told(SOURCE, "", holds=True)
    monkeypatch.chdir(place)
    html = progress()._repr_html_()
    assert html.count("<tr") == len(repr(progress()).splitlines())
    assert 'href="1-merge-a-line/merge-a-line.ipynb"' in html
    assert html.index("go on here") < html.index("Merge a line")


def test_the_map_never_writes(place: Path):
    progress()
    assert not (place / FILE).exists()


def test_the_map_links_to_every_lesson() -> None:
    assert Progress({})._repr_html_().count("<a href=") == len(lessons())


def test_a_course_that_is_done_has_no_next_lesson(place: Path):
    done = Progress({entry.id: Results(set(entry.checks)) for entry in lessons()})
    assert done.next is None
    assert "go on here" not in done._repr_html_()


def test_progress_says_where_to_go_on_and_what_was_left_open_before(place: Path):
    special = lesson("7-special-rules")
    done = {special.id: Results(set(special.checks))}
    ways = ["Next: Play by ear.", "Still open in an earlier lesson: Meet the game."]
    assert repr(Progress(done, special.id)).splitlines()[-2:] == ways
    assert repr(Progress({}, special.id)).splitlines()[-1] == ways[1]
    html = Progress(done, special.id, "../")._repr_html_()
    assert 'Next: <a href="../8-play-by-ear/play-by-ear.ipynb">Play by ear</a>' in html
    assert 'earlier lesson: <a href="../0-meet-the-game/' in html


def test_what_is_extra_is_where_to_go_on_only_when_all_else_is_done():
    every = {entry.id: Results(set(entry.checks)) for entry in lessons()}
    open_ones = [lesson("2b-the-other-road"), lesson("3-spawn")]
    left = {entry.id: Results() for entry in open_ones}
    assert Progress({**every, **left}).next == open_ones[1]
    assert Progress({**every, open_ones[0].id: Results()}).next == open_ones[0]


def test_a_lesson_that_is_open_does_not_send_to_itself():
    assert "Next" not in repr(Progress({}, here=lessons()[0].id))
