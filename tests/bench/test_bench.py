"""The benchmark: its measurements, its estimates for large classes, and its table."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.bench import measure_program as program_that_measures
from tests.bench.__main__ import HEAD, line
from tests.bench.compare_graders import Row, Took, compare, scaled

LESSON = "1-merge-a-line"

# Computes in a process whose parent has ended, like the first process of a jail.
ORPHAN = """
import os, time
if os.fork() == 0:
    if os.fork() == 0:
        begin = time.process_time()
        while time.process_time() - begin < 0.3: pass
    os._exit(0)
"""


def measure_program(source: str) -> dict[str, Any]:
    """Return the measurement of the Python program with this source."""
    run = [sys.executable, program_that_measures.__file__, sys.executable, "-S", "-c", source]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_outlives_the_process_that_began_it_is_counted() -> None:
    assert 0.3 <= measure_program(ORPHAN)["cpu"] < 1.5
    assert measure_program("print(1); raise SystemExit(3)")["status"] == 3


def test_the_memory_of_the_program_is_counted() -> None:
    assert measure_program("held = b'x' * (60 << 20)")["mib"] > 60


def test_a_larger_class_is_worked_out_from_what_one_more_takes() -> None:
    whole = scaled(Took(5, 6, 100), Took(5 + 4 * 2, 6 + 4 * 3, 120), count=5, size=101)
    assert whole == Took(5 + 100 * 2, 6 + 100 * 3, 120)


@pytest.mark.parametrize(("measured_of", "mark"), [(24, ""), (6, "*")])
def test_the_table_says_what_was_worked_out(measured_of: int, mark: str) -> None:
    row = Row("a program", 24, measured_of, Took(2, 3, 90), 15.5, 9.1, True)
    said = line(row)
    assert said.split("  ")[-1] == "equal"
    assert len(said.rpartition("  ")[0]) == len(HEAD.rpartition("  ")[0])
    assert said.split()[1] == f"{measured_of}{mark}"
    assert said.split()[4:] == ["2.0", "12.0", "15.5", "3.0", "9.1", "90", "equal"]


@pytest.mark.deep
def test_nbgrader_and_this_grader_give_the_same_scores() -> None:
    first, last = compare(LESSON, [2], [0, 1], repeats=1, most=24)
    assert first.has_equal
    assert last.has_equal
    assert (first.program, first.ratio) == ("nbgrader autograde", 1)
    assert min(last.took.seconds, last.took.cpu, last.took.mib, last.ratio) > 0
