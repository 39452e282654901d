"""The results of checks, saved beside the lessons; a damaged or missing file does no harm."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from course.lessons import folder_of_lessons, lesson
from course.mine.passed_checks import FILE, Results, noting, read, write

LESSON = lesson("1-merge-a-line")
MERGE = next(entry for entry in LESSON.exercises if entry.name == "merge")


def test_an_answer_that_has_changed_has_still_to_be_checked_and_others_stay(tmp_path: Path):
    results = Results()
    for check in ("merge-once", "tiles-to-front"):
        results.note_check(check, True)
    results.note_answer(MERGE, "def merge(line): return 1")
    results.note_answer(MERGE, "# a note\ndef merge(line):  return 1\n")
    assert results.holds == {"merge-once", "tiles-to-front"}
    results.note_answer(MERGE, "def merge(line): return 2")
    assert (results.holds, results.again) == ({"tiles-to-front"}, {"merge-once"})
    results.note_check("merge-once", False)
    assert (results.again, results.holds) == (set(), {"tiles-to-front"})
    write(tmp_path, {LESSON.id: results})
    assert read(tmp_path) == {LESSON.id: results}


def test_two_notebooks_that_note_something_at_once_lose_nothing(tmp_path: Path):
    def note_one(number: int) -> None:
        with noting(tmp_path, LESSON.id) as results:
            results.note_check(f"check-{number}", True)

    with ThreadPoolExecutor(8) as notebooks:
        list(notebooks.map(note_one, range(100)))
    assert len(read(tmp_path)[LESSON.id].holds) == 100


@pytest.mark.parametrize("text", ["", "[]", '{"1-merge-a-line": 7}', '{"x": {"holds": 1}}', "\x00"])
def test_a_file_that_can_not_be_read_counts_as_nothing(text: str, tmp_path: Path):
    (tmp_path / FILE).write_text(text)
    assert read(tmp_path).get(LESSON.id, Results()).holds == set()


def test_where_nothing_can_be_written_nothing_is_said(tmp_path: Path):
    write(tmp_path / "nowhere", {LESSON.id: Results()})


def test_the_lessons_are_found_from_beside_them_and_from_inside(tmp_path: Path):
    (tmp_path / LESSON.id).mkdir()
    assert folder_of_lessons(tmp_path) == tmp_path
    assert folder_of_lessons(tmp_path / LESSON.id) == tmp_path
    assert folder_of_lessons(tmp_path / LESSON.id / "deeper") is None
