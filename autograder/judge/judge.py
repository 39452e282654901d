"""Judging one submission, cell by cell, each where its kind belongs."""

import ast
import re
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from autograder.course import (
    CheckFailed,
    NoAnswer,
    cell_of,
    diagnose,
    exercise_of,
    exercises_of,
    in_check,
)
from autograder.jail import Jail, Lost
from autograder.judge.blind import is_blind
from autograder.judge.clock import Clock
from autograder.judge.errors import error_text, line_of, place_of, said_by
from autograder.judge.forgetful import is_forgetful, is_the_courses
from autograder.judge.inside import judge_inside
from autograder.judge.known import Ending, Known, known_of
from autograder.judge.namespace import Namespace
from autograder.judge.outputs import Outputs, clean_message
from autograder.judge.process import Process
from autograder.judge.results import (
    MAX_MESSAGE,
    failed,
    named,
    outcome_of,
    passed,
    with_hint,
)
from autograder.judge.shared import Shared
from autograder.judge.silence import silence
from autograder.judge.silent import is_silent
from autograder.judge.talk import Astray, Outlived
from autograder.judge.uses import Uses
from autograder.judge.workplace import Workplace
from autograder.submission import Cell, CheckResult, Kind, Outcome, Submission, Verdict

_LACKING = re.compile(r"^ *(?:this )?(\w+) has no (\w+)(?: yet)?\. .*$", re.MULTILINE)
_TELLING = re.compile("0x|'error'")  # an address, or that memory is held, may tell what came before
_NEVER_BACK = (Outcome.TIMEOUT, Outcome.CRASHED)
_TOGETHER = 40  # questions
_CODE = (Kind.GIVEN, Kind.STUDENT, Kind.MANUAL)


def judge(submission: Submission, jail: Jail, uses: Uses | None = None) -> Verdict:
    """The verdict on a submission: a check passed only if its test was seen to end without error.

    Given cells run on both sides, the student's in the jail, test cells here, but for those of
    which the plan says that they can not. `uses` are what the tests use of the answer key's
    objects. Raises `JailMissing` if the jail can not be started again; whatever else goes wrong
    costs the check it happens in.
    """
    jail.lay(submission.files, needs_more=_needs_more(submission.code))
    judging = _Judging(submission, jail, uses)
    try:
        with silence():
            verdict = judging.verdict()
    finally:
        judging.close()
    never_back = {check.id for check in verdict.checks if check.outcome in _NEVER_BACK}
    inside = judge_inside(submission.code, jail, judging.lost | never_back, judging.clock)
    checks = {check.id: check for check in verdict.checks} | inside
    ordered = tuple(checks[cell.id] for cell in submission.code if cell.id in checks)
    return replace(verdict, checks=ordered)


def _needs_more(cells: Sequence[Cell]) -> bool:
    """Whether anything that is to run in the jail may need more than Python alone, or a file."""
    shared = Shared(cells)
    tests = [cell for cell in cells if cell.kind is Kind.TEST]
    lines = [replace(one, kind=Kind.GIVEN, source=shared.lines_of(one)) for one in tests]
    return any(one.is_inside for one in tests) or not is_blind([*cells, *lines])


