"""The example of another course: its author's mistakes are named in notebooks and on pages."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.course_adapter import AUTHORED, ROOT
from autograder.misconceptions import AUTHORS_FILE, Authored, Misconception, authored_json
from tests.autograder.conftest import Autograder, made_once
from tests.kernels import run_notebook

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("authored")]

EXAMPLE = ROOT / "docs" / "example-course"
PAGE = (ROOT / "docs" / "your-own-course.md").read_text(encoding="utf-8")
NAME = "first-steps"
NOTEBOOK = Path(NAME, f"{NAME}.ipynb")
EXERCISES: list[dict[str, Any]] = tomllib.loads((EXAMPLE / AUTHORS_FILE).read_text())["exercise"]
MISTAKES = {
    one["id"]: (exercise["name"], one)
    for exercise in EXERCISES
    for one in exercise["misconception"]
}
# Programs of students: student → answer cell → text.
RIGHT = {
    "sums": {
        "running_total": "def running_total(numbers):\n"
        "    return [sum(numbers[: place + 1]) for place in range(len(numbers))]",
        "initials": "def initials(name):\n    found = ''\n    for word in name.split():\n"
        "        found = found + word[0]\n    return found.upper()",
        "Basket": "class Basket:\n    def __init__(self):\n        self._parts = []\n\n"
        "    def add(self, item, price, count=1):\n        self._parts += [price] * count\n\n"
        "    @property\n    def total(self):\n        return sum(self._parts)",
    },
}
ALIKE = {  # the same mistake as in `MISTAKES`, in other words
    "small-letters-stay": "def initials(name):\n    found = ''\n    for word in name.split():\n"
    "        found += word[:1]\n    return found",
}
OTHER = {"initials": "def initials(name):\n    return name[:2]"}
Answers = Mapping[str, str]


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def written(notebook: NotebookNode, answers: Answers) -> NotebookNode:
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    return notebook


def run_block(number: int, folder: Path) -> str:
    """Run the block of commands with this number on the page; return what it prints."""
    block = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[number]
    done = subprocess.run(
        ["bash", "-ec", block], cwd=folder, capture_output=True, text=True, check=False,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which all commands of the page were run, for a class of students."""

    def fill(folder: Path) -> None:
        shutil.copytree(EXAMPLE, folder / "docs" / "example-course")
        (folder / "verified.txt").write_text(run_block(0, folder))
        course = folder / "my-course"
        wrong = {one: {name: said["specimen"]} for one, (name, said) in MISTAKES.items()}
        alike = {f"alike-{one}": {MISTAKES[one][0]: text} for one, text in ALIKE.items()}
        for student, answers in {**RIGHT, **wrong, **alike, "other": OTHER}.items():
            release = course / "release" / NAME
            handed_in = shutil.copytree(release, course / "submitted" / student / NAME)
            solved = read(course / "source" / NOTEBOOK)
            full = {cell.id: cell.source for cell in solved.cells if "SOLUTION" in cell.source}
            nbformat.write(
                written(read(release / NOTEBOOK.name), full | answers), handed_in / NOTEBOOK.name
            )
        (folder / "graded.txt").write_text(run_block(1, course))

    return made_once(tmp_path_factory, "authored", fill)


