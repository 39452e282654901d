"""The choice between a learner's function or class, if it passes its checks, and the course's."""

from inspect import getsource
from pathlib import Path

import pytest

from course import mine, rules
from course.lessons import built_before
from course.mine.load_own_file import FILE
from course.mine.own_or_course import LATE, failing_checks, piece, released
from course.widgets.progress import pieces
from tests.course.playing import learners
from tests.parametrize_marks import some_in_every_run

RIGHT = """
def close_gaps(line):
    tiles = [tile for tile in line if tile]
    return tiles + [0] * (len(line) - len(tiles))
"""
THE_COURSES = """
from course.rules import merge as the_courses

def merge(line):
    return the_courses(line)
"""
CASCADE = getsource(learners.cascade).replace("def cascade", "def merge")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to lesson 2 of a learner's folder; return the path of the file of kept functions."""
    (tmp_path / "1-merge-a-line").mkdir()
    lesson = tmp_path / "2-slide-in-four-directions"
    lesson.mkdir()
    monkeypatch.chdir(lesson)
    return tmp_path / FILE


def test_a_piece_that_was_kept_and_holds_is_the_learners(file: Path):
    file.write_text(RIGHT)
    assert str(piece("close_gaps")) == "close_gaps: yours"
    assert mine.close_gaps([0, 2]) == [2, 0]
    assert mine.close_gaps is not rules.close_gaps


def test_a_piece_whose_visible_checks_fail_is_the_courses_and_they_are_named(file: Path):
    file.write_text(CASCADE)
    found = piece("merge")
    assert str(found).startswith("merge: the course's, because merge-once, no-chain")
    assert mine.merge is rules.merge


def test_a_file_that_changes_is_read_anew(file: Path):
    file.write_text(CASCADE)
    assert not piece("merge").is_own
    file.write_text(THE_COURSES)
    assert piece("merge").is_own


def test_where_nothing_was_kept_it_is_the_courses_and_nothing_is_said(file: Path):
    assert str(piece("merge")) == "merge: the course's"
    file.write_text(RIGHT)
    assert str(piece("merge")) == "merge: the course's, because you have not kept one"


@pytest.mark.parametrize(
    "text",
    some_in_every_run(
        {
            "no Python": "def merge(:",
            "an error": "1 / 0",
            "an end": "raise SystemExit",
            "endless": "def merge(line):\n    while True: pass\n",
        },
        ["no Python", "an end"],
    ),
)
def test_a_file_in_any_trouble_gives_the_courses_pieces_and_the_reason(text: str, file: Path):
    file.write_text(text)
    found = piece("merge")
    assert found.value is rules.merge
    assert found.reason
    assert (found.reason == LATE) is ("while True" in text)


def test_a_piece_that_ends_python_does_not_hold(file: Path):
    file.write_text("class Agent:\n    def __init__(self):\n        raise SystemExit\n")
    assert mine.Agent is rules.Agent
    assert piece("Agent").reason.endswith("do not hold")


def test_while_nbgrader_runs_a_notebook_every_piece_is_the_courses(
    file: Path, monkeypatch: pytest.MonkeyPatch
):
    file.write_text(RIGHT)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert mine.close_gaps is rules.close_gaps


@pytest.mark.parametrize("name", released())
def test_the_courses_own_pieces_hold(name: str):
    owner = name.partition(".")[0]
    if hasattr(rules, owner):
        assert failing_checks(owner, getattr(rules, owner)) == []


def test_a_name_that_is_no_piece_can_not_be_imported(file: Path):
    with pytest.raises(ImportError):
        from course.mine import marge  # noqa: F401


def test_a_piece_is_not_blamed_for_another_one_that_it_uses(file: Path):
    slides = "def slide(board, direction):\n    return [merge(row) for row in board]\n"
    file.write_text(
        CASCADE + slides + "def is_legal(board, way):\n    return slide(board, way) != board"
    )
    assert piece("slide").reason == "yours uses your merge, which does not hold"
    assert piece("is_legal").reason == "yours uses your slide, which does not hold"


def test_the_table_of_a_lesson_has_what_earlier_lessons_built_and_tells_the_rest_in_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch
):
    file.write_text(RIGHT)
    table = pieces()
    assert repr(table).splitlines()[0] == "close_gaps: yours"
    assert [one.name for one in table.pieces] == list(built_before("2-slide-in-four-directions"))
    assert "✓ yours" in table._repr_html_()
    monkeypatch.chdir(file.parent)
    html = pieces()._repr_html_()
    assert html.count("<tr>") == 1
    assert "You have not kept these, so they are the course's: merge, " in html
