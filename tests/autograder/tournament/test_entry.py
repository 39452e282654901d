"""Submitted agents: which files and notebooks have one, and the names that agents get."""

import json
from pathlib import Path

import pytest

from autograder.notebook.submitted_files import Unreadable
from autograder.tournament.entry import read_entries, read_entry

AGENT = "class Agent:\n    pass\n"


def notebook(path: Path, *cells: str) -> Path:
    kept = [{"cell_type": "code", "source": cell, "metadata": {}} for cell in cells]
    path.write_text(json.dumps({"cells": kept, "metadata": {}, "nbformat": 4}))
    return path


def test_of_a_notebook_every_code_cell_is_kept_with_words_to_find_it_by(tmp_path: Path) -> None:
    entry = read_entry(notebook(tmp_path / "a.ipynb", "x = 1", AGENT), "one")
    assert entry.is_notebook
    assert entry.sources == (('the cell "x = 1"', "x = 1"), ("the cell of Agent", AGENT))


@pytest.mark.parametrize(
    "text",
    [
        b"from course.playing import GreedyAgent as Agent\n",
        b"class Mine:\n    pass\nAgent = Mine\n",
        b"# -*- coding: latin-1 -*-\nclass Agent:\n    name = 'caf\xe9'\n",
        b"class Agent:\n    def place(self, view:\n",
    ],
)
def test_a_file_that_gives_the_name_is_an_agent(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "a.py").write_bytes(text)
    assert read_entry(tmp_path / "a.py", "one").sources == (("a.py", text.decode("latin-1")),)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        pytest.param(
            "a.py", "x = 'class Agent'", "neither a class Agent nor a class Player", id="no class"
        ),
        pytest.param("a.ipynb", '{"cells": []}', "no cell of it defines a class Agent", id="cells"),
        pytest.param("a.ipynb", "no JSON", "it is not JSON", id="no notebook"),
    ],
)
def test_a_file_without_an_agent_is_left_out(
    tmp_path: Path, name: str, text: str, why: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(Unreadable, match=why):
        read_entry(tmp_path / name, "one")
    entries, left_out = read_entries([tmp_path])
    assert entries == []
    assert [(Path(path).name, why in reason) for path, reason in left_out] == [(name, True)]


def test_a_place_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file or folder"):
        read_entries([tmp_path / "nowhere"])


def test_agents_are_named_after_their_files_and_folders_where_that_is_needed(
    tmp_path: Path,
) -> None:
    for path in ("ada/9-duel/duel.py", "bob/9-duel/duel.py", "bob/9-duel/greedy.py", ".x/h.py"):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(AGENT)
    notebook(tmp_path / "bob" / "9-duel" / "greedy.ipynb", AGENT)
    entries, _ = read_entries([tmp_path, tmp_path / "bob"])
    assert [entry.name for entry in entries] == [
        "ada/9-duel/duel",
        "bob/9-duel/duel",
        "greedy.ipynb",
        "greedy.py",
    ]
