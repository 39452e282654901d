"""The list of lessons in `lessons.toml` and the functions that read it."""

import re

import pytest

from course import rules
from course.lessons import built_before, definition, exercise, lesson, lessons


def test_lessons_come_in_the_order_of_their_numbers():
    marks = [entry.id.partition("-")[0] for entry in lessons()]
    assert marks == sorted(marks)
    assert [mark for mark in marks if mark.isdecimal()] == [str(number) for number in range(10)]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("merge", "import math\n\ndef merge(line):\n    return line"),
        ("Game", "class Game:\n    pass"),
        ("winning_tile", "winning_tile = 2048"),
        ("winning_tile", "winning_tile: int = 2048"),
        ("Game-move", "@add_to(Game)\ndef move(self, direction):"),
        ("Game-is_over", "@add_to( Game )\n@property\ndef is_over(self):"),
        ("Game-str", "@add_to(Game)\ndef __str__(self):"),
    ],
    ids=lambda value: value.partition("\n")[0],
)
def test_a_cell_is_known_by_what_it_defines(cell, text):
    assert definition(cell).search(text)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("merge", "def merge_all(line):"),
        ("winning_tile", "winning_tile: int"),
        ("winning_tile", "winning_tile: int\nother = 2048"),
        ("Game-move", "def move(self, direction):"),
        ("Game-move", "@add_to(Game)\ndef reset(self):\n    pass\n\ndef move():"),
        ("Game-move", "@add_to(Score)\ndef move(self):"),
    ],
)
def test_another_definition_is_not_taken_for_it(cell, text):
    assert not definition(cell).search(text)


def test_a_lesson_gives_its_checks_in_order_with_their_points():
    checks = list(lesson("1-merge-a-line").checks.items())
    asked = [("tiles-to-front", 1), ("merge-a-pair", 1), ("merge-once", 2), ("every-line", 1)]
    assert [check for check in checks if check in asked] == asked


def test_an_unknown_lesson_is_refused_with_the_ids_that_exist():
    with pytest.raises(ValueError, match="no lesson '9-nope'; the lessons are 0-meet-the-game, 1-"):
        lesson("9-nope")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nope", "the exercises are winning_tile, "),
        ("merg", "did you mean 'merge'"),
        ("reset", "did you mean 'Game.reset' or 'SpecialGame.reset'"),
    ],
)
def test_an_unknown_exercise_is_refused_with_the_names_that_are_like_it(name: str, said: str):
    with pytest.raises(ValueError, match=f"no exercise '{name}'; {said}"):
        exercise(name)


def test_names_of_exercises_cells_and_checks_are_unique_in_the_course():
    exercises = [found for entry in lessons() for found in entry.exercises]
    cells = [found.cell for found in exercises]
    assert [cell for cell in cells if not re.fullmatch("[A-Za-z0-9_-]+", cell)] == []  # nbgrader's
    checks = [check for entry in lessons() for check in entry.checks]
    for names in (cells, checks, [found.name for found in exercises]):
        assert len(set(names)) == len(names)


def test_a_lesson_is_given_what_the_lessons_before_it_built_and_that_is_in_the_rules():
    built = [name for entry in lessons() for name in entry.builds]
    assert [name for name in built if not hasattr(rules, name)] == []
    assert built_before("0-meet-the-game") == ()
    built = built_before("2-slide-in-four-directions")
    assert built[:2] == ("close_gaps", "merge")
    assert "rotate" not in built
