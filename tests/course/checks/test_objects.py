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


class WithoutProperty(Broken):
    def is_high(self):
        return False


WRONG = {
    "what is missing": (
        (Score, ("take", 8)),
        {"total": 0},
        r"score\.take\(8\)\n  this Score has no take\. Is `def take` inside the class",
    ),
    "an error": ((Score, ("add", "8")), {"total": 8}, r"score\.add\('8'\)\n  got       TypeError"),
    "a property without its mark": ((WithoutProperty,), {"is_high": False}, "expected  False"),
    "no text of its own": (
        (type("Score", (), {}),),
        {"text": "Score: 12"},
        r"this Score has no __str__\. Is `def __str__`",
    ),
}


@pytest.mark.parametrize(("asked", "facts", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_below_the_line_where_it_shows(asked, facts, said):
    with pytest.raises(CheckFailed, match=said):
        check.object(*asked, **facts)


def test_a_mistake_is_named_before_the_class_has_all_its_parts():
    half_written = type("Score", (), {"total": 0, "add": Broken.add})
    with pytest.raises(CheckFailed) as failed:
        check.object(half_written, ("add", 8), ("add", 4), total=12)
    assert failed.value.diagnosis.id == "score-replaces"
