"""A method has a cell of its own, and its cell is known when it has lost its name."""

import json
from pathlib import Path

from autograder.course import ROOT
from autograder.notebook.master import read_master
from autograder.sample import Sampler
from tests.autograder.submissions import read


def test_a_method_that_lost_its_name_is_recognised_by_what_it_defines(tmp_path: Path) -> None:
    lesson = "6-the-whole-game"
    sampler = Sampler(ROOT, lesson)
    notebook = sampler.notebook()
    for cell in notebook["cells"]:
        if cell["id"] == "Game-str":
            cell["id"] = "another"
            cell["metadata"] = {}
    path = tmp_path / sampler.lesson.notebook
    path.write_text(json.dumps(notebook), encoding="utf-8")
    submission = read(tmp_path, read_master(lesson, ROOT / "source"))
    assert submission.problems == (
        "solution cell Game-str had lost its name and id; it was recognised by what it defines",
    )
    [found] = [cell for cell in submission.cells if cell.id == "Game-str"]
    assert "def __str__" in found.source
