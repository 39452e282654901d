"""The benchmark: what is measured, what is worked out, and what is said of it."""

import json
import subprocess
import sys

import pytest
from rich.console import Console

from autograder.bench.contest import Row, Took, _scaled, programs
from autograder.bench.table import show_rows

# Works in a process that nobody waits for, as the first process of a jail does.
ORPHAN = """
import os, time
if os.fork() == 0:
    if os.fork() == 0:
        begin = time.process_time()
        while time.process_time() - begin < 0.3: pass
    os._exit(0)
"""


def measured(*command: str) -> dict[str, float]:
    run = [sys.executable, "-m", "autograder.bench.measured", sys.executable, "-S", *command]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def test_what_outlives_the_process_that_began_it_is_counted() -> None:
    assert 0.3 <= measured("-c", ORPHAN)["cpu"] < 1.5
    assert measured("-c", "print(1); raise SystemExit(3)")["status"] == 3


def test_a_larger_class_is_worked_out_from_what_one_more_takes() -> None:
    whole = _scaled(Took(5, 6, 100), Took(5 + 4 * 2, 6 + 4 * 3, 120), count=5, size=101)
    assert whole == Took(5 + 100 * 2, 6 + 100 * 3, 120)


def test_nbgrader_as_it_is_comes_first_and_all_others_are_compared_with_it() -> None:
    first, *others = programs("1-merge-a-line", [1, 2])
    assert first.is_plain
    assert not any(one.is_plain for one in others)
    assert [one.command[-1] for one in others[1:]] == ["1", "2"]


@pytest.mark.parametrize(("measured_of", "mark"), [(24, ""), (6, "*")])
def test_the_table_says_what_was_worked_out(measured_of: int, mark: str) -> None:
    console = Console(width=120, record=True)
    show_rows(console, [Row("a program", 24, measured_of, Took(2, 3, 90), 15.5, 9.1, True)])
    said = console.export_text()
    assert f"{measured_of}{mark} " in said
    assert ("worked out" in said) == bool(mark)
    for shown in ("a program", "12.0", "15.5", "9.1", "90", "equal"):
        assert shown in said
