"""Judges one submission in up to five runs, each with a process of its own in the jail.

README.md has a table of the first four. The fifth gives the names of known mistakes, if hidden
lines alone made tests of a lesson of this course fail; all cells but the tests run in it.

If only hidden lines made a check fail, the student still reads two things: the name of the mistake,
if it is known; and a fixed sentence if an answer did not come in time, if the program's process
ended, or if the last value of the test gave no points or too many.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from autograder.course_adapter import cell_of, exercises_of
from autograder.grading_data import CellKind, CheckResult, Outcome, Submission, Verdict
from autograder.jail import WarmJail
from autograder.judge.answer_key_uses import Uses
from autograder.judge.check_results import MAX_MESSAGE, with_hint
from autograder.judge.clock import Clock
from autograder.judge.setup_lines import shared_lines
from autograder.judge.tests_inside import names_inside, run_inside
from autograder.judge.tests_outside import ProtectedRun
from autograder.notebook.clean_outputs import Output, clean_message

_LACKING = re.compile(r"^ *(?:this )?(\w+) has no (\w+)(?: yet)?\. .*$", re.MULTILINE)


def judge(submission: Submission, jail: WarmJail, uses: Uses | None = None) -> Verdict:
    """Return the verdict on a submission. A check passes only if its test ended without error.

    `uses` are the notes on the answer key, which `answer_key_uses.py` explains. Raises
    `JailMissing` if the jail cannot be started again. Any other failure of a test or of the
    student's program costs only the checks that it concerns.
    """
    uses = Uses() if uses is None else uses
    jail.lay(submission.files)
    shared = shared_lines(submission.code)
    released_clock = Clock(jail.limits)
    released = run_inside(
        submission, jail.beside(), released_clock, lambda cell: cell.shown, Uses()
    )
    shown = released.outputs.of_cells
    told = {}
    for cell in submission.code:
        if cell.id in released.checks:
            check = _explained(released.checks[cell.id], released.missing, shown)
            line = check.line_in(cell.shown)
            if line and check.message.startswith("AssertionError"):  # which one does not hold
                first, *others = check.message.split("\n", 1)
                check = replace(check, message="\n".join([f"{first} ({line})", *others]))
            told[cell.id] = check

    protected = ProtectedRun(submission, jail, released_clock, shared, uses).found()
    checks = {
        name: _explained(one, protected.missing, shown) for name, one in protected.checks.items()
    }

    checks |= _clean(submission, jail, uses, released_clock, released.checks, checks)
    inside = {cell.id for cell in submission.code if cell.kind is CellKind.TEST and cell.is_inside}
    if inside:
        clock = Clock(jail.limits, released_clock)
        whole = run_inside(
            submission,
            jail,
            clock,
            lambda cell: cell.source if cell.is_inside else cell.shown,
            uses,
        )
        checks |= {name: one for name, one in whole.checks.items() if name in inside}

    lost = {name for name, one in checks.items() if one.message and not told[name].message}
    if lost and exercises_of(submission.lesson):
        told |= names_inside(
            submission, jail.beside(), Clock(jail.limits, released_clock), shared, lost
        )
    in_order = [cell.id for cell in submission.code if cell.id in checks]
    return Verdict(
        "",
        submission.lesson,
        tuple(with_hint(checks[name], told) for name in in_order),
        outputs=shown,
        broken=protected.broken,
    )


def _clean(
    submission: Submission,
    jail: WarmJail,
    uses: Uses,
    clock: Clock,
    released: Mapping[str, CheckResult],
    protected: Mapping[str, CheckResult],
) -> dict[str, CheckResult]:
    """Return the checks of a clean run that count in place of those of the protected run.

    Honest programs need none: a test that has no hidden lines, and needs no hidden lines of other
    tests, gives the same points in the released run and in the protected run.
    """
    tests = [cell for cell in submission.code if cell.kind is CellKind.TEST and not cell.is_inside]
    open_ = {cell.id for cell in tests if cell.source == cell.shown}
    if uses.is_learning:
        uses.alone |= {name for name in open_ if released[name].outcome is Outcome.PASSED}
    if uses.is_learning or len(open_) == len(tests):
        return {}
    asked = open_ & uses.alone
    odd = {name for name in asked if released[name].points != protected[name].points}
    if not odd:
        return {}
    cells = tuple(replace(cell, source=cell.shown, visible=None) for cell in submission.cells)
    bare = replace(submission, cells=cells)
    found = ProtectedRun(bare, jail, clock, shared_lines(bare.code), uses).found().checks
    return {name: found[name] for name in odd}


def _explained(
    check: CheckResult, missing: Mapping[str, str], outputs: Mapping[str, list[Output]]
) -> CheckResult:
    """Return a check whose message also says why a missing function or method is missing.

    The reason is the error that stopped the cell in which this name should be defined. If there was
    no such error, the check is returned as it is.
    """
    lacking = _LACKING.search(check.message)
    cell = cell_of(f"{lacking[1]}.{lacking[2]}") if lacking else missing.get(check.id, "")
    errors = [one for one in outputs.get(cell, []) if one["output_type"] == "error"]
    if not errors:
        return check
    why = clean_message(f"its cell stopped with {errors[-1]['ename']}: {errors[-1]['evalue']}")
    if lacking is None:
        message = f"{check.message}; {why}"
    else:
        before, after = check.message[: lacking.start()], check.message[lacking.end() :]
        message = f"{before}  {lacking[1]} has no {lacking[2]}: {why}{after}"
    return replace(check, message=message[:MAX_MESSAGE])
