"""`progress()`: the checks that have passed, those to be run again, and where to go on."""

from pathlib import Path

import pytest

from course.lessons import lesson, lessons
from course.mine.passed_checks import FILE, Results, write
from course.widgets.progress import Progress, progress

LESSON = lesson("1-merge-a-line")
IDEAS = len(LESSON.checks)


def test_a_check_to_be_run_again_after_a_change_is_named(place: Path):
    write(place, {LESSON.id: Results(again={"merge-once"})})
    said = repr(progress())
    assert "· merge: 0 of 10; run again merge-once; not yet merge-a-pair" in said
    for text in (said, progress()._repr_html_()):
        assert "You have changed the code since, so run the check again." in text


def test_in_a_lesson_progress_tells_what_is_done_and_what_is_not(place: Path):
    write(place, {LESSON.id: Results({"tiles-to-front", "merge-once"})})
    said = repr(progress())
    assert f"1 Merge a line: 2 of {IDEAS} ideas hold" in said
    assert "✓ close_gaps: done" in said
    assert "· merge: 1 of 10; not yet merge-a-pair" in said


def test_outside_of_a_lesson_it_is_the_map_and_says_where_to_go_on(
    place: Path, monkeypatch: pytest.MonkeyPatch
):
    write(place, {LESSON.id: Results({"merge-once"})})
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
