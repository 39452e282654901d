"""One assignment through all of nbgrader's programs, from its release to the export of scores."""

import csv
import io
import json
import os
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import (
    CollectApp,
    ExportApp,
    FetchAssignmentApp,
    FetchFeedbackApp,
    GenerateAssignmentApp,
    GenerateFeedbackApp,
    ReleaseAssignmentApp,
    ReleaseFeedbackApp,
    SubmitApp,
)
from playwright.sync_api import Page, expect

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder, autograder, make_course, new_gradebook
from tests.autograder.conftest import sampler as sampler
from tests.autograder.reports.people import CASCADE, HIDDEN
from tests.browser.servers import TOKEN, Server, jupyter_server

__all__ = ["autograder", "new_gradebook", "sampler"]  # fixtures

NOTEBOOK = "merge-a-line"
WHY = {
    "cell_type": "markdown",
    "id": "why",
    "metadata": {
        "nbgrader": {
            **{"grade": True, "grade_id": "why", "locked": False, "points": 2},
            **{"schema_version": 3, "solution": True, "task": False},
        }
    },
    "source": "Why does the pair at the front merge first?",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start the instructor's Jupyter server; the course folder will be inside of its root."""
    home = tmp_path_factory.mktemp("instructor")
    settings = home / "settings of nbgrader"
    settings.mkdir()
    course = str(home / "root" / "course")
    config = f"c = get_config()\nc.CourseDirectory.root = {course!r}\n"
    (settings / "nbgrader_config.py").write_text(config + 'c.CourseDirectory.course_id = "2048"\n')
    environment = {"JUPYTER_CONFIG_PATH": str(settings)}
    with jupyter_server(home, environment=environment) as running:
        yield running


@pytest.fixture
def course(server: Server, new_gradebook: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the course folder; a question that a person must grade is added to its lesson."""
    folder = make_course(server.root / "course")
    shutil.copyfile(new_gradebook, folder / "gradebook.db")
    master = folder / "source" / LESSON / f"{NOTEBOOK}.ipynb"
    notebook = json.loads(master.read_text(encoding="utf-8"))
    notebook["cells"].append(WHY)
    master.write_text(json.dumps(notebook), encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


class Person:
    """A student with a folder of their own, in which nbgrader's programs run."""

    def __init__(self, name: str, home: Path, course: Path) -> None:
        self.name, self.folder, self.course = name, home / name, course
        self.folder.mkdir()

    def runs(self, program: Any, *more: str) -> None:
        options = [
            f"--student={self.name}",
            "--course=2048",
            f"--Exchange.root={self.course / 'exchange'}",
            f"--Exchange.cache={self.folder / 'cache'}",
        ]
        os.chdir(self.folder)
        run(program, LESSON, *options, *more)
        os.chdir(self.course)

    def writes(self, sampler: Sampler, **programs: str) -> None:
        """Fill in the notebook that was fetched, and hand it in."""
        path = self.folder / LESSON / f"{NOTEBOOK}.ipynb"
        notebook = json.loads(path.read_text(encoding="utf-8"))
        answers = {**sampler.solutions, **programs, "why": "Because it is nearest to the wall."}
        for cell in notebook["cells"]:
            cell["source"] = answers.get(cell["id"], cell["source"])
        path.write_text(json.dumps(notebook), encoding="utf-8")
        self.runs(SubmitApp)

    def feedback(self) -> str:
        self.runs(FetchFeedbackApp)
        pages = sorted((self.folder / LESSON / "feedback").glob("*/*.html"))
        return " ".join(re.sub(r"<[^>]+>", " ", pages[-1].read_text(encoding="utf-8")).split())


def run(program: Any, *arguments: str) -> None:
    app = program()
    app.initialize([str(argument) for argument in arguments])
    app.start()


def gradebook() -> Gradebook:
    return Gradebook("sqlite:///gradebook.db", "2048")


def grade_by_hand(page: Page, server: Server, submission: str, points: str, comment: str) -> None:
    """Enter points and a comment in formgrader, as a person does."""
    place = f"/formgrader/submissions/{submission}/"
    page.goto(f"{server.address}/login?token={TOKEN}&next={place}")
    page.wait_for_function("formgrader.grades.loaded && formgrader.comments.loaded")
    for place, text in (("input.score#why", points), ("#why-comment", comment)):
        field = page.locator(place)
        expect(field).to_be_enabled()
        with page.expect_response(lambda answer: answer.request.method == "PUT") as answer:
            field.fill(text)
            field.dispatch_event("change")
            field.blur()
        assert answer.value.ok


def test_a_class_lives_with_nbgraders_real_parts(
    course: Path,
    server: Server,
    sampler: Sampler,
    autograder: Autograder,
    page: Page,
    tmp_path: Path,
) -> None:
    # release, fetch, submit, collect
    run(GenerateAssignmentApp, LESSON)
    run(ReleaseAssignmentApp, LESSON)
    ada, ben, cy = (Person(name, tmp_path, course) for name in ("ada", "ben", "cy"))
    for person in (ada, ben):
        person.runs(FetchAssignmentApp)
    ada.writes(sampler, merge=CASCADE)
    ben.writes(sampler)
    run(CollectApp, LESSON)

    # grade, by the grader and by hand
    graded = autograder("grade", LESSON, "--workers", 1)
    assert graded.exit_code == 0, graded.output
    assert "A person has to look at: ada, ben" in graded.stderr
    with gradebook() as book:
        submission = book.find_submission_notebook(NOTEBOOK, LESSON, "ada").id
    grade_by_hand(page, server, submission, "1.5", "Say which wall.")

    # feedback goes out and comes back
    autograder("feedback", LESSON)
    run(ReleaseFeedbackApp, LESSON)
    told = ada.feedback()
    assert "9.5 of 14 points" in told
    assert "A merged tile merges again" in told
    assert "Say which wall." in told
    assert "2 more can still come" in ben.feedback()

    # ada hands in again, with more time; ben and cy are late, and cy is new
    with gradebook() as book:
        due = datetime.now(UTC).replace(tzinfo=None) - timedelta(hours=3)
        book.update_or_create_assignment(LESSON, duedate=due)
        book.grant_extension(LESSON, "ada", days=1)
        book.update_or_create_student("cy", first_name="Cy", last_name="=1+1")
    config = Path("nbgrader_config.py")
    config.write_text(config.read_text() + "\nc.LateSubmissionPlugin.penalty_method = 'zero'\n")
    ada.writes(sampler)
    cy.runs(FetchAssignmentApp)
    cy.writes(sampler, merge=sampler.solutions["merge"].replace("2 *", "3 *"))
    run(CollectApp, LESSON, "--update")
    again = autograder("grade", LESSON, "--workers", 1)
    assert "Graded again because the submission changed" in again.stderr
    with gradebook() as book:
        assert book.find_grade("why", NOTEBOOK, LESSON, "ada").needs_manual_grade

    # nbgrader's own feedback shows no hidden test, either
    run(GenerateFeedbackApp, LESSON, "--force")
    for person in (ada, ben, cy):
        text = (course / "feedback" / person.name / LESSON / f"{NOTEBOOK}.html").read_text()
        assert "HIDDEN TESTS" not in text
        assert HIDDEN not in text
    autograder("feedback", LESSON)
    run(ReleaseFeedbackApp, LESSON)
    assert "13.5 of 14 points" in ada.feedback()
    assert re.search(r"handed in .* late\. .* points were taken off", cy.feedback())

    # the scores go out to the learning platform
    run(ExportApp, "--exporter=autograder.gradebook.lms.Canvas", "--to=canvas.csv")
    rows = list(csv.reader(io.StringIO(Path("canvas.csv").read_text("utf-8"))))
    scores = {row[3]: (row[0], row[5]) for row in rows[2:]}
    assert scores == {"ada": ("ada", "13.5"), "ben": ("ben", "0.0"), "cy": ("'=1+1, Cy", "0.0")}
