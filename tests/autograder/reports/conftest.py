"""A small graded class with its pages: students who are wrong, hostile, late or absent."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, made_once, make_course
from tests.autograder.gradebook.nbgrader_helpers import LATE_IS_ZERO, gradebook, hands_in
from tests.autograder.reports.people import ABSENT, CASCADE, HOSTILE, MARKUP, NEARLY, START


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory, new_gradebook: Path, sampler: Sampler) -> Path:
    """Grade a small class and make its pages; return the course folder."""

    def fill(folder: Path) -> None:
        grade_a_class(make_course(folder), new_gradebook, sampler)

    made = made_once(tmp_path_factory, "class", fill)
    return Path(shutil.copytree(made, tmp_path_factory.mktemp("class") / "a course"))


def grade_a_class(course: Path, new_gradebook: Path, sampler: Sampler) -> None:
    """Hand in for the students in `people.py`, grade them, and make all pages and tables."""
    shutil.copyfile(new_gradebook, course / "gradebook.db")
    hand_in = hands_in(course, sampler)
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text() + LATE_IS_ZERO)

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        with gradebook() as book:
            book.update_or_create_assignment(LESSON, duedate="2026-03-02 00:00:00 UTC")
            book.update_or_create_student("absent", first_name="=1+1", last_name=ABSENT)
            book.update_or_create_student("hostile", first_name=MARKUP)
        hand_in("cascade", "2026-03-01 12:00:00 UTC", merge=CASCADE)
        hand_in("hostile", "2026-03-01 12:00:00 UTC", merge=HOSTILE)
        nearly = sampler.solutions["merge"].replace(START, START + NEARLY)
        hand_in("nearly", "2026-03-01 12:00:00 UTC", merge=nearly)
        hand_in("late", "2026-03-03 12:00:00 UTC", merge=CASCADE)
        program = CliRunner()
        program.invoke(app, ["grade", LESSON, "--workers", "1"])
        with gradebook() as book:
            comment = book.find_comment("merge", "merge-a-line", LESSON, "cascade")
            comment.manual_comment = "Nearly there. <b>See me.</b>"
            book.find_grade("no-chain", "merge-a-line", LESSON, "hostile").needs_manual_grade = True
            book.db.commit()
        program.invoke(app, ["feedback", LESSON])
        program.invoke(app, ["report", LESSON, "--csv", "class.csv"])
        program.invoke(app, ["report", "--csv", "all.csv"])
