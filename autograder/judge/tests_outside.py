"""The protected run: tests run outside of the jail, in a fork of the grader for one submission.

The grader asks the fork to run one cell after the other, and waits for each until its time is over.
If a cell ends the fork or takes too long, a new fork runs all cells but this one again.
"""

import json
import os
import traceback
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from autograder.course_adapter import CheckFailed, NoAnswer, asked_for, exercises_of, playing
from autograder.grading_data import Cell, CellKind, CheckResult, Outcome, Submission
from autograder.jail import (
    Crashed,
    JailMissing,
    Lost,
    Session,
    TemporaryFolder,
    TimedOut,
    WarmJail,
    write_files,
)
from autograder.judge.answer_key_record import Uses
from autograder.judge.check_results import (
    MAX_MESSAGE,
    RunResult,
    check_from,
    failed,
    passed,
    without_answer,
)
from autograder.judge.clock import Clock
from autograder.judge.grader_fork import begin_apart, guard_against_code
from autograder.judge.namespace import Namespace, prepare
from autograder.judge.rebuild_errors import error_text, line_of, place_of, said_by
from autograder.judge.student_process import Process
from autograder.notebook.outputs_from_jail import clean_message
from autograder.wire import Channel, Frame, encoded, pack, unpack

_TIMES = 3  # times the limit of a cell: one to wait for answers, two for all else in a test
_ALL_TIMES = 2  # times the limit of a submission, for all cells together
_MOST_HURT = 3  # failures of the jail or the fork that are allowed if no cell is their known cause
_TRACE = 5  # texts of a trace
_LATE = "the cell {} itself did not come to its end within its {:.3g} s"
_TOO_LATE = "the cell {} did not run: what tests make of the answers has taken too long"
_SLEPT = "the cell {} did not run: the program has slept for too long"
_ENDED = "the cell {} itself has ended the process in which it ran"
_HURT = "the cell {} did not run: the jail was hurt again and again"


@dataclass
class ProtectedRun:
    """The grader's side of the protected run; it asks the fork to run cells and keeps the results.

    `before` is the clock of the released run. `shared` is a dictionary from tests to lines that
    also run in the student's process. `uses` are the notes on the answer key; while the answer key
    is graded, the run adds to them.
    """

    submission: Submission
    jail: WarmJail
    before: Clock
    shared: Mapping[str, str]
    uses: Uses

    def __post_init__(self) -> None:
        self._cells = list(self.submission.code)  # those that are to run
        self._ended: dict[str, str] = {}  # given cell → why it has ended a fork
        self._spent = 0.0  # seconds that the program has spent
        self._left = _ALL_TIMES * self.jail.limits.submission
        self._times_hurt = 0
        self._found = RunResult()

    def found(self) -> RunResult:
        """Run all cells in order, the protected tests outside of the jail; return the results.

        A test gives 0 points, with the reason, unless the fork says that the test ended well. Raise
        `JailMissing` if the jail cannot be started again.
        """
        prepare(self._cells, self.submission.given_files, self.uses.cases)
        while not self._run_in_new_fork():
            self.jail.replace()
        return self._found

    def _run_in_new_fork(self) -> bool:
        """Run the cells in a new fork; return true if no cell has to be run again."""
        with self._begun() as session:
            for cell in self._cells:
                # A student's cell gets more: earlier cells may have to run again before it.
                limits, is_own = self.jail.limits, cell.kind is not CellKind.STUDENT
                most = _TIMES * limits.cell if is_own else limits.submission
                seconds = min(most, self._left - session.spent)
                has_slept = self.before.has_overslept
                if seconds <= 0 or has_slept or self._times_hurt > _MOST_HURT:
                    why = _TOO_LATE if seconds <= 0 else _HURT
                    self._give_up(_SLEPT if has_slept else why)
                    return True
                try:
                    said = session.ask({"cell": cell.id}, seconds)
                    if "hurt" in said:
                        self._times_hurt += 1
                        return False
                    self._note(cell, said)
                except TimedOut:
                    self._lose(cell, TimedOut(_LATE.format(cell.id, seconds)))
                    return False
                except Crashed:
                    self._lose(cell, Crashed(_ENDED.format(cell.id)))
                    return False
            try:  # the last question: the fork ends the program
                said = session.ask({}, self.jail.limits.submission)
            except Lost:  # a test has left something that ends the fork
                said = Frame(hurt=True)
            if "hurt" not in said:
                self._raise_failure(said)
                self.uses.update(said)
                return True
            self._times_hurt += 1
            if not self.uses.is_learning:
                self.jail.replace()
            return not self.uses.is_learning

    @contextmanager
    def _begun(self) -> Iterator[Session]:
        """Yield a session with a new fork, which runs the tests in a folder of its own."""
        clock = Clock(self.jail.limits, self.before, self._spent)
        process = Process(self.jail, clock, self.uses)
        server = _Server(self.submission, self.jail, process, self.shared, self._ended)
        self.jail.end_session()
        folder = TemporaryFolder()
        try:
            with folder.writing() as place:
                write_files(self.submission.given_files, place)
            with closing(begin_apart(server.serve, self.jail, folder.path)) as session:
                self.before.sessions.append(session)
                yield session
            self._left -= session.spent
        finally:
            folder.remove()

    def _lose(self, cell: Cell, why: Lost) -> None:
        """Record why a cell has no result, so that this cell is not run again."""
        if cell.kind is CellKind.TEST and not cell.is_inside:
            self._cells.remove(cell)
            self._found.checks[cell.id] = without_answer(cell, why)
        elif cell.kind is CellKind.GIVEN and not cell.is_inside and cell.id not in self._ended:
            self._found.broken[cell.id] = self._ended[cell.id] = error_text(why)
        else:  # the cell was not to run in the fork: not the cell, but the fork or the jail failed
            self._times_hurt += 1

    def _give_up(self, why: str) -> None:
        for cell in self._cells:
            is_outside = cell.kind is CellKind.TEST and not cell.is_inside
            if is_outside and cell.id not in self._found.checks:
                lost = TimedOut(why.format(cell.id))
                self._found.checks[cell.id] = without_answer(cell, lost)
        self.jail.replace()

    def _note(self, cell: Cell, said: Frame) -> None:
        self._raise_failure(said)
        if type(said.get("spent")) is float:
            self._spent = max(self._spent, said["spent"])
        if cell.kind is CellKind.GIVEN and type(said.get("broken")) is str:
            self._found.broken[cell.id] = clean_message(said["broken"][:MAX_MESSAGE])
        if type(said.get("missing")) is str:
            self._found.missing[cell.id] = said["missing"]
        if cell.kind is CellKind.TEST and not cell.is_inside:
            self._found.checks[cell.id] = check_from(cell, said.get("check"))
            if type(trace := said.get("trace")) is list and len(trace) == _TRACE:
                texts = [clean_message(str(text)[:MAX_MESSAGE]) for text in trace]
                self._found.traces[cell.id] = texts

    def _raise_failure(self, said: Frame) -> None:
        if "failed" in said:
            raise RuntimeError(clean_message(f"the tests could not run: {said['failed']}"))


