"""Canvas and Moodle: nbgrader's programs export grades for them and collect their downloads."""

import csv
import json
import shutil
import zipfile
from pathlib import Path

from autograder.course_adapter import ROOT
from autograder.gradebook import lms
from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.nbgrader_helpers import HandIn, gradebook, nbgrader


def table(exporter: type, file: str) -> list[list[str]]:
    nbgrader("export", f"--exporter={exporter.__module__}.{exporter.__name__}", f"--to={file}")
    with Path(file).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def test_the_tables_have_the_columns_that_canvas_and_moodle_import(
    hand_in: HandIn, autograder: Autograder
) -> None:
    hand_in("ada")
    with gradebook() as book:
        book.update_or_create_student(
            "ada", first_name="Ada", last_name="=1+1", email="ada@uni.edu", lms_user_id="77"
        )
        book.update_or_create_student("ben")
    autograder("grade", LESSON, "--workers", 1)
    assert table(lms.Canvas, "canvas.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", LESSON],
        ["    Points Possible", "", "", "", "", "12.0"],
        ["ben", "", "", "ben", "", ""],
        ["'=1+1, Ada", "77", "", "ada", "", "12.0"],
    ]
    assert table(lms.Moodle, "moodle.csv") == [
        ["First name", "Last name", "Username", "ID number", "Email address", LESSON],
        ["", "", "ben", "", "", ""],
        ["Ada", "'=1+1", "ada", "77", "ada@uni.edu", "12.0"],
    ]


def test_what_canvas_and_moodle_let_download_is_collected_and_graded(
    course: Path, sampler: Sampler, autograder: Autograder
) -> None:
    with gradebook() as book:
        book.update_or_create_student("ada", first_name="Ada", last_name="Lovelace")
        book.update_or_create_student("ben", lms_user_id="1235")
        book.update_or_create_student("cy", first_name="Cy", last_name="Other")
        book.update_or_create_student("di", first_name="Di", last_name="Last")
    shutil.copytree(ROOT / "release" / LESSON, course / "release" / LESSON)
    text = json.dumps(sampler.notebook())
    archive = course / "downloaded" / LESSON / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "submissions.zip", "w") as file:
        file.writestr("lovelaceada_LATE_99_501_merge-a-line-2.ipynb", text)
        file.writestr("some_ben_1235_502_merge-a-line.ipynb", text)
        file.writestr("mallory_98_503_DiLast_0_assignsubmission_file_a.ipynb", text)
    with zipfile.ZipFile(archive / "moodle.zip", "w") as file:
        file.writestr("Cy Other_31_assignsubmission_file/merge-a-line.ipynb", text)
        file.writestr("Di Last_32_assignsubmission_file_merge-a-line.ipynb", text)
        file.writestr("Di Last_32_assignsubmission_onlinetext/onlinetext.html", "no notebook")
    collector = f"{lms.FromCourse.__module__}.{lms.FromCourse.__name__}"
    log = nbgrader("zip_collect", LESSON, f"--collector={collector}")
    assert "mallory_98_503_DiLast_0_assignsubmission_file_a.ipynb was left out" in log
    handed_in = sorted(str(path.relative_to(course)) for path in course.glob("submitted/*/*/*"))
    assert handed_in == [
        f"submitted/{student}/{LESSON}/merge-a-line.ipynb" for student in ("ada", "ben", "cy", "di")
    ]
    result = autograder("grade", LESSON, "--workers", 1)
    assert (result.exit_code, result.stdout.count("12/12")) == (0, 4)
