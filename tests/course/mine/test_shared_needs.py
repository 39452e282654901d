"""The needs of several kept functions: helpers, imports and values that share a name."""

import pytest

from course.mine.keeping import keep, kept
from course.refusal import Refusal

MERGE = "def merge(line):\n    return {}\n"


def test_what_was_kept_under_another_name_is_said(cell, lesson):
    keep(cell(MERGE.format("line")))
    cell("from course import kept\nold = kept('merge')")
    with pytest.raises(Refusal, match="old, which is what was kept before"):
        keep(cell(MERGE.format("old(line)")))


def test_a_helper_of_the_same_name_does_not_take_the_place_of_another_ones(
    cell, lesson, other_lesson
):
    cell("def pad(line):\n    return line + [0]\n")
    keep(cell(MERGE.format("pad(line)")))
    before = lesson.read_text()
    cell = other_lesson()
    cell("def pad(board, height):\n    return board[:height]\n")
    with pytest.raises(Refusal, match=r"slide is not kept, because merge .* uses another pad"):
        keep(cell("def slide(board, direction):\n    return pad(board, 2)\n", "slide"))
    assert lesson.read_text() == before


def test_an_import_does_not_take_the_place_of_another_ones(cell, lesson, other_lesson):
    cell("import random")
    keep(cell(MERGE.format("random.choice([line])")))
    cell = other_lesson()
    cell("from random import random")
    with pytest.raises(Refusal, match=r"merge in my_2048.py uses another random"):
        keep(cell("def slide(board, direction):\n    return random()\n", "slide"))


def test_imports_that_stand_on_one_line_are_kept_one_by_one(cell, lesson):
    cell("from math import floor; import os")
    keep(cell(MERGE.format("[floor(2.5)]")))
    keep(cell("def slide(board, direction):\n    return os.sep\n", "slide"))
    assert "from math import floor\nimport os\n" in lesson.read_text()
    assert (kept("merge")([0]), kept("slide")([[0]], "left")) == ([2], "/")


def test_a_helper_that_got_better_is_kept_for_all_that_share_it(cell, lesson):
    cell("def pad(line):\n    return [1]\n")
    keep(cell(MERGE.format("pad(line)")))
    keep(cell("def slide(board, direction):\n    return pad(board)\n", "slide"))
    cell("def pad(line):\n    return [2]\n")
    keep(cell(MERGE.format("pad(line)")))
    assert kept("merge")([0]) == [2]
    assert kept("slide")([[0]], "left") == [2]


def test_a_value_among_others_on_its_line_does_not_take_the_others_away(cell, lesson):
    cell("LOW, HIGH = 2, 4")
    keep(cell(MERGE.format("[LOW, HIGH]")))
    cell("LOW = 3")
    keep(cell(MERGE.format("[LOW, HIGH]")))
    assert kept("merge")([0]) == [3, 4]


def test_a_name_of_the_learners_own_changes_nothing_for_the_courses_functions(cell, lesson):
    cell("DIRECTIONS = ['d']\nQUARTER_TURNS = {}")
    source = (
        "def take_turn(board, direction, rng):\n    return slide(board, DIRECTIONS and direction)\n"
    )
    keep(cell(f"{source}    QUARTER_TURNS\n", "take_turn"))
    assert kept("take_turn")([[0, 2]], "left", None) == [[2, 0]]
