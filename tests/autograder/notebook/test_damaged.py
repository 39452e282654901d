"""Damaged submissions: each is graded by the real judge, with the reason for any lost point."""

from pathlib import Path

import pytest

from autograder.grade_submission import grade
from autograder.notebook.find_submitted_notebook import collect
from autograder.notebook.master import Master
from autograder.sample import Sampler
from autograder.sample.damages import Damage
from tests.deep_cases import one_in
from tests.samples.damaged import DAMAGES


@pytest.mark.parametrize("damage", one_in(5, DAMAGES), ids=lambda damage: damage.name)
def test_a_damaged_submission_keeps_all_points_or_has_the_reason_why_not(
    damage: Damage, tmp_path: Path, sampler: Sampler, master: Master
) -> None:
    folder = tmp_path / "student"
    damage.hand_in(folder, sampler.lesson.notebook, sampler.notebook())
    graded = grade(collect(folder, master), master)
    assert graded.max_score == master.max_score
    assert graded.score == (master.max_score if damage.is_readable else 0), graded.problems
    assert graded.is_readable or graded.problems[0]
