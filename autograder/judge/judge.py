"""The road of one submission, the same for every one:

1. Released run: the notebook as a student has it, in a process of its own, as nbgrader runs it. It
   gives all that a student reads: what cells show, what checks say, the mistake by its name.
2. Protected run: another process for the cells; each protected test is asked from outside, in a
   restricted fork of the grader, hidden lines and all. It gives points, and nothing else. What a
   student reads was there before it.
3. Inside run, where tests are not protected: a third process, the notebook as nbgrader runs it.

Two things are told afterwards all the same: the mistake's name, of a check that only its hidden
lines have cost; and whether a function was too late, or ended its process.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from autograder.course import cell_of, exercises_of
from autograder.jail import WarmJail
from autograder.judge.check_results import MAX_MESSAGE, with_hint
from autograder.judge.clock import Clock
from autograder.judge.object_places import Uses
from autograder.judge.outputs import Output, clean_message
from autograder.judge.protected import ProtectedRun
from autograder.judge.shared_names import shared_lines
from autograder.judge.tests_inside import names_inside, run_inside
from autograder.submission import Cell, CellKind, CheckResult, Submission, Verdict

_LACKING = re.compile(r"^ *(?:this )?(\w+) has no (\w+)(?: yet)?\. .*$", re.MULTILINE)


def judge(submission: Submission, jail: WarmJail, uses: Uses | None = None) -> Verdict:
    """The verdict on a submission: a check passed only if its test was seen to end without error.

    `uses` are what the tests use of the answer key's objects. Raises `JailMissing` if the jail can
    not be started again; whatever else goes wrong costs the check it happens in.
    """
    uses = Uses() if uses is None else uses
    jail.lay(submission.files)
    shared = shared_lines(submission.code)
    released_clock = Clock(jail.limits)
    released = run_inside(submission, jail.beside(), released_clock, _shown, Uses())
    shown = released.outputs.of_cells
    told = {name: _explained(one, released.missing, shown) for name, one in released.checks.items()}

    protected = ProtectedRun(submission, jail, released_clock, shared, uses).found()
    checks = {
        name: _explained(one, protected.missing, shown) for name, one in protected.checks.items()
    }

    inside = {cell.id for cell in submission.code if cell.kind is CellKind.TEST and cell.is_inside}
    if inside:
        whole = run_inside(submission, jail, Clock(jail.limits, released_clock), _whole, uses)
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


def _shown(cell: Cell) -> str:
    """A test as a student has it."""
    return cell.shown


def _whole(cell: Cell) -> str:
    """A test with what is hidden in it, which of a protected one stays outside."""
    return cell.source if cell.is_inside else cell.shown


def _explained(
    check: CheckResult, missing: Mapping[str, str], outputs: Mapping[str, list[Output]]
) -> CheckResult:
    """With what went wrong in the cell that should have defined a missing name, or method."""
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
