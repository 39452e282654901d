"""`check.object`: it makes an object, calls its methods, and compares its attributes."""

import pytest

from course import CheckFailed, check
from course.rules import Score


class Broken(Score):
    """A `Score` with a mistake: it keeps only the points that were added last."""

    def add(self, gained):
        self.total = gained


Broken.__name__ = "Score"


def test_a_right_object_says_nothing():
    check.object(Score, ("add", 8), {"total": 1000}, is_high=True, text="Score: 1000")


def test_a_wrong_one_shows_the_lines_that_a_learner_would_type_and_a_hint():
    with pytest.raises(CheckFailed) as failed:
        check.object(Broken, ("add", 8), ("add", 4), total=12)
    assert str(failed.value).splitlines()[:6] == [
        "score = Score()",
        "score.add(8)",
        "score.add(4)",
        "score.total",
        "  expected  12",
        "  got       4",
    ]
    assert failed.value.diagnosis.id == "score-replaces"


def test_what_is_missing_is_said_with_what_to_do():
    with pytest.raises(
        CheckFailed,
        match=r"score\.take\(8\)\n  this Score has no take\. Is `def take` inside the class",
    ):
        check.object(Score, ("take", 8), total=0)


def test_an_error_is_shown_below_the_line_that_raised_it():
    with pytest.raises(CheckFailed, match=r"score\.add\('8'\)\n  got       TypeError"):
        check.object(Score, ("add", "8"), total=8)


def test_a_mistake_is_named_before_the_class_has_all_its_parts():
    class Score:
        def __init__(self):
            self.total = 0

        def add(self, gained):
            self.total = gained

    with pytest.raises(CheckFailed) as failed:
        check.object(Score, ("add", 8), ("add", 4), total=12)
    assert failed.value.diagnosis.id == "score-replaces"


def test_a_property_without_its_mark_is_seen():
    class Score(Broken):
        def is_high(self):
            return False

    with pytest.raises(CheckFailed, match="expected  False"):
        check.object(Score, is_high=False)


def test_an_object_without_a_text_of_its_own_is_told_what_to_run():
    class Score:
        pass

    with pytest.raises(CheckFailed, match=r"this Score has no __str__\. Is `def __str__`"):
        check.object(Score, text="Score: 12")
