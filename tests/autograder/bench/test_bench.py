"""The benchmark: what is measured, what is worked out, and what is said of it."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from autograder.bench.cluster import local_cluster
from autograder.bench.contest import Row, _scaled
from autograder.bench.formgrader import PAGES, formgrader
from autograder.bench.growth import Growth
from autograder.bench.otter import otter_tests
from autograder.bench.plot import draw
from autograder.bench.profile import JAILS, Part, parts_of, profiles
from autograder.bench.programs import programs
from autograder.bench.running import Took
from autograder.bench.table import show_rows
from autograder.course import ROOT
from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder

# Works in a process that nobody waits for, as the first process of a jail does.
ORPHAN = """
import os, time
if os.fork() == 0:
    if os.fork() == 0:
        begin = time.process_time()
        while time.process_time() - begin < 0.3: pass
    os._exit(0)
"""


def measured(*command: str) -> dict[str, Any]:
    run = [sys.executable, "-m", "autograder.bench.measured", sys.executable, "-S", *command]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_outlives_the_process_that_began_it_is_counted() -> None:
    assert 0.3 <= measured("-c", ORPHAN)["cpu"] < 1.5
    assert measured("-c", "print(1); raise SystemExit(3)")["status"] == 3


def test_the_memory_of_the_first_process_alone_is_looked_at_over_time() -> None:
    found = measured("-c", "held = b'x' * (60 << 20); import time; time.sleep(0.7)")
    assert max(mib for _, mib in found["memory"]) > 60


def test_a_larger_class_is_worked_out_from_what_one_more_takes() -> None:
    whole = _scaled(Took(5, 6, 100), Took(5 + 4 * 2, 6 + 4 * 3, 120), count=5, size=101)
    assert whole == Took(5 + 100 * 2, 6 + 100 * 3, 120)


def test_nbgrader_as_it_is_comes_first_and_all_others_are_compared_with_it() -> None:
    first, *others = programs("1-merge-a-line", [1, 2], otter="/there/otter")
    assert first.is_plain
    assert not any(one.is_plain for one in others)
    assert [one.name for one in others[1:]] == [
        "otter run",
        "autograder grade, workers: 1",
        "autograder grade, workers: 2",
        "autograder grade, Dask workers: 2",
    ]


def test_otter_gets_the_test_cells_of_the_master_word_for_word() -> None:
    master = json.loads((ROOT / "source/1-merge-a-line/merge-a-line.ipynb").read_text("utf-8"))
    text = otter_tests(master)
    ast.parse(text)
    assert text.count("@test_case(") == 11
    assert "@test_case(name='merge-once', points=2)" in text


def test_what_processes_note_is_told_by_the_part_of_the_grader() -> None:
    notes = [
        {"role": "first", "rooms": {"loading": [2.0, 1.5], "gradebook": [1.0, 1.0]}},
        {"role": "worker", "rooms": {"judge": [3.0, 2.0], "loading": [1.0, 1.0]}},
        {"role": "worker", "rooms": {"judge": [1.0, 1.0]}},
    ]
    assert parts_of(notes) == [
        Part("the tests", 0, 0, 4, 3),
        Part("loading modules", 2, 1.5, 1, 1),
        Part("the gradebook, autograded/", 1, 1, 0, 0),
    ]


@pytest.mark.deep
def test_the_processes_of_a_run_are_looked_at_while_they_grade() -> None:
    [one] = profiles(ROOT, LESSON, [2], 2)
    assert {"the tests", JAILS} <= {part.name for part in one.parts if part.workers_cpu}
    assert {"loading modules"} <= {part.name for part in one.parts if part.first_cpu}


@pytest.mark.deep
def test_a_cluster_answers_on_loopback_and_tells_what_it_has_used() -> None:
    with local_cluster(1) as cluster:
        assert cluster.address.startswith("tcp://127.0.0.1:")
        assert cluster.cpu() > 0
        assert cluster.start > 0


@pytest.mark.deep
def test_every_page_of_formgrader_is_asked_for(
    course: Path, sampler: Sampler, autograder: Autograder
) -> None:
    student = sampler.student_of("someone", "right", sampler.solutions, "2026-03-01 12:00:00 UTC")
    student.hand_in(course / "submitted" / "someone" / LESSON)
    autograder("grade", LESSON, "--workers", 1)
    with formgrader(course) as server:
        places = server.places(LESSON)
        assert list(places) == list(PAGES)
        assert all(server.get(place) for place in places.values())


@pytest.mark.deep
def test_the_contest_and_the_growth_are_drawn(tmp_path: Path) -> None:
    took = Took(2, 3, 90)
    rows = [Row("a program", 24, 24, took, 1, 1, True)]
    classes = [Growth(size, took, 0.1, 0.1, 90, ((0.5, 80.0), (1.0, 90.0))) for size in (10, 100)]
    draw(tmp_path / "plot.svg", rows, classes)
    assert (tmp_path / "plot.svg").read_text("utf-8").count("A class of 24") == 1


@pytest.mark.parametrize(("measured_of", "mark"), [(24, ""), (6, "*")])
def test_the_table_says_what_was_worked_out(measured_of: int, mark: str) -> None:
    console = Console(width=120, record=True)
    show_rows(console, [Row("a program", 24, measured_of, Took(2, 3, 90), 15.5, 9.1, True)])
    said = console.export_text()
    assert f"{measured_of}{mark} " in said
    assert ("worked out" in said) == bool(mark)
    for shown in ("a program", "12.0", "15.5", "9.1", "90", "equal"):
        assert shown in said
