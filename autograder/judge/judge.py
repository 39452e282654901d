"""The runs by which each submission is graded. Every run begins with a new process in the jail.

1. Released run: the whole notebook without hidden lines. It gives all that the student reads.
2. Clean run: the cells in the jail, tests without hidden lines outside. It gives their points.
3. Protected run: the cells in the jail, all tests outside. It gives points if runs 2 and 4 do not.
4. Inside run: the whole notebook, as in nbgrader. It gives points of tests that must run inside.
5. Names: all cells but the tests. This run names mistakes that only hidden lines have found.
6. The verdict: for each check, the points of the runs 2 to 4, and the words of the runs 1 and 5.

The master (the instructor's notebook) decides if runs 2 and 4 are made. Run 2 is left out if all
tests hide lines, or if none does. Run 4 is left out if no test must run inside. Run 5 is made only
in lessons of this course, if a test failed by its hidden lines alone.

A test without hidden lines is called open. The clean run has no hidden lines, and ends before any
hidden line is run. So a program cannot use an open test to tell its author what a hidden test asks.
If only hidden lines made a check fail, the student still reads two things: the name of the mistake,
if it is known; and a fixed sentence if an answer did not come in time, if the program's process
ended, or if the last value of the test gave no points or too many.
"""

import re
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import replace

from autograder.course_adapter import cell_of, exercises_of
from autograder.grading_data import Cell, CellKind, CheckResult, Submission, Verdict
from autograder.groups.traces import with_groups
from autograder.jail import WarmJail
from autograder.judge.answer_key_record import Uses
from autograder.judge.check_results import MAX_MESSAGE, RunResult, with_hint
from autograder.judge.clock import Clock
from autograder.judge.namespace import shared_lines
from autograder.judge.tests_inside import names_inside, run_inside
from autograder.judge.tests_outside import ProtectedRun
from autograder.notebook.outputs_from_jail import Output, clean_message

_LACKING = re.compile(r"^ *(?:this )?(\w+) has no (\w+)(?: yet)?\. .*$", re.MULTILINE)
_DIFFERS = "The test passed in a first run, but not in the run that gives the points."


def judge(submission: Submission, jail: WarmJail, uses: Uses | None = None) -> Verdict:
    """Return the verdict on a submission. A check passes only if its test ended without error.

    `uses` are the notes on the answer key, which `answer_key_record.py` explains. Raise
    `JailMissing` if the jail cannot be started again. Any other failure of a test or of the
    student's program costs only the checks that it concerns.
    """
    uses = Uses() if uses is None else uses
    jail.lay(submission.files)
    shared = shared_lines(submission.code)
    clock = Clock(jail.limits)
    told, shown = _released_run(submission, jail, clock)
    tests = [cell for cell in submission.code if cell.kind is CellKind.TEST]
    hiding = {cell.id for cell in tests if cell.source != cell.shown}
    clean = _clean_run(submission, jail, uses, clock, shared)
    rest = submission
    if clean.checks and not uses.is_learning:  # open tests at the end are not run again
        asked = {cell.id for cell in tests if not cell.is_inside} - clean.checks.keys()
        rest = replace(submission, cells=_up_to(submission.cells, asked))
    protected = ProtectedRun(rest, jail, clock, shared, uses).found()
    if uses.is_learning:
        uses.alone |= {name for name, one in clean.checks.items() if one == protected.checks[name]}
    checks: dict[str, CheckResult] = {}
    for run in (protected, clean):
        for name, one in run.checks.items():
            checks[name] = _explained(one, run.missing, shown, submission)

    if inside := {cell.id for cell in tests if cell.is_inside}:
        again = Clock(jail.limits, clock)
        whole = run_inside(
            submission,
            jail,
            again,
            lambda cell: cell.source if cell.is_inside else cell.shown,
            uses,
        )
        checks |= {name: one for name, one in whole.checks.items() if name in inside}

    checks = with_groups(checks, protected.traces | clean.traces, submission)
    for name in checks.keys() - hiding:
        if checks[name].message:
            words = checks[name].told if name in clean.checks or not hiding else ""
            checks[name] = replace(checks[name], told=words or _DIFFERS)
    for name in checks.keys() & hiding:
        checks[name] = replace(checks[name], released=told[name].outcome)
    lost = {name for name in hiding if checks[name].message and not told[name].message}
    if lost and exercises_of(submission.lesson):
        told |= names_inside(submission, jail.beside(), Clock(jail.limits, clock), shared, lost)
    in_order = [cell.id for cell in submission.code if cell.id in checks]
    return Verdict(
        "",
        submission.lesson,
        tuple(with_hint(checks[name], told) for name in in_order),
        outputs=shown,
        broken=protected.broken,
    )


