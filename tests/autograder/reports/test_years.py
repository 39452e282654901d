"""The report over the years: which mistakes come back, and when the lesson's text was changed."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from autograder.cli import app
from autograder.reports.class_report import trends_of
from tests.autograder.conftest import LESSON
from tests.autograder.reports.test_causes import book_of, someone
from tests.autograder.reports.test_pages import Reader


@pytest.fixture(scope="module")
def years(graded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make three years of a course; return their folder, in which `2026` is this year."""
    root = tmp_path_factory.mktemp("years")
    for year in ("2024", "2025", "2026"):
        shutil.copytree(graded, root / year)
    for year in ("2025", "2026"):
        path = root / year / "source" / LESSON / "merge-a-line.ipynb"
        notebook = json.loads(path.read_text(encoding="utf-8"))
        places = [n for n, cell in enumerate(notebook["cells"]) if cell["id"] == "merge"]
        texts = [one for one in notebook["cells"][: places[0]] if one["cell_type"] == "markdown"]
        texts[-1]["source"] = ["Merge each pair once."]
        path.write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root / "2026")
        for student in ("cascade", "late"):
            shutil.rmtree(f"submitted/{student}/{LESSON}")
        run("grade", LESSON, "--withdraw", "cascade", "--withdraw", "late")
    return root


def run(*words: str, status: int = 0) -> Result:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == status, done.output
    return done


def test_a_mistake_that_is_gone_stands_beside_the_year_of_the_new_text(
    years: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(years / "2026")
    run("report", LESSON, "--before", "../2024", "--before", "../2025")
    page = (years / "2026" / "reports" / f"{LESSON}.html").read_text(encoding="utf-8")
    text = Reader(page).text
    text = text[text.index("Over the years") : text.index("What wrong programs do")]
    assert "2024 of 4 2025 of 4 this year of 2 It is New text" in text
    assert "A merged tile merges again 2 (50 %) 2 (50 %) – gone 2025" in text
    assert "raised where there is an answer 1 (25 %) 1 (25 %) 1 (50 %) every year 2025" in text


def test_without_earlier_years_the_page_says_nothing_of_them(graded: Path) -> None:
    page = (graded / "reports" / f"{LESSON}.html").read_text(encoding="utf-8")
    assert "Over the years" not in page


@pytest.mark.parametrize(
    ("order", "remark"),
    [("aa", "every year"), ("ba", "new"), ("ab", "gone"), ("aba", "back"), ("baa", "still there")],
)
def test_a_word_says_if_a_mistake_comes_back(order: str, remark: str) -> None:
    lost, right = someone("ada", outcome="failed", mistake="Lost"), someone("ada", outcome="passed")
    books = {"a": book_of(lost), "b": book_of(right)}
    [trend] = trends_of({str(year): books[name] for year, name in enumerate(order)})
    assert (trend.title, trend.remark) == ("Lost", remark)


def test_the_folder_of_an_earlier_year_that_cannot_be_read_is_named(
    years: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(years / "2026")
    (tmp_path / "empty").mkdir()
    done = run("report", LESSON, "--before", str(tmp_path / "empty"), status=2)
    assert "empty: There is no gradebook yet" in " ".join(done.output.split())
    moved = tmp_path / "moved"
    shutil.copytree(years / "2024", moved)
    with (moved / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.CourseDirectory.root = {str(years / '2026')!r}\n")
    done = run("report", LESSON, "--before", str(moved), status=2)
    assert "names the gradebook or the root of another folder" in " ".join(done.output.split())
    done = run("report", "--before", str(moved), status=2)
    assert "name the assignment, too" in done.output
