"""Submissions to judge, and a look at what a cell in the jail prints."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from autograder.jail import Jail, Session
from autograder.judge import judge
from autograder.notebook.collect import collect, understand
from autograder.notebook.master import Master, read_master
from autograder.records.release import ROOT
from autograder.submission import Cell, CheckResult, Kind, Submission, Verdict

LESSON = "1-merge-a-line"

# Takes so many seconds of the processor, however long that is on a busy machine.
THINKS = """
from time import process_time
def think(seconds):
    end = process_time() + seconds
    while process_time() < end: pass
"""


@cache
def the_master() -> Master:
    """The master of lesson 1, read once."""
    return read_master(LESSON, ROOT / "source")


def master_submission(**replaced: str) -> Submission:
    """The master of lesson 1, some of its cells replaced by other sources."""
    cells = tuple(
        Cell(cell.id, cell.kind, replaced.get(cell.id, cell.source), cell.points)
        for cell in the_master().cells
        if cell.cell_type == "code"
    )
    return Submission(LESSON, cells)


def submission_of(student: str, *tests: str, given: str = "") -> Submission:
    """A student's cell and test cells (`test-0`, `test-1`, …), each worth a point."""
    cells = [Cell("given", Kind.GIVEN, f"from course import check\n{given}")]
    cells.append(Cell("merge", Kind.STUDENT, student))
    cells += [Cell(f"test-{n}", Kind.TEST, test, 1.0) for n, test in enumerate(tests)]
    return Submission(LESSON, tuple(cells))


def verdict_on(jail: Jail, student: str, test: str, given: str = "") -> CheckResult:
    """What becomes of one test cell after one student's cell."""
    [check] = judge(submission_of(student, test, given=given), jail).checks
    return check


def read(path: Path, master: Master) -> Submission:
    """The submission in a notebook file, or in a folder that holds one, repaired."""
    return understand(collect(path, master), master)


@contextmanager
def limited(jail: Jail, **limits: Any) -> Iterator[Jail]:
    """The same jail, whose submissions meanwhile have some other limits."""
    before = jail.limits
    jail.limits = replace(before, **limits)
    try:
        yield jail
    finally:
        jail.limits = before


def score(verdict: Verdict) -> float:
    return sum(check.points for check in verdict.checks)


def outputs(jail: Jail | Session, source: str) -> list[dict[str, Any]]:
    """What a cell shows in the jail."""
    if isinstance(jail, Jail):
        jail = jail.session()
    question = {"do": "run", "source": source, "name": "cell"}
    shown: list[dict[str, Any]] = jail.ask(question, 20)["outputs"]
    return shown


def printed(jail: Jail | Session, source: str) -> str:
    """What a cell writes to its standard output in the jail."""
    shown = outputs(jail, source)
    assert [output for output in shown if output["output_type"] == "error"] == []
    return "".join(output["text"] for output in shown if output.get("name") == "stdout")
