"""Submitted agents: the cells of a file that are run, and the names that agents get."""

import json
from pathlib import Path

import pytest

from autograder.jail.inside.cells_for_agent import needed_cells
from autograder.notebook.submitted_files import Unreadable
from autograder.tournament.entry import read_entries, read_entry

AGENT = "class Agent:\n    pass\n"


def notebook(path: Path, *cells: str) -> Path:
    kept = [{"cell_type": "code", "source": cell, "metadata": {}} for cell in cells]
    path.write_text(json.dumps({"cells": kept, "metadata": {}, "nbformat": 4}))
    return path


def sources(path: Path) -> list[str]:
    found = [text for _, text in read_entry(path, "one").sources]
    return [text for _, text in needed_cells(found)] if path.suffix == ".ipynb" else found


def test_of_a_notebook_the_cell_of_the_agent_is_run_with_what_it_needs(tmp_path: Path) -> None:
    cells = [
        "import math\nprint('a cell to try it')",
        "WEIGHT = 2",
        "def best(board):\n    return worth(board)",
        "def worth(board):\n    return WEIGHT * math.pi",
        "raise ValueError('no agent needs this')",
        "%matplotlib inline",
        "class Agent:\n    def place(self, view):\n        return best(view)",
        "class Agent(Agent):\n    def push(self, view):\n        return best(view)",
        "play(Agent())",
    ]
    found = sources(notebook(tmp_path / "a.ipynb", *cells))
    assert found == ["import math", cells[1], cells[2], cells[3], cells[6], cells[7]]


def test_a_cell_is_not_needed_for_what_only_a_method_calls_the_same(tmp_path: Path) -> None:
    cells = [
        "view = {}\nboard = [[0]]\nfor square in range(3):\n    print(square)",
        "SIDES = ('left', 'right')",
        "class Agent:\n    def push(self, view):\n        board = view['board']\n"
        "        return [square for square in SIDES if board][0]",
    ]
    assert sources(notebook(tmp_path / "a.ipynb", *cells)) == cells[1:]


def test_a_class_that_grows_cell_by_cell_is_whole(tmp_path: Path) -> None:
    cells = [
        "from course import add_to",
        "class Agent:\n    def place(self, view):\n        return view['legal'][0]",
        "try_it = 1",
        "LAST = -1",
        "def push(board, player, direction):\n    return board",
        "@add_to(Agent)\ndef push(self, view):\n    return push and view['legal'][LAST]",
        "def place(self, view):\n    return view['legal'][1]",
        "Agent.place = place",
    ]
    found = sources(notebook(tmp_path / "a.ipynb", *cells))
    assert found == [cell for cell in cells if cell != "try_it = 1"]


def test_what_cells_change_of_a_name_is_changed(tmp_path: Path) -> None:
    cells = [
        "weights = [1]",
        "weights.append(2)",
        "for row in range(4):\n    weights[0] = row",
        "weights = weights + [3]",
        "weights += [4]",
        "total = 0\ntotal += 1",
        "print(weights)\nprint(weights.copy())",
        "class Agent:\n    def place(self, view):\n        return weights, total",
        "view = {}\nAgent().place(view)\nAgent.place",
    ]
    found = sources(notebook(tmp_path / "a.ipynb", *cells))
    assert found == cells[:6] + cells[7:8]


def test_of_cells_that_define_a_name_again_the_last_one_counts(tmp_path: Path) -> None:
    cells = ["def f():\n    return 1", "def f():\n    return 2", AGENT + "    f = f()"]
    assert sources(notebook(tmp_path / "a.ipynb", *cells)) == cells[1:]


def test_a_cell_of_an_agent_that_does_not_parse_is_run_all_the_same(tmp_path: Path) -> None:
    broken = "class Agent:\n    def place(self, view:"
    assert sources(notebook(tmp_path / "a.ipynb", "x = 1", broken)) == [broken]


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
    assert sources(tmp_path / "a.py") == [text.decode("latin-1")]


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
