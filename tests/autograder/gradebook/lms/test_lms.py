"""Canvas and Moodle: nbgrader's programs export grades for them and collect their downloads."""

import csv
import json
import shutil
import zipfile
from pathlib import Path

import pytest
from nbgrader.api import Student

from autograder.course_adapter import ROOT
from autograder.gradebook import lms
from autograder.gradebook.lms.export_grades import Worksheet
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
        for made in (".ipynb_checkpoints/merge-a-line.ipynb", "__MACOSX/._merge-a-line.ipynb"):
            file.writestr(f"Cy Other_31_assignsubmission_file/{made}", text)
    collector = f"{lms.FromCourse.__module__}.{lms.FromCourse.__name__}"
    log = nbgrader("zip_collect", LESSON, f"--collector={collector}")
    assert "mallory_98_503_DiLast_0_assignsubmission_file_a.ipynb was left out" in log
    handed_in = sorted(map(str, Path("submitted").glob("*/*/*")))
    assert handed_in == [
        f"submitted/{student}/{LESSON}/merge-a-line.ipynb" for student in ("ada", "ben", "cy", "di")
    ]
    result = autograder("grade", LESSON, "--workers", 1)
    assert (result.exit_code, result.stdout.count("12/12")) == (0, 4)


HEADS = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments"
)


@pytest.fixture
def of_five(hand_in: HandIn, autograder: Autograder) -> None:
    """Grade ada, ben, and two students with the same name; cy has handed in nothing."""
    with gradebook() as book:
        for student in ("ada", "ben", "cy", "x1", "x2"):
            first = student.rstrip("12").capitalize()
            book.update_or_create_student(student, first_name=first, last_name="Ann")
        book.update_or_create_student("x1", first_name="X", last_name="Ann", email="x1@uni.edu")
    for student in ("ada", "ben", "x1", "x2"):
        hand_in(student)
    autograder("grade", LESSON, "--workers", 1)


def sheet(*rows: str, heads: str = HEADS, end: str = "\n") -> None:
    Path("Grades.csv").write_text(end.join([heads, *rows, ""]), encoding="utf-8", newline="")


def test_moodles_grading_worksheet_is_filled_and_nothing_else_in_it_changes(
    of_five: None, autograder: Autograder
) -> None:
    rest = '"Monday, 2 March 2026, 9:00 AM",-,"<p>Good,\n""really""</p>"'
    sheet(
        f"Participant 31,Ada Ann,a@b.c,Submitted for grading,,12.00,Yes,{rest}",
        f"Participant 32,Ben Ann,=1+1,Submitted for grading,3.50,12.00,Yes,{rest}",
        f"Participant 33,Cy Ann,c@d.e,No submission,1.00,12.00,Yes,{rest}",
        f"Participant 34,X Ann,X1@uni.edu,Submitted for grading,5.00,12.00,No,{rest}",
        f"Participant 35,X Ann,,Submitted for grading,12.00,12.00,No,{rest}",
        f"Participant 36,Zed Ann,,No submission,,12.00,Yes,{rest}",
        end="\r\n",
    )
    before = Path("Grades.csv").read_bytes()
    result = autograder("results", LESSON, "--worksheet", "Grades.csv")
    after = Path("Grades-filled.csv").read_bytes()
    assert (result.exit_code, Path("Grades.csv").read_bytes()) == (1, before)
    was = list(csv.reader(before.decode().splitlines(keepends=True)))
    now = list(csv.reader(after.decode().splitlines(keepends=True)))
    assert [row[4] for row in now] == ["Grade", "12.0", "12.0", "1.00", "5.00", "12.00", ""]
    assert [row[:4] + row[5:] for row in now] == [row[:4] + row[5:] for row in was]
    assert result.stdout.splitlines()[-4:] == [
        "Grades-filled.csv has the grades of 3; upload it in Moodle.",
        "Another grade was there: Ben Ann (Participant 32) 3.50 → 12",
        "X Ann (Participant 34) was left out: Moodle does not let it be changed; the grade there "
        "is 5.00, here it is 12",
        "Zed Ann (Participant 36) was left out: nobody in the gradebook has this address or name; "
        "nbgrader db student add enters one",
    ]


def test_rows_of_one_name_in_moodles_worksheet_are_told_apart_or_left_out(
    of_five: None, autograder: Autograder
) -> None:
    rest = "Submitted for grading,,12.00,Yes,-,-,"
    sheet(
        f"Participant 31,Ada Ann,,{rest}",
        f"Participant 32,Ada Ann,,{rest}",
        f"Participant 34,X Ann,,{rest}",
        f"Participant 35,X Ann,,{rest}",
    )
    result = autograder("results", LESSON, "--worksheet", "Grades.csv")
    said = result.stdout
    assert result.exit_code == 1
    assert "(Participant 31) was left out: 2 rows may be ada; enter the address" in said
    assert "(Participant 34) was left out: x1 or x2 may be meant; enter their addresses" in said
    assert "ben handed in, and has no row in it" in said
    notes = {"students": {"ada": {"form": "moodle", "number": "32", "digests": []}}}
    Path(f"downloaded/{LESSON}").mkdir(parents=True)
    Path(f"downloaded/{LESSON}/collected.json").write_text(json.dumps(notes))
    autograder("results", LESSON, "--worksheet", "Grades.csv")
    with Path("Grades-filled.csv").open(newline="") as lines:
        assert [row["Grade"] for row in csv.DictReader(lines)] == ["", "12.0", "", ""]


def test_why_a_row_of_a_student_who_was_removed_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "Grades.csv"
    path.write_text(f"{HEADS}\nParticipant 31,Ada Ann,,-,,12,Yes,-,-,\n", encoding="utf-8")
    ben = Student(id="ben", first_name="Ben", last_name="Ann")
    found = Worksheet(path).students([ben], {"31": "ada"})
    assert "nobody in the gradebook has this address or name" in found["31"].why


def test_a_worksheet_that_cannot_be_filled_is_refused_with_a_sentence(
    of_five: None, autograder: Autograder
) -> None:
    for heads, row, why in (
        (HEADS, "Participant 1,Ada Ann,,-,,100.00,Yes,-,-,", "maximum grade is 100.00, and the"),
        (HEADS.replace("Maximum G", "G"), "Participant 1,Ada Ann,,-,,A,Yes,-,-,", "with a scale"),
        (HEADS.replace("Identifier", "ID"), "", "with Moodle set to English"),
        (HEADS, "Participant 1,A,,-,,,,,,\nParticipant 1,B,,-,,,,,,", "has Participant 1 twice"),
        ("Identifier,Full name", "", "has no column grade, grade can be changed"),
    ):
        sheet(row, heads=heads)
        result = autograder("results", LESSON, "--worksheet", "Grades.csv")
        assert why in " ".join(result.stderr.split())
        assert (result.exit_code, Path("Grades-filled.csv").exists()) == (2, False)
