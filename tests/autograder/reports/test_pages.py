"""Pages for students and the instructor: the right texts in order, and no scripts in them."""

import csv
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.read_grades import ClassGrades
from autograder.reports.class_report import report_page
from autograder.reports.make_pages import make_feedback, make_overview
from autograder.system import Trouble
from tests.autograder.conftest import LESSON
from tests.autograder.reports.people import ABSENT, HIDDEN, MARKUP, SCRIPT


class Reader(HTMLParser):
    """A parsed page: its text, and the names of its elements and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.tags, self.attributes = "", set[str](), set[str]()
        self.feed(re.sub(r"<style>.*?</style>", "", page, flags=re.S))
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


def feedback(graded: Path, student: str) -> Reader:
    page = graded / "feedback" / student / LESSON / "merge-a-line.html"
    return Reader(page.read_text(encoding="utf-8"))


def report(graded: Path, name: str = LESSON) -> Reader:
    return Reader((graded / "reports" / f"{name}.html").read_text(encoding="utf-8"))


def table(path: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a CSV file by the students' ids."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def in_order(text: str, *parts: str) -> bool:
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def test_the_page_of_all_assignments_says_how_a_page_is_made(
    graded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(graded)
    page = graded / "reports" / f"{LESSON}.html"
    away = page.rename(graded / "away.html")
    text = Reader(make_overview(CourseFolder()).read_text(encoding="utf-8")).text
    away.rename(page)
    make_overview(CourseFolder())
    assert f"{LESSON}: autograder report {LESSON} makes its page" in text


def test_a_page_says_what_holds_then_what_does_not_then_what_a_person_said(graded: Path) -> None:
    assert in_order(
        feedback(graded, "cascade").text,
        "8 of 12 points",
        "What holds",
        "two equal neighbours, and only neighbours, become one tile of twice the value.",
        "What does not hold yet",
        "A merged tile merges again",
        "Hint: A tile that has just been made rests for this move.",
        "a new tile does not merge with a tile that was there before. 0 of 1",
        "merge([4, 4, 8, 0])",
        "Given 4 4 8 0 Expected 8 8 0 0 Yours 16 differs 0 differs 0 0",
        "From a person",
        "About merge Nearly there. See me.",
    )


def test_a_page_says_how_late_it_was_and_if_a_person_has_to_look(graded: Path) -> None:
    text = feedback(graded, "late").text
    assert "0 of 12 points" in text
    assert "1 day 12 hours late. 8 of 8 points were taken off for that." in text
    assert "1 more can still come" in feedback(graded, "hostile").text


@pytest.mark.parametrize("page", ["feedback", "report"])
def test_what_people_wrote_is_text(graded: Path, page: str) -> None:
    read = report(graded) if page == "report" else feedback(graded, "hostile")
    assert MARKUP in read.text
    assert page == "report" or SCRIPT in read.text
    assert not read.tags & {"script", "img", "iframe", "object", "form", "link", "b"} - {"b"}
    assert not [name for name in read.attributes if name.startswith("on")]


def test_the_report_says_what_an_instructor_asks(graded: Path) -> None:
    text = report(graded).text
    assert "Handed in 4 of 5" in text
    assert in_order(text, "a new tile does not merge", "no-chain", "1 of 3 (33 %)")
    assert in_order(text, "Mistakes", "A merged tile merges again 2 cascade late")
    assert in_order(text, f"Handed in nothing: 1 =1+1 {ABSENT}", f"Wait for a person: 1 {MARKUP}")
    assert "late : 1 day 12 hours, 8 points taken off" in text
    assert in_order(text, "Did they work together?", "merge , 100 % the same: cascade , late")


def test_who_handed_in_most_often_stands_first_in_the_report() -> None:
    served = {"bob": (3, 0), "ada": (1, 1), "al": (3, 2)}
    text = Reader(report_page(ClassGrades("", LESSON, None, (), ()), {}, served, {}, {})).text
    assert in_order(text, "Handed in at the server", "al 3 2", "bob 3 0", "ada 1 1")


def test_the_page_of_all_assignments_has_a_row_a_student(graded: Path) -> None:
    text = report(graded, "index").text
    assert in_order(text, f"{LESSON} of 12", f"=1+1 {ABSENT} absent 0 missing", "cascade 8 8")
    assert in_order(text, f"{MARKUP} hostile 1 1 waits for a person", "late 0 0 late, −8")
    assert f'<a href="{LESSON}.html">' in (graded / "reports" / "index.html").read_text("utf-8")
    absent, cascade = (table(graded / "all.csv")[name] for name in ("absent", "cascade"))
    assert (absent["sum"], absent[LESSON], cascade[LESSON]) == ("0.0", "", "8.0")


def test_each_name_in_the_report_leads_to_a_row_and_from_there_to_the_page(graded: Path) -> None:
    page = (graded / "reports" / f"{LESSON}.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+)"', page)
    rows = set(re.findall(r'<tr id="([^"]+)"', page))
    assert {link[1:] for link in links if link.startswith("#")} <= rows
    files = [link for link in links if not link.startswith("#")]
    assert len(files) == 4
    assert all((graded / "reports" / file).is_file() for file in files)


def test_the_table_has_a_column_a_check_and_no_formula(graded: Path) -> None:
    rows = table(graded / "class.csv")
    assert rows["absent"]["first_name"] == "'=1+1"
    cascade = rows["cascade"]
    assert (cascade["merge-once"], cascade["any-length"]) == ("0.0", "1.0")
    assert (cascade["mistakes"], rows["absent"]["seconds"]) == ("A merged tile merges again", "")


def test_the_pages_lie_where_nbgrader_releases_them(graded: Path) -> None:
    folder = graded / "feedback" / "late" / LESSON
    assert (folder / "timestamp.txt").read_text() == "2026-03-03 12:00:00 UTC"
    assert len((folder / "submission_secret.txt").read_text()) > 60


def test_hidden_tests_are_shown_where_the_instructor_wants_it(
    graded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(graded)
    text = feedback(graded, "nearly").text
    assert "The tests that you have hold here. One more test, which is not shown, does not." in text
    assert HIDDEN not in text
    course = CourseFolder()
    course.app.config.Withhold.show_hidden = True
    make_feedback(course, LESSON, "nearly")
    text = feedback(graded, "nearly").text
    make_feedback(CourseFolder(), LESSON, "nearly")
    assert f"merge({HIDDEN})" in text


def test_who_was_not_graded_gets_a_sentence(graded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(graded)
    with pytest.raises(Trouble, match="nothing of nobody was graded"):
        make_feedback(CourseFolder(), LESSON, "nobody")