def judge_released(submission: Submission, jail: WarmJail) -> Verdict:
    """Grade a submission by the lines of its tests that the student can see; return the verdict.

    All tests run in the jail, where the program could change their results. So the points only
    inform the student. Raise `JailMissing` if the jail cannot be started again.
    """
    jail.lay(submission.files)
    told, shown = _released_run(submission, jail, Clock(jail.limits))
    checks = tuple(with_hint(told[cell.id], told) for cell in submission.code if cell.id in told)
    return Verdict("", submission.lesson, checks, outputs=shown)


def _released_run(
    submission: Submission, jail: WarmJail, clock: Clock
) -> tuple[dict[str, CheckResult], Mapping[str, list[Output]]]:
    """Run a submission without hidden lines, and return two dictionaries.

    The first is from the ids of tests to their checks, the second from ids of cells to outputs.
    """
    released = run_inside(submission, jail.beside(), clock, lambda cell: cell.shown, Uses())
    shown = released.outputs.of_cells
    told = {}
    for cell in submission.code:
        if cell.id in released.checks:
            check = released.checks[cell.id]
            check = _explained(check, released.missing, shown, submission)
            line = check.line_in(cell.shown)
            if line and check.message.startswith("AssertionError"):  # say which line does not hold
                first, end, others = check.message.partition("\n")
                first += f" (line {check.line}: {line})"
                check = replace(check, message=f"{first}{end}{others}")
            told[cell.id] = check
    return told, shown


def _clean_run(
    submission: Submission, jail: WarmJail, uses: Uses, clock: Clock, shared: Mapping[str, str]
) -> RunResult:
    """Return the results of open tests, from a protected run without any hidden lines.

    Only the open tests in `uses.alone` count; while the answer key is graded, all open tests count.
    If none counts, or if no test has hidden lines, nothing runs, and the result is empty.
    """
    tests = [cell for cell in submission.code if cell.kind is CellKind.TEST and not cell.is_inside]
    asked = {cell.id for cell in tests if cell.source == cell.shown}
    is_clean_already = len(asked) == len(tests)
    if uses.is_learning:
        uses = Uses(is_learning=True)  # these notes are dropped
    else:
        asked &= uses.alone
    if is_clean_already or not asked:
        return RunResult()
    cells = _up_to(tuple(_without_hidden_lines(cell) for cell in submission.cells), asked)
    found = ProtectedRun(replace(submission, cells=cells), jail, clock, shared, uses).found()
    found.checks = {name: one for name, one in found.checks.items() if name in asked}
    return found


def _without_hidden_lines(cell: Cell) -> Cell:
    """Return a copy of a cell in which each hidden line is empty.

    So the other lines keep their numbers, by which the notes in `Uses` name them.
    """
    if cell.source == cell.shown:
        return cell
    shown = deque(cell.shown.splitlines())
    lines = [
        shown.popleft() if shown and shown[0] == line else "" for line in cell.source.splitlines()
    ]
    if lines and not lines[-1]:
        lines[-1] = "pass"  # no other line gives the last value
    source = cell.shown if shown else "\n".join(lines)
    return replace(cell, source=source, visible=None)


def _up_to(cells: tuple[Cell, ...], names: Collection[str]) -> tuple[Cell, ...]:
    return cells[: 1 + max(place for place, cell in enumerate(cells) if cell.id in names)]


def _explained(
    check: CheckResult,
    missing: Mapping[str, str],
    outputs: Mapping[str, list[Output]],
    submission: Submission,
) -> CheckResult:
    """Return a check whose message also says why a missing function or method is missing.

    The reason is the error that stopped the cell which should define it; with this reason, the
    check has no known mistake and no hint. If no error stopped that cell, return the same check.
    """
    lacking = _LACKING.search(check.message)
    name = cell_of(f"{lacking[1]}.{lacking[2]}") if lacking else missing.get(check.id, "")
    told = outputs.get(submission.answer_of(name, check.id) or name, [])
    errors = [one for one in told if one["output_type"] == "error"]
    if not errors:
        return check
    why = clean_message(f"its cell stopped with {errors[-1]['ename']}: {errors[-1]['evalue']}")
    if lacking is None:
        message = f"{check.message}; {why}"
    else:
        before, after = check.message[: lacking.start()], check.message[lacking.end() :]
        message = f"{before}  {lacking[1]} has no {lacking[2]}: {why}{after}"
    message = message[:MAX_MESSAGE]
    return replace(check, message=message, misconception=None, mistake="", hint="")
