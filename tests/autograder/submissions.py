"""Submissions for tests, and functions that run a cell in the jail and return its outputs.

A master is the instructor's notebook, with solutions and hidden tests.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from autograder.course_adapter import ROOT
from autograder.grading_data import Cell, CellKind, CheckResult, Submission, Verdict
from autograder.jail import Session, WarmJail
from autograder.judge import judge
from autograder.notebook.find_submitted_notebook import collect, understand
from autograder.notebook.master import Master, read_master

LESSON = "1-merge-a-line"

# `think` uses so many seconds of processor time, which is a longer time on a busy machine.
THINKS = """
from time import process_time
def think(seconds):
    end = process_time() + seconds
    while process_time() < end: pass
"""


@cache
def the_master() -> Master:
    """Return the master of lesson 1, which is read only once."""
    return read_master(LESSON, ROOT / "source")


def master_submission(**replaced: str) -> Submission:
    """Return the master of lesson 1 as a submission, with some cells replaced by other sources."""
    cells = tuple(
        Cell(cell.id, cell.kind, replaced.get(cell.id, cell.source), cell.points)
        for cell in the_master().cells
        if cell.cell_type == "code"
    )
    return Submission(LESSON, cells)


def submission_of(student: str, *tests: str, given: str = "") -> Submission:
    """Return a submission: a student's cell, and test cells (`test-0`, …), each worth a point."""
    cells = [Cell("given", CellKind.GIVEN, f"from course import check\n{given}")]
    cells.append(Cell("merge", CellKind.STUDENT, student))
    cells += [Cell(f"test-{n}", CellKind.TEST, test, 1.0) for n, test in enumerate(tests)]
    return Submission(LESSON, tuple(cells))


def verdict_on(jail: WarmJail, student: str, test: str, given: str = "") -> CheckResult:
    """Judge a student's cell by one test cell, and return the result of that check."""
    [check] = judge(submission_of(student, test, given=given), jail).checks
    return check


def read(path: Path, master: Master) -> Submission:
    """Return the repaired submission in a notebook file, or in a folder that holds one."""
    return understand(collect(path, master), master)


@contextmanager
def limited(jail: WarmJail, **limits: Any) -> Iterator[WarmJail]:
    """Give the submissions of a jail some other limits inside a `with` block."""
    before = jail.limits
    jail.limits = replace(before, **limits)
    try:
        yield jail
    finally:
        jail.limits = before


def score(verdict: Verdict) -> float:
    return sum(check.points for check in verdict.checks)


def outputs(jail: WarmJail | Session, source: str) -> list[dict[str, Any]]:
    """Run a cell in the jail, and return its outputs."""
    if isinstance(jail, WarmJail):
        jail = jail.session()
    question = {"do": "run", "source": source, "name": "cell"}
    shown: list[dict[str, Any]] = jail.ask(question, 20)["outputs"]
    return shown


def printed(jail: WarmJail | Session, source: str) -> str:
    """Run a cell in the jail, which must raise no error, and return its standard output."""
    shown = outputs(jail, source)
    assert [output for output in shown if output["output_type"] == "error"] == []
    return "".join(output["text"] for output in shown if output.get("name") == "stdout")