@dataclass
class _Server:
    """The fork's side of the protected run, which runs cells and answers with their results."""

    submission: Submission
    jail: WarmJail
    process: Process
    shared: Mapping[str, str]
    ended: Mapping[str, str]  # given cell that does not run → why it ended an earlier fork

    def serve(self, channel: Channel) -> None:
        """Answer the grader's questions: each names a cell to run; the last one names none."""
        self._cells = {cell.id: cell for cell in self.submission.code}
        answered = exercises_of(self.submission.lesson) | self.submission.answered.keys()
        self._namespace = Namespace(set(answered), self.submission.imports)
        playing.think_on(lambda: self.process.clock.spent)
        self._asked = asked_for()
        guard_against_code(lambda: self.process.testing, self.process.refuse)
        while True:
            name = unpack(channel.receive()).get("cell")
            try:
                answer = self._ended() if name is None else self._run(self._cells[name])
            except MemoryError:
                os._exit(1)  # a test has used up the memory
            except JailMissing:
                answer = {"hurt": True}
            except Exception:
                answer = {"failed": traceback.format_exc()}
            channel.send(pack({**answer, "spent": self.process.clock.spent}))

    def _ended(self) -> dict[str, Any]:
        """End the program; return the notes on the answer key, or only that the jail is hurt."""
        self.process.close()
        if self.jail.is_hurt:
            return {"hurt": True}
        uses = self.process.uses
        cases = json.dumps(encoded(list(self._asked))) if uses.is_learning else ""
        return {**uses.as_json(), "cases": cases}

    def _run(self, cell: Cell) -> dict[str, Any]:
        if cell.id in self.ended:
            self._namespace.broken[cell.id] = self.ended[cell.id]
            return {}
        if cell.kind is CellKind.TEST:
            if lines := self.shared.get(cell.id):  # lines that set names for the program
                with suppress(Lost):
                    self.process.share(cell, lines)
            return {} if cell.is_inside else self._check(cell)
        said = {}
        if cell.kind is CellKind.GIVEN and not cell.is_inside:
            self._namespace.give(cell)
            said = {"broken": self._namespace.broken.get(cell.id)}
        with suppress(Lost):
            self.process.run(cell)
        return said

    def _check(self, cell: Cell) -> dict[str, Any]:
        """Run a test outside of the jail; return a dictionary with `check` and `missing`.

        `missing` is the name that the test did not find, or `None`. If the test failed, the
        dictionary also has `trace`, the texts that `Trace.told` returns.
        """
        missing, uses = None, self.process.uses
        self.process.begin_test(cell.id, cell.source)
        try:
            value = self._namespace.run(cell, self.process)
            if self.process.lost is not None:
                check = without_answer(cell, self.process.lost)
            else:
                is_score = uses.may_score(cell.id, value)
                is_known = uses.objects is not None
                check = passed(cell, value if is_score else None, is_known and is_score)
        except JailMissing:
            raise
        except BaseException as error:
            check = replace(self._lost(cell, error), line=line_of(error, cell.id))
            if isinstance(error, NameError) and type(error.name) is str:
                missing = error.name
        finally:
            self.process.end_test()
        found = {"check": asdict(check), "missing": missing}
        trace = self.process.trace
        if uses.is_learning:
            uses.traces[cell.id] = trace.of_key()
        elif check.points < check.max_points or check.outcome is not Outcome.PASSED:
            if missing:
                trace.note(missing, {"do": "value"}, {"named": "it is not there"})
            return {**found, "trace": trace.told(uses.traces.get(cell.id, []))}
        return found

    def _lost(self, cell: Cell, error: BaseException) -> CheckResult:
        if isinstance(error, NoAnswer):
            return without_answer(cell, error)
        if isinstance(error, CheckFailed):
            return failed(cell, Outcome.FAILED, said_by(error))
        place = place_of(error, frozenset(self._cells))
        where = f" ({place.cell}, line {place.line})" if place else ""
        outcome = Outcome.FAILED if isinstance(error, AssertionError) else Outcome.ERROR
        return failed(cell, outcome, error_text(error)[:MAX_MESSAGE] + where)
