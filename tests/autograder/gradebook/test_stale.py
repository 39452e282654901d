"""A submission is graded again if anything that its result depends on has changed.

The output says what has changed.
"""

import json
import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from autograder.course_adapter import ROOT
from autograder.sample import Sampler
from tests.autograder.conftest import LESSON
from tests.autograder.gradebook.nbgrader_helpers import (
    LATE_IS_ZERO,
    WRONG,
    Grade,
    HandIn,
    configure,
    gradebook,
    hands_in,
    score,
    set_due,
    submission,
)
from tests.parametrize_marks import one_in, some_in_every_run

MASTER = Path("source", LESSON, "merge-a-line.ipynb")
DATA = Path("source", LESSON, "lines.csv")


def change_master(change: Callable[[dict[str, Any]], None]) -> None:
    notebook = json.loads(MASTER.read_text())
    change(next(one for one in notebook["cells"] if one["id"] == "tiles-to-front"))
    MASTER.write_text(json.dumps(notebook))


def set_points(points: int) -> None:
    change_master(lambda cell: cell["metadata"]["nbgrader"].update(points=points))


def add_hidden_test() -> None:
    hidden = "\n### BEGIN HIDDEN TESTS\nassert True\n### END HIDDEN TESTS\n"
    change_master(lambda cell: cell.update(source=[*cell["source"], hidden]))


def remove_a_row() -> None:
    with gradebook() as book:
        book.remove_submission(LESSON, "someone")


def change_a_score() -> None:
    with gradebook() as book:
        book.find_grade("merge-once", "merge-a-line", LESSON, "someone").auto_score = 0
        book.db.commit()


def hand_in_later() -> None:
    hand_in = hands_in(Path(), Sampler(ROOT, LESSON))
    hand_in("someone", "2026-03-01 12:00:00 UTC", merge=WRONG)


CHANGES: dict[str, tuple[Callable[[], object], str, float]] = {
    "more points": (lambda: set_points(5), "the master changed", 16),
    "another score": (change_a_score, "the gradebook had other scores", 12),
    "another hidden test": (add_hidden_test, "the master changed", 12),
    "a data file": (lambda: DATA.write_text("2,2,0,0"), "the master changed", 12),
    "no gradebook": (Path("gradebook.db").unlink, "the gradebook did not have it", 12),
    "no row": (remove_a_row, "the gradebook did not have it", 12),
    "no graded notebooks": (
        lambda: shutil.rmtree("autograded"),
        "its graded notebook was not there",
        12,
    ),
    "another submission": (
        hand_in_later,
        "the submission changed and it was handed in at another time",
        3,
    ),
    "limits": (lambda: configure("c.Jail.cell = 9.0"), "the grader or its limits changed", 12),
}


@pytest.mark.parametrize(
    ("change", "reason", "expected"), some_in_every_run(CHANGES, ["more points"])
)
def test_what_is_stale_is_graded_again_and_the_output_says_why(
    change: Callable[[], object], reason: str, expected: float, someone: Path, grade: Grade
) -> None:
    change()
    again = grade()
    assert f"Graded again because {reason}: someone" in again.stderr
    assert "not changed (--force" not in again.stderr
    assert score("someone") == expected
    # outputs saved in the master change nothing
    change_master(lambda cell: cell.update(execution_count=7, outputs=[]))
    assert "1 was graded before and has not changed" in grade().stderr


def test_it_says_who_gains_and_who_loses(someone: Path, grade: Grade) -> None:
    for worth, said in (
        (5, "More points than before: someone 12 → 16"),
        (1, "Fewer points than before: someone 16 → 12"),
    ):
        set_points(worth)
        assert said in grade().stderr
    add_hidden_test()
    assert "Nobody has other points than before." in grade().stderr
    assert "than before" not in grade().stderr


@pytest.fixture
def late(hand_in: HandIn, grade: Grade) -> int:
    """Grade a student who is a day late, without a penalty; return the graded folder's inode."""
    set_due()
    hand_in("someone", "2026-03-03 00:00:00 UTC")
    grade()
    assert penalty() == 0
    return os.stat(f"autograded/someone/{LESSON}").st_ino


def extend() -> None:
    with gradebook() as book:
        submission(book, "someone").extension = timedelta(days=2)
        book.db.commit()


def penalty() -> float:
    with gradebook() as book:
        return float(submission(book, "someone").late_submission_penalty)


@pytest.mark.parametrize("change", one_in(2, ["due date", "extension"]))
def test_late_policies_due_dates_and_extensions_count_without_grading_again(
    change: str, late: int, grade: Grade
) -> None:
    configure(LATE_IS_ZERO)
    said = " ".join(grade().stderr.split())
    assert "The late penalty changed (late policy, due date, extension or score): someone" in said
    assert penalty() == 12
    if change == "due date":
        set_due("2026-03-04 00:00:00 UTC")
    else:
        extend()
    grade()
    assert penalty() == 0
    assert os.stat(f"autograded/someone/{LESSON}").st_ino == late


def test_a_time_counts_by_the_zone_that_was_entered_or_corrected_after_grading(
    hand_in: HandIn, grade: Grade
) -> None:
    set_due("2026-01-05 12:00:00 UTC")
    hand_in("someone", "2026-01-05 13:00:00 CST")
    assert "timestamp.txt could not be read" in grade().stdout
    configure(LATE_IS_ZERO)
    for zone, lost in (("Asia/Shanghai", 0), ("America/Chicago", 12)):
        configure(f"c.Exchange.timezone = {zone!r}")
        again = grade().stderr
        assert "Graded again because it was handed in at another time: someone" in again
        assert penalty() == lost
        assert "1 was graded before and has not changed" in grade().stderr


@pytest.mark.deep
def test_an_extension_without_a_due_date_is_no_trouble(hand_in: HandIn, grade: Grade) -> None:
    hand_in("someone", "2026-03-03 00:00:00 UTC")
    grade()
    extend()
    assert grade("--force").exit_code == 0


def test_a_late_policy_that_fails_is_said_and_the_scores_are_recorded(
    late: int, grade: Grade
) -> None:
    Path("policy.py").write_text(
        "from nbgrader.plugins import BasePlugin\n"
        "class Policy(BasePlugin):\n"
        "    def late_submission_penalty(self, *_):\n"
        "        raise ArithmeticError('of my own')\n"
    )
    configure(
        "sys.path.insert(0, str(Path.cwd()))\nc.AssignLatePenalties.plugin_class = 'policy.Policy'"
    )
    again = grade()
    assert again.exit_code == 1
    assert "The late-submission plugin Policy failed for someone" in again.stderr


@pytest.mark.deep
def test_what_can_not_be_read_is_said_in_every_run_until_it_is_mended(
    hand_in: HandIn, grade: Grade
) -> None:
    hand_in("right")
    (hand_in("someone") / "merge-a-line.ipynb").write_bytes(b"")
    first, second = (grade() for _ in range(2))
    assert (first.exit_code, second.exit_code) == (1, 1)
    assert "Still could not be graded: someone (the file is empty)" in second.stderr
    hand_in("someone")
    assert grade().exit_code == 0
