"""`autograder collect`: the work of groups, and Moodle's grading worksheet."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.lms.downloads import NAME, ODD, canvas, of, saved, told
from tests.autograder.gradebook.nbgrader_helpers import BOOK, DOWNLOADED, gradebook, zipped

pytestmark = pytest.mark.usefixtures("enrolled")


def test_each_member_gets_the_work_of_a_group_in_moodles_archive(autograder: Autograder) -> None:
    one, two = BOOK, BOOK.replace("5}", "4}")
    saved(
        zipped(
            {
                f"Red Team 1_55_assignsubmission_file/{NAME}": one,
                f"Default group_assignsubmission_file/{NAME}": two,
            }
        )
    )
    result = autograder("collect", "download.zip", LESSON)
    assert result.exit_code == 1
    assert "if it is a group, Moodle's grading worksheet must have it: --worksheet" in told(result)
    assert "Nothing was taken in." in told(result)
    rows = ["Identifier,Full name,Email address,Status,Group,Grade"]
    rows += [f"Participant {n},FirstAe Last,,-,{team},-" for n, team in ((55, "Blue"),)]
    rows += [f"Participant 56,{' '.join(ODD[0])},,-,Red_Team: 1,-"]
    rows += [f"Participant 57,{' '.join(ODD[1])},,-,Red_Team: 1,-"]
    rows += [
        "Participant 58,No Body,,-,Red_Team: 1,-",
        "Participant 59,FirstAf Last,,-,Default group,-",
    ]
    Path("Grades.csv").write_text("\n".join(rows), encoding="utf-8")
    result = autograder("collect", "download.zip", LESSON, "--worksheet", "Grades.csv")
    assert (of("s00").read_text(), of("s01").read_text(), of("s05").read_text()) == (one, one, two)
    assert not of("s04").exists()
    assert result.exit_code == 1
    assert "No Body (Participant 58)" in told(result)
    again = autograder("collect", "download.zip", LESSON, "--worksheet", "Grades.csv")
    assert "Nothing changed" in told(again)
    with gradebook() as book:
        book.update_or_create_student("new", first_name="No", last_name="Body")
    assert autograder("collect", "download.zip", LESSON, "--worksheet", "Grades.csv").exit_code == 0
    assert json.loads(Path(f"downloaded/{LESSON}/collected.json").read_text())["unmatched"] == []


def test_a_member_gets_the_work_that_moodle_names_after_the_group_and_the_member(
    autograder: Autograder,
) -> None:
    def folder(name: str, number: int) -> str:
        return f"{name}_{number}_assignsubmission_file/{NAME}"

    names = ["Team-1-FirstAe Last", "Team-1-Mary Jane van der Berg", "Team-1-Anna-FirstAf Last"]
    saved(zipped({folder(name, 50 + n): BOOK for n, name in enumerate(names)}))
    result = autograder("collect", "download.zip", LESSON)
    assert (result.exit_code, of("s04").exists(), of("s02").exists()) == (1, True, True)
    assert not of("s05").exists()
    saved(
        zipped(
            {folder("Anna-FirstAf Last", 7): BOOK, folder("Anna-FirstBa Last", 8): BOOK}
            | {folder("FirstBb Last", 9): BOOK}
        )
    )
    autograder("collect", "download.zip", LESSON)
    assert not of("s05").exists()


def test_a_name_in_canvas_that_is_not_the_students_is_said_because_it_may_be_a_groups(
    autograder: Autograder,
) -> None:
    # lib/content_zipper.rb names the file of a group after it, with the number of one member
    saved(zipped({f"teamrocket_1005_7_{NAME}": BOOK, canvas(1, NAME): BOOK}))
    result = autograder("collect", "download.zip", LESSON)
    assert (result.exit_code, of("s05").exists()) == (0, True)
    assert "the number is that of s05, the name is not; if it is a group's" in told(result)
    assert "the number is that of s01" not in told(result)
    saved(zipped({f"{student}/{NAME}": BOOK for student in ("s06", "s07")}))
    autograder("collect", "download.zip", LESSON)
    assert (of("s06").exists(), of("s07").exists()) == (True, True)


def test_who_is_hidden_by_moodle_is_said_to_be_hidden(autograder: Autograder) -> None:
    saved(zipped({f"Participant_{n}_assignsubmission_file/{NAME}": BOOK for n in (71, 72)}))
    result = autograder("collect", "download.zip", LESSON)
    assert result.exit_code == 1
    assert told(result).count("Moodle hid the names; let Moodle show them") == 2


def test_the_worksheet_tells_two_of_one_name_apart_by_their_addresses(
    autograder: Autograder,
) -> None:
    with gradebook() as book:
        book.update_or_create_student("bob2", first_name="Bob", last_name="Smith", email="b2@u.edu")
        book.update_or_create_student("bob1", first_name="Bob", last_name="Smith", email="b1@u.edu")
    saved(zipped({f"Bob Smith_{n}_assignsubmission_file/{NAME}": BOOK for n in (71, 72)}))
    heads = "Identifier,Full name,Email address"
    rows = [heads, "Participant 71,Bob Smith,B2@u.edu", "Participant 72,Bob Smith,b1@u.edu"]
    Path("Grades.csv").write_text("\n".join(rows), encoding="utf-8")
    result = autograder("collect", "download.zip", LESSON, "--worksheet", "Grades.csv")
    assert result.exit_code == 0
    assert (of("bob1").exists(), of("bob2").exists()) == (True, True)
    rows[1:] = ["Participant 71,Somebody Else,b2@u.edu"]  # the worksheet of another assignment
    Path("Grades.csv").write_text("\n".join(rows), encoding="utf-8")
    result = autograder("collect", "download.zip", LESSON, "--worksheet", "Grades.csv")
    assert "bob1 and bob2 have this name" in told(result)
    assert "put the files into a folder bob1/ or bob2/" in told(result)
    saved(zipped({canvas(4, NAME): BOOK}))
    result = autograder("collect", "download.zip", LESSON, "--worksheet", "Grades.csv")
    assert "The worksheet says nothing of download.zip, which is not Moodle's." in told(result)


def test_work_that_a_person_put_into_a_folder_is_not_late_by_the_time_of_its_file(
    autograder: Autograder,
) -> None:
    for days, student in enumerate(("bob1", "bob2")):
        path = Path("sorted", student, NAME)
        path.parent.mkdir(parents=True)
        path.write_text(BOOK)
        moment = (DOWNLOADED + timedelta(days)).timestamp()
        os.utime(path, (moment, moment))
        result = autograder("collect", "sorted", LESSON)
        assert "so nothing of it counts as late; a time in timestamp.txt beside" in told(result)
        assert (of(student).exists(), of(student, "timestamp.txt").exists()) == (True, False)
