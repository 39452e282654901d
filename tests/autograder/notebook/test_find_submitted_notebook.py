"""The choice of the file to grade in a submitted folder, and how much of the others is read."""

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from autograder.notebook.find_submitted_notebook import collect
from autograder.notebook.master import Master
from autograder.notebook.submitted_files import read_bytes
from autograder.sample import Sampler
from tests.autograder.grading_helpers import read
from tests.autograder.notebook.test_repair import save


def test_a_copy_of_a_lesson_in_a_folder_is_read_once(
    tmp_path: Path, sampler: Sampler, master: Master, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_paths: list[Path] = []

    def counted(path: Path, most: int) -> object:
        read_paths.append(path)
        return read_bytes(path, most)

    monkeypatch.setattr("autograder.notebook.find_submitted_notebook.read_bytes", counted)
    save(sampler.notebook(), tmp_path)
    (tmp_path / "copy.ipynb").write_bytes((tmp_path / master.notebook).read_bytes())
    read(tmp_path, master)
    assert sorted(path.name for path in read_paths) == ["copy.ipynb", master.notebook]


def test_copies_are_read_the_small_ones_first_and_no_more_of_them_than_one_may_hold(
    tmp_path: Path, sampler: Sampler, master: Master, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = sampler.notebook()
    for number, name in enumerate([master.notebook, "c.ipynb", "b.ipynb", "a.ipynb"]):
        notebook["cells"][0]["source"] = "x" * 1000 * number
        (tmp_path / name).write_text(json.dumps(notebook), encoding="utf-8")
    two = sum((tmp_path / name).stat().st_size for name in ("b.ipynb", "c.ipynb"))
    monkeypatch.setattr("autograder.notebook.find_submitted_notebook.MAX_NOTEBOOK", two)
    [problem] = read(tmp_path, master).problems
    assert problem.startswith("b.ipynb, c.ipynb also holds this lesson")


ZIP = BytesIO()
with ZipFile(ZIP, "w") as archive:
    archive.writestr("merge-a-line.ipynb", "{}")
WHOLE, BROKEN = ZIP.getvalue(), b"PK\x03\x04 and no more"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"homework.zip": WHOLE}, "; unpack homework.zip, or"),
        ({"my/homework.ZIP": WHOLE}, "; unpack my/homework.ZIP, or"),
        ({"homework.tar.gz": WHOLE}, "; unpack homework.tar.gz, or"),
        ({"a.zip": BROKEN}, "; a.zip is damaged, and cannot be unpacked;"),
        ({"a.zip": BROKEN, "b.zip": WHOLE}, "; unpack b.zip, or"),
        ({"timestamp.txt": b"2026", "solution.py": b""}, ", only solution.py;"),
    ],
    ids=["zip", "in a folder", "tar", "damaged", "one damaged", "a program"],
)
def test_where_there_is_no_notebook_it_is_said_what_to_do(
    files: dict[str, bytes], said: str, tmp_path: Path, master: Master
) -> None:
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    [problem] = read(tmp_path, master).problems
    what = "hand in merge-a-line.ipynb itself"
    assert problem == f"there is no merge-a-line.ipynb{said} {what}"


NAME, SAVED_AGAIN = "merge-a-line.ipynb", "merge-a-line (1).ipynb"
SCRATCH = {"cell_type": "code", "source": "2 + 2", "metadata": {}, "outputs": []}


OTHER = f"{SAVED_AGAIN} also holds this lesson"
GIVEN_OUT, MISSING = f"{NAME} was as it was given out; ", f"{NAME} was missing; "
RIVAL = "a.ipynb was used, and not b.ipynb, which was worked on, too"
COPIES = {
    "a stub beside the work": ("stub", "work", SAVED_AGAIN, GIVEN_OUT),
    "a stub in which something was tried": ("tried", "work", SAVED_AGAIN, GIVEN_OUT),
    "the work beside a stub": ("work", "stub", NAME, f"{OTHER}; "),
    "both were worked on": ("work", "work", NAME, f"{OTHER}, and was worked on; "),
    "an answer in a cell of the student's own": ("elsewhere", "work", NAME, OTHER),
}


@pytest.mark.parametrize(
    ("handed_in", "answers", "said"),
    [
        *(
            pytest.param({NAME: one, SAVED_AGAIN: other}, *expected, id=name)
            for name, (one, other, *expected) in COPIES.items()
        ),
        pytest.param(
            {"a.ipynb": "stub", SAVED_AGAIN: "work"}, SAVED_AGAIN, MISSING, id="no right name"
        ),
        pytest.param(
            {"a.ipynb": "work", "b.ipynb": "work", "c.ipynb": "stub"},
            "a.ipynb",
            MISSING + RIVAL,
            id="two of other names were worked on",
        ),
    ],
)
def test_of_several_copies_the_one_that_was_worked_on_counts_and_it_is_said(
    handed_in: dict[str, str],
    answers: str,
    said: str,
    tmp_path: Path,
    sampler: Sampler,
    master: Master,
) -> None:
    elsewhere, stub = sampler.untouched(), sampler.untouched()
    elsewhere["cells"].append({**SCRATCH, "source": sampler.solutions["merge"]})
    tried = {**stub, "cells": [*stub["cells"], SCRATCH]}
    made = {"stub": stub, "tried": tried, "elsewhere": elsewhere, "work": sampler.notebook()}
    for name, kind in handed_in.items():
        notebook = {**made[kind], "metadata": {**made[kind]["metadata"], "of": name}}
        (tmp_path / name).write_text(json.dumps(notebook), encoding="utf-8")
    handin = collect(tmp_path, master)
    assert handin.name == answers
    [problem] = handin.problems
    assert problem.startswith(said)
