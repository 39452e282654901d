"""The manifest and its loader."""

import pytest

from course import rules
from course.lessons import built_before, exercise, lesson, lessons


def test_lessons_come_in_the_order_of_their_numbers():
    assert [entry.id.partition("-")[0] for entry in lessons()] == [
        str(number) for number in range(len(lessons()))
    ]


def test_a_lesson_gives_its_checks_in_order_with_their_points():
    checks = lesson("1-merge-a-line").checks
    assert next(iter(checks)) == "tiles-to-front"
    assert sum(checks.values()) == 12


def test_an_unknown_lesson_is_refused_with_the_ids_that_exist():
    with pytest.raises(ValueError, match="no lesson '9-nope'; the lessons are 0-meet-the-game, 1-"):
        lesson("9-nope")


def test_an_unknown_exercise_is_refused_with_the_names_that_exist():
    with pytest.raises(ValueError, match="no exercise 'nope'; the exercises are winning_tile, "):
        exercise("nope")


def test_names_of_exercises_and_of_checks_are_unique_in_the_course():
    names = [found.name for entry in lessons() for found in entry.exercises]
    checks = [check for entry in lessons() for check in entry.checks]
    assert len(set(names)) == len(names)
    assert len(set(checks)) == len(checks)


def test_what_a_lesson_builds_is_in_the_rules():
    built = [name for entry in lessons() for name in entry.builds]
    assert [name for name in built if not hasattr(rules, name)] == []


def test_a_lesson_is_given_what_the_lessons_before_it_built():
    assert built_before("0-meet-the-game") == ()
    second = lessons()[2].id if len(lessons()) > 2 else None
    if second is not None:
        assert built_before(second) == ("close_gaps", "merge")
