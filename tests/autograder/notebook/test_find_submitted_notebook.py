"""The choice of the file to grade in a submitted folder, and how much of the others is read."""

import json
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


@pytest.mark.parametrize("place", ["homework.zip", "my/homework.ZIP", "homework.tar.gz"])
def test_a_packed_notebook_is_asked_to_be_unpacked(
    place: str, tmp_path: Path, master: Master
) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    with ZipFile(tmp_path / place, "w") as archive:
        archive.writestr("merge-a-line.ipynb", "{}")
    [problem] = read(tmp_path, master).problems
    assert problem == (
        f"there is no merge-a-line.ipynb; unpack {place}, or hand in merge-a-line.ipynb itself"
    )


@pytest.mark.parametrize(
    ("others", "todo"),
    [([], "a.zip is damaged, and cannot be unpacked;"), (["b.zip"], "unpack b.zip, or")],
)
def test_nobody_is_asked_to_unpack_a_damaged_archive(
    others: list[str], todo: str, tmp_path: Path, master: Master
) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and no more")
    for name in others:
        with ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("merge-a-line.ipynb", "{}")
    [problem] = read(tmp_path, master).problems
    assert problem == f"there is no merge-a-line.ipynb; {todo} hand in merge-a-line.ipynb itself"


def test_where_there_is_no_notebook_it_is_said_what_to_hand_in(
    tmp_path: Path, master: Master
) -> None:
    (tmp_path / "timestamp.txt").write_text("2026-03-01 12:00:00 UTC")
    (tmp_path / "solution.py").write_text("def merge(line): ...")
    [problem] = read(tmp_path, master).problems
    what = "hand in merge-a-line.ipynb itself"
    assert problem == f"there is no merge-a-line.ipynb, only solution.py; {what}"


NAME, SAVED_AGAIN = "merge-a-line.ipynb", "merge-a-line (1).ipynb"
SCRATCH = {"cell_type": "code", "source": "2 + 2", "metadata": {}, "outputs": []}


@pytest.mark.parametrize(
    ("handed_in", "answers", "said"),
    [
        ({NAME: "stub", SAVED_AGAIN: "work"}, SAVED_AGAIN, f"{NAME} was as it was given out; "),
        ({NAME: "tried", SAVED_AGAIN: "work"}, SAVED_AGAIN, f"{NAME} was as it was given out; "),
        ({NAME: "work", SAVED_AGAIN: "stub"}, NAME, f"{SAVED_AGAIN} also holds this lesson; "),
        ({NAME: "work", SAVED_AGAIN: "work"}, NAME, f"{SAVED_AGAIN} also holds this lesson, and"),
        ({NAME: "elsewhere", SAVED_AGAIN: "work"}, NAME, f"{SAVED_AGAIN} also holds this lesson"),
        ({"a.ipynb": "stub", SAVED_AGAIN: "work"}, SAVED_AGAIN, f"{NAME} was missing; "),
        (
            {"a.ipynb": "work", "b.ipynb": "work", "c.ipynb": "stub"},
            "a.ipynb",
            f"{NAME} was missing; a.ipynb was used, and not b.ipynb, which was worked on, too",
        ),
    ],
    ids=[
        "a stub beside the work",
        "a stub in which something was tried",
        "the work beside a stub",
        "both were worked on",
        "an answer in a cell of the student's own",
        "a stub and the work, neither with the right name",
        "two of other names were worked on",
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