class _Judging:
    def __init__(self, submission: Submission, jail: Jail, uses: Uses | None) -> None:
        self._uses = uses
        self._lesson = submission.lesson
        self._cells = submission.code
        self._ids = frozenset(cell.id for cell in self._cells)
        self._jail = jail
        self.clock = Clock(jail.limits)
        self._answered = exercises_of(self._lesson) | submission.answered
        self._process = Process(jail, self.clock, gives_no_hints=True, uses=uses)
        self._imports = submission.imports
        self._workplace = Workplace(submission.given_files)
        self._namespace = self._new_namespace()
        self._shared = Shared(submission.code)
        self._outputs = Outputs()
        self._checks: list[CheckResult] = []
        self._missing: dict[str, str] = {}
        self._known = known_of(submission, uses)
        # whatever else is asked of a program that can keep nothing makes no difference
        self._together = _TOGETHER if is_forgetful(self._cells) else 1
        self.lost: set[str] = set()
        self._stopped: set[str] = set()

    def verdict(self) -> Verdict:
        """Runs all cells in order, and in processes of their own for what the student may read.

        These come first where a program could notice what another process has done before it.
        """
        if is_blind(self._cells):
            self._ask()
            self._show_without_tests()
            told = self._told({check.id: check for check in self._checks if check.message})
        else:
            told = self._told_first()
            self._ask()
        checks = tuple(with_hint(self._explained(check), told) for check in self._checks)
        broken = self._namespace.broken
        return Verdict("", self._lesson, checks, outputs=self._outputs.of_cells, broken=broken)

    def close(self) -> None:
        """Ends what still runs."""
        self._process.close()
        self._workplace.close()

    def _begin(self, gives_no_hints: bool = False) -> None:
        """Nothing has run yet: from now on another process is asked."""
        self._process.close()
        self._process = Process(self._jail, self.clock, gives_no_hints, self._uses)
        self._namespace = self._new_namespace()

    def _new_namespace(self) -> Namespace:
        with self._workplace.entered(bool(self._imports)):
            return Namespace(set(self._answered), self._imports)

    def _ask(self) -> None:
        """Every check is asked whole, hidden lines and all."""
        for cell in self._cells:
            if cell.kind is Kind.MANUAL:
                self._checks.append(CheckResult(cell.id, 0.0, cell.points, Outcome.MANUAL))
            if cell.kind is not Kind.TEST:
                self._run(cell)
            else:
                self._share(cell)
                if not cell.is_inside:
                    self._checks.append(self._check_or_repeat(cell))

    def _run(self, cell: Cell) -> None:
        if cell.id in self._outputs.of_cells:
            self._run_unseen(cell)
            return
        self._give(cell)
        self._show(cell)

    def _give(self, cell: Cell) -> None:
        if cell.kind is Kind.GIVEN and not cell.is_inside:
            with self._workplace.entered(not is_the_courses(cell.source)):
                self._namespace.give(cell, self.clock)

    def _show(self, cell: Cell) -> None:
        try:
            self._outputs.keep(cell.id, self._process.run(cell))
        except Lost as lost:
            (self._stopped if lost.is_stopped else self.lost).add(cell.id)
            self._outputs.keep_lost(cell.id, outcome_of(lost).value, str(lost))

    def _show_without_tests(self) -> None:
        """Takes what cells after a test show from a process in which no test has run.

        What a test asks would else come back to the student, printed by a later cell, or told by
        whether it comes to its end.
        """
        kinds = [cell.kind for cell in self._cells]
        first = kinds.index(Kind.TEST) if Kind.TEST in kinds else len(kinds)
        before = {cell.id for cell in self._cells[:first]}
        shown = self._outputs.of_cells
        cells = [cell for cell in self._cells[first:] if cell.kind in _CODE]
        said = str([shown[cell.id] for cell in cells if shown.get(cell.id)])
        if is_forgetful(self._cells) and not _TELLING.search(said):
            return
        # a cell that shows nothing after a test may show something without
        if not any(shown.get(cell.id) or not is_silent(cell) for cell in cells):
            return
        self.lost &= before
        clock = Clock(
            self._jail.limits, before=self.clock, knows={f"the cell {one}" for one in before}
        )
        self._process.close()
        self._process, self._outputs = Process(self._jail, clock, uses=self._uses), Outputs()
        for cell in self._cells:
            if cell.kind is Kind.TEST:
                self._share(cell)
            if cell.kind in _CODE and cell.id not in self.lost:
                self._show(cell)
        again = self._outputs.of_cells
        again.update({cell: shown[cell] for cell in shown if cell in before or cell not in again})

    def _told_first(self) -> dict[str, CheckResult]:
        """All that a student may read, made before any hidden test has run.

        What has not been asked yet can not be told: not by a file, a process id, or a clock.
        """
        for cell in self._cells:
            if cell.kind is Kind.TEST:
                self._share(cell)
            if cell.kind in _CODE:
                self._show(cell)
        tests = [cell for cell in self._cells if cell.kind is Kind.TEST and not cell.is_inside]
        told = self._told({cell.id: failed(cell, Outcome.FAILED, "") for cell in tests})
        self.clock = Clock(self._jail.limits, before=self.clock)
        self._begin(gives_no_hints=True)
        return told

    def _told(self, lost: dict[str, CheckResult]) -> dict[str, CheckResult]:
        """The lost checks as the student may read them: what they say, and the mistake by name.

        Both come from a process in which nothing has run but what the notebook says that students
        have. What a hidden test asks would else come back in the message of any check, from a
        function that keeps what it is asked, or in the choice of the mistake that it shows.
        """
        if not lost:
            return {}
        self._begin()
        places = [place for place, cell in enumerate(self._cells) if cell.id in lost]
        told = {}
        for cell in self._cells[: places[-1] + 1]:
            if cell.kind is Kind.TEST:
                self._share(cell)
            if cell.kind is Kind.TEST and not cell.is_inside:
                told[cell.id] = self._look_again(cell, lost.get(cell.id))
            if cell.kind in _CODE and cell.id not in self.lost:
                self._run_unseen(cell)
        return told

    def _look_again(self, cell: Cell, lost: CheckResult | None) -> CheckResult:
        """What a lost check says where no hidden test runs; one that holds is not asked again."""
        is_asked = lost is not None and lost.tells
        source = cell.shown if is_asked else _without_asking(cell.shown)
        with in_check(cell.id):
            seen = self._explained(self._check(replace(cell, source=source)))
            if lost is None:
                return seen
            return seen if seen.mistake else named(seen, self._diagnosis(cell))

    def _diagnosis(self, cell: Cell) -> Any:
        """The mistake that shows in what a check is about; nothing, if that does not answer."""
        exercises = exercises_of(self._lesson)
        mentioned = re.findall(r"\w+", f"{exercise_of(cell.id).partition('.')[0]} {cell.shown}")
        name = next((name for name in mentioned if name in exercises), "")
        with suppress(Lost, Exception):
            found = self._process.values([name]).get(name) if name else None
            return diagnose(found) if callable(found) else None
        return None

    def _run_unseen(self, cell: Cell) -> None:
        self._give(cell)
        with suppress(Lost):
            self._process.run(cell)

    def _check_or_repeat(self, cell: Cell) -> CheckResult:
        """A check whose answers are those of an earlier submission has the same result."""
        test = self._namespace.test_of(cell) if self._known else None
        if self._known is None or test is None:
            return self._check(cell)
        self._process.begin_test(cell.id, is_kept=True)
        try:
            ending = self._known.repeat(test, self._process.ask_ahead, self._together)
        except Lost as lost:
            self._process.end_test()
            return replace(self._result(cell, lost), line=self._process.talk.line)
        except Outlived:
            ending = None
            self._process.begin_test(cell.id, is_kept=True)
        if ending is None:
            try:
                return self._learn(cell, test, self._known)
            except Astray:
                self._known.forget(test)
                self._process.restart()
                return self._check(cell)
        self._process.begin_test(cell.id)
        self._process.end_test()
        self._namespace.define(cell, ending.defined)
        if ending.missing:
            self._missing[cell.id] = ending.missing
        return ending.result

    def _learn(self, cell: Cell, test: Hashable, known: Known) -> CheckResult:
        """Runs a test, and keeps what it has asked; what was lost may come back another time."""
        result = self._test(cell)
        if self._process.lost is None and not self._process.has_called_back:
            missing = self._missing.get(cell.id, "")
            ending = Ending(result, missing, self._namespace.newly_defined)
            known.learn(test, self._process.talk.exchanges, ending)
        return result

    def _check(self, cell: Cell) -> CheckResult:
        """The result of a test that is run from its begin."""
        self._process.begin_test(cell.id)
        return self._test(cell)

    def _test(self, cell: Cell) -> CheckResult:
        """Anything but a clean end of the test cell is 0 points, with its reason."""
        try:
            with self._workplace.entered():
                value = self._namespace.run(cell, self._process, self.clock)
        except (KeyboardInterrupt, Astray):
            raise
        except BaseException as error:
            return replace(self._result(cell, error), line=line_of(error, cell.id))
        finally:
            self._process.end_test()
        if self._process.lost is not None:
            return self._result(cell, self._process.lost)
        return passed(cell, value)

    def _share(self, cell: Cell) -> None:
        """What students see that a test sets, is there for their functions."""
        if lines := self._shared.lines_of(cell):
            with suppress(Lost):
                self._process.run(replace(cell, source=lines))

    def _result(self, cell: Cell, error: BaseException) -> CheckResult:
        """What becomes of a check whose test cell has raised an error."""
        if isinstance(error, NoAnswer):
            # The judge's own words: they tell nothing of what was asked.
            return failed(cell, outcome_of(error), said_by(error), error.diagnosis, tells=False)
        if isinstance(error, CheckFailed):
            return failed(cell, Outcome.FAILED, said_by(error), error.diagnosis)
        if isinstance(error, NameError) and type(error.name) is str:
            self._missing[cell.id] = error.name
        place = place_of(error, self._ids)
        where = f" ({place.cell}, line {place.line})" if place else ""
        is_failure = isinstance(error, AssertionError)
        outcome = Outcome.FAILED if is_failure else Outcome.ERROR
        return failed(cell, outcome, error_text(error)[:MAX_MESSAGE] + where)

    def _explained(self, check: CheckResult) -> CheckResult:
        """With what went wrong in the cell that should have defined a missing name, or method."""
        lacking = _LACKING.search(check.message)
        cell = cell_of(f"{lacking[1]}.{lacking[2]}") if lacking else self._missing.get(check.id, "")
        outputs = self._outputs.of_cells.get(cell, [])
        errors = [output for output in outputs if output["output_type"] == "error"]
        if not errors:
            return check
        why = clean_message(f"its cell stopped with {errors[-1]['ename']}: {errors[-1]['evalue']}")
        if lacking is None:
            message = f"{check.message}; {why}"
        else:
            before, after = check.message[: lacking.start()], check.message[lacking.end() :]
            message = f"{before}  {lacking[1]} has no {lacking[2]}: {why}{after}"
        return replace(check, message=message[:MAX_MESSAGE])


def _without_asking(source: str) -> str:
    """A test cell without its asserts and bare calls: what is left may matter to later cells."""
    try:
        nodes = ast.parse(source).body
    except SyntaxError:
        return source
    return "\n".join(ast.unparse(n) for n in nodes if not isinstance(n, ast.Expr | ast.Assert))
