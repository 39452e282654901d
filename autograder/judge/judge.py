"""The road of one submission, the same for every one:

1. Released run: the notebook as a student has it, in a process of its own, as nbgrader runs it. It
   gives all that a student reads: what cells show, what checks say, the mistake by its name.
2. Protected run: another process for the cells; each protected test is asked from outside, hidden
   lines and all. It gives points, and nothing else. What a student reads was there before it.
3. Inside run, where tests are not protected: a third process, the notebook as nbgrader runs it.

Two things are told afterwards all the same: the mistake's name, of a check that only its hidden
lines have cost; and whether a function was too late, or ended its process.
"""

import re
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace

from autograder.course import CheckFailed, NoAnswer, cell_of, exercises_of
from autograder.jail import Jail, Lost
from autograder.judge.clock import Clock
from autograder.judge.errors import error_text, line_of, place_of, said_by
from autograder.judge.inside import names_inside, run_inside
from autograder.judge.namespace import Namespace, unseen_places
from autograder.judge.outputs import Output, clean_message
from autograder.judge.process import Process
from autograder.judge.results import (
    MAX_MESSAGE,
    failed,
    passed,
    with_hint,
    without_answer,
)
from autograder.judge.shared import shared_lines
from autograder.judge.silence import silence
from autograder.judge.uses import Uses
from autograder.judge.workplace import Workplace
from autograder.submission import Cell, CheckResult, Kind, Outcome, Submission, Verdict

_LACKING = re.compile(r"^ *(?:this )?(\w+) has no (\w+)(?: yet)?\. .*$", re.MULTILINE)
_CODE = (Kind.GIVEN, Kind.STUDENT, Kind.MANUAL)


def judge(submission: Submission, jail: Jail, uses: Uses | None = None) -> Verdict:
    """The verdict on a submission: a check passed only if its test was seen to end without error.

    `uses` are what the tests use of the answer key's objects. Raises `JailMissing` if the jail can
    not be started again; whatever else goes wrong costs the check it happens in.
    """
    jail.lay(submission.files)
    shared = shared_lines(submission.code)
    released_clock = Clock(jail.limits)
    released = run_inside(submission, jail.beside(), released_clock, _shown)
    shown = released.outputs.of_cells
    told = {name: _explained(one, released.missing, shown) for name, one in released.checks.items()}

    clock = Clock(jail.limits, released_clock)
    with silence(), closing(_Protected(submission, jail, clock, shared, uses)) as protected:
        found = protected.checks()
    checks = {name: _explained(one, protected.missing, shown) for name, one in found.items()}

    inside = {cell.id for cell in submission.code if cell.kind is Kind.TEST and cell.is_inside}
    if inside:
        whole = run_inside(submission, jail, Clock(jail.limits, released_clock), _whole, uses)
        checks |= {name: one for name, one in whole.checks.items() if name in inside}

    lost = {name for name, one in checks.items() if one.message and not told[name].message}
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


def _shown(cell: Cell) -> str:
    """A test as a student has it."""
    return cell.shown


def _whole(cell: Cell) -> str:
    """A test with what is hidden in it, which of a protected one stays outside."""
    return cell.source if cell.is_inside else cell.shown


class _Protected:
    """One process for a submission's cells, and the place where its tests run outside of it."""

    def __init__(
        self,
        submission: Submission,
        jail: Jail,
        clock: Clock,
        shared: Mapping[str, str],
        uses: Uses | None,
    ) -> None:
        self.missing: dict[str, str] = {}  # by the test that has missed a name
        self._cells = submission.code
        self._ids = frozenset(cell.id for cell in self._cells)
        self._workplace = Workplace(submission.given_files)
        self._clock = clock
        self._uses = uses
        self._process = Process(jail, clock, uses)
        self._shared = shared
        answered = exercises_of(submission.lesson) | submission.answered
        with self._workplace.entered(bool(submission.imports)):
            self._namespace = Namespace(set(answered), submission.imports)

    def close(self) -> None:
        """The process is of no use any more."""
        self._process.close()
        self._workplace.close()

    @property
    def broken(self) -> dict[str, str]:
        """The given cells that failed outside, and why."""
        return self._namespace.broken

    def checks(self) -> dict[str, CheckResult]:
        """Runs all cells in order, and asks every protected test whole, hidden lines and all."""
        found = {}
        for cell in self._cells:
            if cell.kind is Kind.MANUAL:
                found[cell.id] = CheckResult(cell.id, 0.0, cell.points, Outcome.MANUAL)
            if cell.kind in _CODE:
                self._run(cell)
            elif cell.kind is Kind.TEST:
                self._share(cell)
                if not cell.is_inside:
                    found[cell.id] = self._check(cell)
        return found

    def _run(self, cell: Cell) -> None:
        if cell.kind is Kind.GIVEN and not cell.is_inside:
            with self._workplace.entered():
                self._namespace.give(cell, self._clock)
        with suppress(Lost):
            self._process.run(cell)

    def _share(self, cell: Cell) -> None:
        """Run the released lines of a test that set names, for the student's functions."""
        if lines := self._shared.get(cell.id):
            with suppress(Lost):
                self._process.share(cell, lines)

    def _check(self, cell: Cell) -> CheckResult:
        """Anything but a clean end of the test cell is 0 points, with its reason."""
        self._process.begin_test(cell.id, cell.source, unseen_places(cell.source))
        try:
            with self._workplace.entered():
                value = self._namespace.run(cell, self._process, self._clock)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return replace(self._result(cell, error), line=line_of(error, cell.id))
        finally:
            self._process.end_test()
        if self._process.lost is not None:
            return without_answer(cell, self._process.lost)
        if self._uses is None or self._uses.objects is None:
            return passed(cell, value)
        is_score = self._uses.may_score(cell.id, value)
        return passed(cell, value if is_score else None, is_score)

    def _result(self, cell: Cell, error: BaseException) -> CheckResult:
        """Return the check of a test cell that has raised an error."""
        if isinstance(error, NoAnswer):
            return without_answer(cell, error)
        if isinstance(error, CheckFailed):
            return failed(cell, Outcome.FAILED, said_by(error))
        if isinstance(error, NameError) and type(error.name) is str:
            self.missing[cell.id] = error.name
        place = place_of(error, self._ids)
        where = f" ({place.cell}, line {place.line})" if place else ""
        is_failure = isinstance(error, AssertionError)
        outcome = Outcome.FAILED if is_failure else Outcome.ERROR
        return failed(cell, outcome, error_text(error)[:MAX_MESSAGE] + where)


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
