"""Submissions for tests, and functions that run a cell in the jail and return its outputs.

A master is the instructor's notebook, with solutions and hidden tests.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from autograder.course_adapter import ROOT
from autograder.grading_data import Cell, CellKind, CheckResult, Outcome, Submission, Verdict
from autograder.jail import Session, WarmJail
from autograder.judge import Uses, judge
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
def the_master(lesson: str = LESSON) -> Master:
    """Return the instructor's notebook of a lesson, which is read only once."""
    return read_master(lesson, ROOT / "source")


def master_submission(lesson: str = LESSON, /, **replaced: str) -> Submission:
    """Return the instructor's notebook as a submission; `replaced` is cell → its new source."""
    cells = tuple(
        Cell(cell.id, cell.kind, replaced.get(cell.id, cell.source), cell.points)
        for cell in the_master(lesson).cells
        if cell.cell_type == "code"
    )
    return Submission(lesson, cells)


def student(source: str, name: str = "merge") -> Cell:
    return Cell(name, CellKind.STUDENT, source)


def asks(source: str, name: str = "test", visible: str | None = None) -> Cell:
    """Return a test cell that is worth a point; students see all of it, or the text `visible`."""
    return Cell(name, CellKind.TEST, source, 1.0, visible=visible)


def submission(*cells: Cell) -> Submission:
    return Submission(LESSON, cells)


def submission_of(program: str, *tests: str, given: str = "") -> Submission:
    """Return a submission: a student's cell, and test cells (`test-0`, …), each worth a point."""
    begin = Cell("given", CellKind.GIVEN, f"from course import check\n{given}")
    cells = [asks(test, f"test-{number}") for number, test in enumerate(tests)]
    return submission(begin, student(program), *cells)


def learned(jail: WarmJail, key: Submission) -> Uses:
    """Judge an answer key, which must pass all its tests; return what the judge learns from it."""
    uses = Uses(is_learning=True)
    checks = judge(key, jail, uses).checks
    assert [check.message for check in checks if check.outcome is not Outcome.PASSED] == []
    return Uses.from_json(uses.as_json())


@cache
def uses_of(jail: WarmJail, key: str, tests: tuple[str, ...], given: str = "") -> Uses:
    return learned(jail, asked(key, tests, given))


def asked(program: str, tests: tuple[str, ...], given: str = "") -> Submission:
    """Return a submission in which the name of each test cell is its source."""
    begin = Cell("given", CellKind.GIVEN, given)
    return submission(begin, student(program), *(asks(test, test) for test in tests))


def passed(
    jail: WarmJail, program: str, tests: tuple[str, ...], key: str | None = None, given: str = ""
) -> set[str]:
    """Return those of the tests that a program passes, after the judge has learned from `key`."""
    uses = Uses() if key is None else uses_of(jail, key, tests, given)
    checks = judge(asked(program, tests, given), jail, uses).checks
    return {check.id for check in checks if check.outcome is Outcome.PASSED}


def verdict_on(jail: WarmJail, program: str, test: str, given: str = "") -> CheckResult:
    """Judge a student's cell by one test cell, and return the result of that check."""
    [check] = judge(submission_of(program, test, given=given), jail).checks
    return check


def checks_by(
    jail: WarmJail, program: str, tests: Collection[str], given: str = ""
) -> tuple[CheckResult, ...]:
    """Judge a student's cell by many test cells; return the result of each test."""
    return judge(submission_of(program, *tests, given=given), jail).checks


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


def outputs(jail: WarmJail | Session, source: str, seconds: float = 20) -> list[dict[str, Any]]:
    """Run a cell in the jail for so many seconds at most, and return its outputs."""
    session = jail.session() if isinstance(jail, WarmJail) else jail
    question = {"do": "run", "source": source, "name": "cell"}
    shown: list[dict[str, Any]] = session.ask(question, seconds)["outputs"]
    return shown


def printed(jail: WarmJail | Session, source: str) -> str:
    """Run a cell in the jail, which must raise no error, and return its standard output."""
    shown = outputs(jail, source)
    assert [output for output in shown if output["output_type"] == "error"] == []
    return "".join(output["text"] for output in shown if output.get("name") == "stdout")
