"""Tests that run in the jail, in one process with the student's code, as in nbgrader.

The student's code may change the result of a test in the jail. So these runs give points only for
tests that cannot run outside. All other tests run here without hidden lines; their results are only
the messages that the student reads.
"""

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

from autograder.course_adapter import diagnosis_of, exercise_of, exercises_of, is_mistake
from autograder.grading_data import Cell, CellKind, CheckResult, Outcome, Submission
from autograder.jail import Lost, WarmJail
from autograder.judge.answer_key_record import Uses
from autograder.judge.check_results import MAX_MESSAGE, RunResult, failed, outcome_of, scored
from autograder.judge.clock import Clock
from autograder.judge.student_process import Process
from autograder.notebook.outputs_from_jail import Outputs, clean_message

_MISSING = re.compile(r"^NameError: name '(\w+)' is not defined")
_FAILURES = ("AssertionError", "CheckFailed")
_UNSAID = "the program did not say how the test stopped"
_LONGEST = 1000  # characters of a name, of the title of a mistake, of a hint


def run_inside(
    submission: Submission, jail: WarmJail, clock: Clock, text_of: Callable[[Cell], str], uses: Uses
) -> RunResult:
    """Run all cells in order; return their outputs and checks, or raise `JailMissing`.

    `text_of` returns the lines of a test cell that are run. `uses` are the notes on the answer key.
    """
    found = RunResult()
    endless: dict[str, Any] = {}  # function → its mistake, looked for after a test that did not end
    with closing(Process(jail, clock, Uses())) as process:
        for cell in submission.code:
            is_test = cell.kind is CellKind.TEST
            try:
                if not is_test:
                    found.outputs.keep(cell.id, process.run(cell))
                    continue
                about = _about(cell, submission.lesson)
                said = process.test(replace(cell, source=text_of(cell)), about)
                check = _check(cell, said, uses)
                found.checks[cell.id] = check
                if (name := _MISSING.match(check.message)) is not None:
                    found.missing[cell.id] = name[1]
            except Lost as lost:
                if not is_test:
                    found.outputs.keep_lost(cell.id, outcome_of(lost).value, str(lost))
                    continue
                check = _failed(cell, outcome_of(lost), str(lost))
                if lost.is_stopped and about not in endless:
                    endless[about] = _asked(process, about, cell)
                found.checks[cell.id] = _named(check, endless.get(about))
    return found


def names_inside(
    submission: Submission,
    jail: WarmJail,
    clock: Clock,
    shared: Mapping[str, str],
    lost: Collection[str],
) -> dict[str, CheckResult]:
    """Return a dictionary from tests to checks that name the tested function's known mistake.

    Its keys are `lost`, the ids of tests of which only hidden lines failed. The jail runs the
    student's code and, of the tests, only the lines in `shared`. Of the jail's answer, only the ids
    of a mistake and an exercise are used; the texts come from the catalogue of mistakes. So no
    program can tell its author of a hidden test.
    """
    found = {}
    with closing(Process(jail, clock, Uses())) as process:
        for cell in submission.code:
            with suppress(Lost):
                if cell.kind is not CellKind.TEST:
                    process.run(cell)
                elif cell.id in shared:
                    process.share(cell, shared[cell.id])
            if cell.id in lost:
                about = _about(cell, submission.lesson)
                said = _asked(process, about, cell)
                known = diagnosis_of(_text(said, "id"), _text(said, "exercise"), about)
                found[cell.id] = _named(_failed(cell, Outcome.FAILED, ""), known and vars(known))
    return found


def _about(cell: Cell, lesson: str) -> str:
    """Return the function or class of a lesson that a test is about, or ""."""
    exercises = exercises_of(lesson)
    mentioned = re.findall(r"\w+", f"{exercise_of(cell.id).partition('.')[0]} {cell.shown}")
    return next((name for name in mentioned if name in exercises), "")


def _asked(process: Process, name: str, cell: Cell) -> Any:
    with suppress(Lost):
        return process.mistake(name, cell.id) if name else None
    return None


def _check(cell: Cell, said: Any, uses: Uses) -> CheckResult:
    """Return the check of a test cell, with points as in nbgrader.

    `said` is what the jail has answered after it ran the cell.
    """
    error = said.get("raised")
    if type(error) is dict:
        kind, message, place = (_text(error, name) for name in ("kind", "message", "cell"))
        outcome = Outcome.FAILED if kind in _FAILURES else Outcome.ERROR
        if kind != "CheckFailed":
            message = f"{kind}: {message}" if message else kind
            message += f" ({place}, line {_number(error, 'in line')})" if place else ""
        check = replace(_failed(cell, outcome, message), line=_number(error, "line"))
        if not check.message.strip():  # chosen by the program; empty would mean: passed
            check = replace(check, message=_UNSAID)
        return _named(check, error.get("mistake"))
    if error is not None:
        return _failed(cell, Outcome.ERROR, _UNSAID)
    outputs, score = Outputs(), None
    outputs.keep(cell.id, said.get("outputs"))
    results = [one["data"] for one in outputs.of_cells[cell.id] if "execution_count" in one]
    text = results[0].get("text/plain") if results else None
    with suppress(ValueError):
        score = None if text is None else float(text)
    check = scored(cell, score if uses.may_score(cell.id, score) else None)
    return replace(check, is_protected=False, tells=True, told="")


def _failed(cell: Cell, outcome: Outcome, message: str) -> CheckResult:
    return replace(failed(cell, outcome, message), is_protected=False)


def _named(check: CheckResult, said: Any) -> CheckResult:
    if type(said) is not dict or not is_mistake(name := _text(said, "id")):
        return check
    title, hint = (clean_message(_text(said, part)) for part in ("title", "nudge"))
    return replace(check, misconception=name, mistake=title, hint=hint)


def _text(said: Any, name: str) -> str:
    """Return the text `said[name]` from the jail, cut if it is too long; "" if it is no text."""
    text = said.get(name) if type(said) is dict else None
    return text[: MAX_MESSAGE if name == "message" else _LONGEST] if type(text) is str else ""


def _number(said: Any, name: str) -> int:
    number = said.get(name) if type(said) is dict else None
    return number if type(number) is int and 0 < number < 10**6 else 0