@pytest.fixture
def course(walked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = Path(shutil.copytree(walked / "my-course", tmp_path / "my-course"))
    monkeypatch.chdir(copy)
    return copy


def write_anew(course: Path, before: str, after: str) -> None:
    """Replace a text in the author's file, once; the whole file, if `before` is empty."""
    path = course / AUTHORS_FILE
    text = path.read_text("utf-8")
    path.write_text(text.replace(before, after, 1) if before else after, encoding="utf-8")


def page_of(course: Path, student: str) -> str:
    text = (course / "feedback" / student / NOTEBOOK.with_suffix(".html")).read_text("utf-8")
    return " ".join(unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", text, flags=re.S)).split())


def run(course: Path, answers: Answers, *more: str) -> list[tuple[str, str]]:
    """Run the released notebook with answers and more cells; return (cell id, text below it)."""
    notebook = written(read(course / "release" / NOTEBOOK), answers)
    notebook.cells += [nbformat.v4.new_code_cell(source, id="more") for source in more]
    folder = {"metadata": {"path": str(course / "release" / NAME)}}
    run_notebook(notebook, resources=folder)
    found = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", ())
        said = (one.get("evalue") or one.get("data", {}).get("text/plain", "") for one in outputs)
        found.append((cell.id, "\n".join(said)))
    return found


def test_verify_finds_all_tests_protected_and_each_mistake_caught_and_named(walked: Path):
    said = (walked / "verified.txt").read_text()
    assert "6 tests: 6 protected, 0 not protected, 0 that the answer key does not pass." in said
    assert said.count("as itself") == len(MISTAKES) == 9


def test_students_get_no_program_and_no_hidden_test(course: Path):
    given = sorted((course / "release" / NAME).iterdir())
    assert [path.name for path in given] == [AUTHORED, NOTEBOOK.name]
    text = "".join(path.read_text("utf-8") for path in given)
    assert not re.search("SOLUTION|HIDDEN|specimen", text)
    assert "def " not in (course / "release" / NAME / AUTHORED).read_text("utf-8")
    assert "Liskov" not in text


def test_a_right_class_has_full_marks_and_no_mistake(walked: Path, course: Path):
    assert re.search(r"^sums +9/9 *$", (walked / "graded.txt").read_text(), re.MULTILINE)
    for student in RIGHT:
        assert "9 of 9 points" in page_of(course, student)
        assert "Hint" not in page_of(course, student)


@pytest.mark.parametrize("mistake", [*MISTAKES, *(f"alike-{one}" for one in ALIKE)])
def test_the_page_of_feedback_names_the_mistake_and_shows_the_call(course: Path, mistake: str):
    _, said = MISTAKES[mistake.removeprefix("alike-")]
    page = page_of(course, mistake)
    assert f"{said['title']} Hint: {said['nudge']}" in page
    assert "NameError" not in page
    others = [one["title"] for _, one in MISTAKES.values() if one is not said]
    assert [title for title in others if title in page] == []


def test_what_no_specimen_does_has_no_name(course: Path):
    page = page_of(course, "other")
    assert "initials('Ada Lovelace') expected 'AL' got 'Ad'" in page
    assert [one["title"] for _, one in MISTAKES.values() if one["title"] in page] == []


def test_a_title_that_is_changed_is_on_the_next_page(course: Path, autograder: Autograder):
    title = MISTAKES["count-is-forgotten"][1]["title"]
    write_anew(course, title, "One of each")
    assert autograder("verify", NAME).exit_code == 0
    assert autograder("feedback", NAME).exit_code == 0
    assert "One of each Hint: " in page_of(course, "count-is-forgotten")
    assert title not in page_of(course, "count-is-forgotten")


@pytest.mark.parametrize("number", range(3))
def test_a_notebook_names_each_mistake_in_hint_and_never_another(course: Path, number: int):
    wrong = {one["name"]: one["misconception"][number] for one in EXERCISES}
    answers = {name: said["specimen"] for name, said in wrong.items()}
    again = [f"hint({name})" for name in wrong for _ in range(2)]
    said = run(course, answers, *again)
    for place, (name, mistake) in enumerate(wrong.items()):
        first = dict(said)[f"hint-{name}"]
        more = [text for cell, text in said if cell == "more"][2 * place :][:2]
        wanted = [mistake[key] for key in ("nudge", "explain", "show")]
        assert [first, *more] == [f"Hint {n} of 3: {text}" for n, text in enumerate(wanted, 1)]


def test_a_beginner_reads_call_expected_and_got_and_steps_through_the_code(course: Path):
    wrong = {"initials": MISTAKES["small-letters-stay"][1]["specimen"]}
    said = dict(run(course, wrong))
    assert said["first-letters"] == (
        "initials('alan turing')\n  expected  'AT'\n  got       'at'\n"
        "Hint: Try a name that is written in small letters."
    )
    assert "initials gives back 'al'." in said["watch-initials"]
    assert "the line raise NotImplementedError() is still there" in said["sums-so-far"]
    assert said["hint-running_total"] == f"Hint 1 of 3: {EXERCISES[0]['hints'][0]}"


def test_right_programs_get_no_hint_and_the_answer_waits_until_something_is_written(course: Path):
    said = run(course, RIGHT["sums"], "hint('Basket')")
    for cell, text in said:
        assert "Hint: " not in text
        if cell.startswith(("hint-", "more")):
            assert "right in all that its author asks" in text
    said = run(course, {}, *["hint(Basket)"] * 2)
    assert "Try it yourself first" in said[-1][1]


def test_names_of_this_course_mean_nothing_there(course: Path):
    merge = "def merge(one, two):\n    return one"
    same_name = "# merge-once: as a check of 2048.\ncheck(len, [1], gives=1)"
    checked = "check(merge, [1], [2], gives=[1, 2])"
    said = run(course, {}, merge, same_name, checked, "hint(merge)")
    assert said[-3] == ("more", "")
    assert said[-2][1].endswith("merge([1], [2])\n  expected  [1, 2]\n  got       [1]")
    assert "the exercises are running_total, initials, Basket" in said[-1][1]


@pytest.mark.deep
def test_verify_says_which_mistake_is_not_told_from_another(course: Path, autograder: Autograder):
    told = (course / AUTHORS_FILE).read_text("utf-8")
    last = told[told.rindex("[[exercise.misconception]]") :]
    twin = last.replace("only-the-last-counts", "twin")
    right = re.sub(r"= price", "+= price", last.replace("only-the-last-counts", "right"))
    write_anew(course, "", f"{told}\n{twin}\n{right}")
    said = autograder("verify", NAME, "--json")
    assert said.exit_code == 1
    mistakes = json.loads(said.output)["mistakes"]
    troubles = {one["mistake"]["id"]: one["trouble"] for one in mistakes if one["trouble"]}
    assert troubles == {
        "only-the-last-counts": "no test tells it from twin",
        "twin": "no test tells it from only-the-last-counts",
        "right": "it loses no test",
    }


@pytest.mark.deep
def test_a_probe_that_depends_on_what_ran_before_is_told(course: Path, autograder: Autograder):
    write_anew(course, '    "one, two', "    'Basket().total',\n    \"one, two")
    said = autograder("verify", NAME)
    assert said.exit_code == 1
    assert "none may depend on what ran before" in " ".join(said.output.split())


@pytest.mark.deep
def test_what_a_probe_cannot_tell_is_said_of_each_mistake(tmp_path: Path):
    bodies = {
        "endless": "while True: n += 1",
        "fails": "return n + ",
        "right": "return 1 * n",
        "wrong": "return n + 1",
        "wrong too": "return 1 + n",
    }
    mistakes = [
        Misconception(one, one, "n", "e", "s", "spin", f"def spin(n):\n    {body}")
        for one, body in bodies.items()
    ]
    texts = ("a", "b", "c"), ("spin(1)",), tuple(mistakes)
    spin = Authored("spin", "ps1.ipynb", "spin", (), "def spin(n):\n    return n", *texts)
    written, troubles = authored_json([spin], tmp_path)
    assert [one["id"] for one in json.loads(written)["spin"]["wrong"].values()] == ["wrong"]
    assert {one.id: said for one, said in troubles.items() if one.id != "fails"} == {
        "endless": "its specimen: it never ends",
        "right": "no probe tells it from the answer key",
        "wrong too": "no probe tells it from wrong",
    }
    assert "SyntaxError" in troubles[mistakes[1]]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('name = "initials"', "name = initials", "cannot be read"),
        ("nudge = ", "# nudge = ", "lacks 'nudge'"),
        ("nudge = ", "nudge = 3 # ", "running_total has another form"),
        ("hints = [", 'hints = "Think."\nmore = [', "running_total has another form"),
        ("return totals\n'''", "return totals)\n'''", "SyntaxError"),
        ('"running_total([])"', '"running_total("', "the answer key, on the probes"),
        ('name = "initials"', 'name = "initial"', "no answer in source/ defines initial"),
        ("", "exercise = 3\n", "each exercise begins with [[exercise]]"),  # the whole file
    ],
)
def test_a_file_that_cannot_be_understood_says_what_to_mend(
    course: Path, autograder: Autograder, before: str, after: str, said: str
):
    write_anew(course, before, after)
    done = autograder("verify", NAME)
    assert done.exit_code > 0
    assert said in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_the_example_is_in_the_form_that_a_diff_can_read():
    path = EXAMPLE / "source" / NOTEBOOK
    assert path.read_text("utf-8") == nbformat.writes(read(path)) + "\n"
    code = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    assert [path.name for path in path.parent.iterdir()] == [NOTEBOOK.name]
