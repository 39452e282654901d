"""`autograder collect`: the work of groups, and Moodle's grading worksheet."""

import json
import os
from datetime import timedelta
from pathlib import Path

from tests.autograder.conftest import LESSON
from tests.autograder.gradebook.lms.names_in_downloads import (
    NAME,
    ODD,
    Collect,
    canvas,
    of,
    told,
    worksheet,
)
from tests.autograder.gradebook.nbgrader_helpers import BOOK, DOWNLOADED, gradebook


def folder(name: str, number: int) -> str:
    return f"{name}_{number}_assignsubmission_file/{NAME}"


def test_each_member_gets_the_work_of_a_group_in_moodles_archive(collect: Collect) -> None:
    one, two = BOOK, BOOK.replace("5}", "4}")
    files = {folder("Red Team 1", 55): one, f"Default group_assignsubmission_file/{NAME}": two}
    result = collect(files)
    assert result.exit_code == 1
    assert "if it is a group, Moodle's grading worksheet must have it: --worksheet" in told(result)
    assert "Nothing was taken in." in told(result)
    named = worksheet(
        "Identifier,Full name,Email address,Status,Group,Grade",
        "Participant 55,FirstAe Last,,-,Blue,-",
        f"Participant 56,{' '.join(ODD[0])},,-,Red_Team: 1,-",
        f"Participant 57,{' '.join(ODD[1])},,-,Red_Team: 1,-",
        "Participant 58,No Body,,-,Red_Team: 1,-",
        "Participant 59,FirstAf Last,,-,Default group,-",
    )
    result = collect(files, *named)
    assert (of("s00").read_text(), of("s01").read_text(), of("s05").read_text()) == (one, one, two)
    assert not of("s04").exists()
    assert result.exit_code == 1
    assert "No Body (Participant 58)" in told(result)
    assert "Nothing changed" in told(collect(files, *named))
    with gradebook() as book:
        book.update_or_create_student("new", first_name="No", last_name="Body")
    assert collect(files, *named).exit_code == 0
    assert json.loads(Path(f"downloaded/{LESSON}/collected.json").read_text())["unmatched"] == []


def test_a_member_gets_the_work_that_moodle_names_after_the_group_and_the_member(
    collect: Collect,
) -> None:
    names = ["Team-1-FirstAe Last", "Team-1-Mary Jane van der Berg", "Team-1-Anna-FirstAf Last"]
    result = collect({folder(name, 50 + n): BOOK for n, name in enumerate(names)})
    assert (result.exit_code, of("s04").exists(), of("s02").exists()) == (1, True, True)
    assert not of("s05").exists()
    names = ["Anna-FirstAf Last", "Anna-FirstBa Last", "FirstBb Last"]
    collect({folder(name, 7 + n): BOOK for n, name in enumerate(names)})
    assert not of("s05").exists()


def test_a_name_in_canvas_that_is_not_the_students_is_said_because_it_may_be_a_groups(
    collect: Collect,
) -> None:
    # lib/content_zipper.rb names the file of a group after it, with the number of one member
    result = collect({f"teamrocket_1005_7_{NAME}": BOOK, canvas(1, NAME): BOOK})
    assert (result.exit_code, of("s05").exists()) == (0, True)
    assert "the number is that of s05, the name is not; if it is a group's" in told(result)
    assert "the number is that of s01" not in told(result)
    collect({f"{student}/{NAME}": BOOK for student in ("s06", "s07")})
    assert (of("s06").exists(), of("s07").exists()) == (True, True)


def test_who_is_hidden_by_moodle_is_said_to_be_hidden(collect: Collect) -> None:
    result = collect({folder("Participant", number): BOOK for number in (71, 72)})
    assert result.exit_code == 1
    assert told(result).count("Moodle hid the names; let Moodle show them") == 2


def test_the_worksheet_tells_two_of_one_name_apart_by_their_addresses(collect: Collect) -> None:
    with gradebook() as book:
        for student, email in (("bob2", "b2@u.edu"), ("bob1", "b1@u.edu")):
            book.update_or_create_student(student, first_name="Bob", last_name="Smith", email=email)
    files = {folder("Bob Smith", number): BOOK for number in (71, 72)}
    heads = "Identifier,Full name,Email address"
    rows = ["Participant 71,Bob Smith,B2@u.edu", "Participant 72,Bob Smith,b1@u.edu"]
    assert collect(files, *worksheet(heads, *rows)).exit_code == 0
    assert (of("bob1").exists(), of("bob2").exists()) == (True, True)
    of_another_assignment = worksheet(heads, "Participant 71,Somebody Else,b2@u.edu")
    said = told(collect(files, *of_another_assignment))
    assert "bob1 and bob2 have this name" in said
    assert "put the files into a folder bob1/ or bob2/" in said
    said = told(collect({canvas(4, NAME): BOOK}, *of_another_assignment))
    assert "The worksheet says nothing of download.zip, which is not Moodle's." in said


def test_work_that_a_person_put_into_a_folder_is_not_late_by_the_time_of_its_file(
    collect: Collect,
) -> None:
    for days, student in enumerate(("bob1", "bob2")):
        path = Path("sorted", student, NAME)
        path.parent.mkdir(parents=True)
        path.write_text(BOOK)
        moment = (DOWNLOADED + timedelta(days)).timestamp()
        os.utime(path, (moment, moment))
        result = collect("sorted")
        assert "so nothing of it counts as late; a time in timestamp.txt beside" in told(result)
        assert (of(student).exists(), of(student, "timestamp.txt").exists()) == (True, False)
