"""The work of a server that grades each hand-in as it comes.

Once a hand-in is in the records, it is graded twice: by the released tests, for the answer to the
student, and by all tests, for the gradebook. Answers go first: grading for the gradebook waits for
them, a few seconds at most. If students are told points, a hand-in is graded only by all tests, for
the gradebook and for the answer.
"""

import asyncio
import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from autograder.grade_assignment import RunOptions, grade_assignment
from autograder.grade_submission import grade_all, has_failed
from autograder.gradebook.course_folder import LAST_WRITTEN, CourseFolder, Folder
from autograder.gradebook.open_gradebook import NotEnteredError, is_there
from autograder.gradebook.plans_and_limits import plan_assignment
from autograder.gradebook.read_grades import Result, read_results
from autograder.gradebook.timestamp import FILE as TIMESTAMP
from autograder.gradebook.write_grades import score_if_at
from autograder.grading_data import Verdict, together
from autograder.notebook.find_submitted_notebook import collect
from autograder.reports.make_pages import write_told
from autograder.serve.answers_to_students import (
    Metrics,
    NotTaken,
    Queue,
    Serve,
    Teller,
    Told,
    Turns,
    without_checks,
)
from autograder.serve.records import Files, HandedIn, Records, digest_of, digest_of_files
from autograder.serve.watch_folders import digests_in, put_into_submitted, write_files
from autograder.system import Trouble, is_full
from autograder.workers import LastingExecutor

log = logging.getLogger("autograder.serve")

_AT_ONCE = 200  # hand-ins that are recorded in one run
_MOST_WAITING = 2000
_STUDENTS_FIRST = 5.0  # seconds for which answers come before results for the gradebook
_LONGEST_REST = 60.0  # seconds until the gradebook is tried again
_STILL = "Your last hand-in is still being checked. Wait for it."
_REPLACED = "You have handed in again before this was checked."
_GONE = "Your instructor has taken this away before it was checked."
_SAFE = "Your hand-in is kept. It cannot be checked now; your instructor has been told."


class HandinQueue:
    """The hand-ins that wait for an answer or for the gradebook, and the work on them."""

    def __init__(
        self, course: CourseFolder, records: Records, workers: int, confined: bool
    ) -> None:
        self.settings = Serve(parent=course.app)
        self.lessons = course.lessons  # a course may get new ones while the server runs
        self.records = records
        self.metrics = Metrics()
        self.metrics.waiting.set_function(lambda: len(self._open))
        self._course, self._confined, self._workers = course, confined, workers
        self._recorder = CourseFolder()  # for the thread that uses the gradebook
        self._teller = Teller(course, LastingExecutor(workers), confined)
        self._graders = LastingExecutor(workers, patient=True)
        self._for_teller = asyncio.Lock()
        self.turns = Turns()
        self._to_record = asyncio.Event()
        self._open = {one.id for one in records.unrecorded()}
        self._answered: WeakValueDictionary[int, asyncio.Event] = WeakValueDictionary()
        self._busy: set[str] = set()
        # (student, assignment) → version of `source/` when the last hand-in by HTTP was checked
        self._versions: dict[tuple[str, str], object] = {}
        self._has_copy, self._has_gradebook = False, is_there(self._recorder)
        self._scratch = records.path.with_suffix(".scratch")
        shutil.rmtree(self._scratch, ignore_errors=True)  # left by a server that was killed
        self._scratch.mkdir(0o700)
        for lesson in self.settings.until:
            self.settings.end_of(lesson)  # raises `Trouble` now if a time is wrong

    async def run(self) -> None:
        """Answer hand-ins, and enter them in the gradebook, for ever."""
        self._loop = asyncio.get_running_loop()
        self._to_record.set()
        for one in self.records.untold():
            self._tell_later(one)
        async with asyncio.TaskGroup() as group:
            for _ in range(2 * self._workers):
                group.create_task(self._tell(self.turns.quick))
            group.create_task(self._tell(self.turns.slow))
            group.create_task(self._record())

    # ---- hand-ins by HTTP

    def left(self, student: str, assignment: str) -> int:
        """Return how many times a student may still hand in an assignment."""
        return max(0, self.settings.attempts - len(self.records.of(student, assignment)))

    async def hand_in(self, student: str, assignment: str, files: Files) -> HandedIn:
        """Take in and return a hand-in by HTTP; raise `NotTaken` if it is refused.

        If the student's last hand-in for the assignment had the same files, return that one, and
        take in nothing. It is checked again if checking it failed, or `source/` has changed since.
        """
        known = await asyncio.to_thread(self.lessons)
        if assignment not in known:
            there = ", ".join(sorted(known))
            raise NotTaken(404, f"There is no assignment of this name. There are: {there}.")
        if (end := self.settings.end_of(assignment)) is not None and datetime.now(UTC) > end:
            raise NotTaken(403, f"The time for {assignment} was over at {end:%Y-%m-%d %H:%M %Z}.")
        if len(self._open) >= _MOST_WAITING:
            raise NotTaken(503, "Too many hand-ins are waiting. Try again in a minute.", 60)
        if student in self._busy:
            raise NotTaken(429, _STILL, 1)
        self._busy.add(student)
        try:
            return await asyncio.to_thread(self._taken, student, assignment, files)
        except sqlite3.Error as error:
            log.error("a hand-in could not be written: %s", error)
            raise NotTaken(507, "It could not be kept. Try again in a minute.", 60) from error
        finally:
            self._busy.discard(student)

    async def answer(self, number: int, seconds: float) -> HandedIn:
        """Return a hand-in as soon as it has an answer; after `seconds`, return it without one."""
        event = self._answered.setdefault(number, asyncio.Event())
        one = await asyncio.to_thread(self.records.get, number)
        if one.told is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await event.wait()
            one = await asyncio.to_thread(self.records.get, number)
        return one

    def _taken(self, student: str, assignment: str, files: Files) -> HandedIn:
        every = self.records.of(student)
        before = [one for one in every if one.assignment == assignment]
        same = [one for one in before[-1:] if self.records.own_files(one.id) == files]
        whose, version = (student, assignment), self._teller.version(assignment)
        for one in same:
            if one.told is None or one.id in self._open or self._versions.get(whose) == version:
                return one
        if any(one.told is None and one.door == "http" for one in every):
            raise NotTaken(429, _STILL, 1)
        if same:
            one = self.records.reopen(same[0].id)
        else:
            now = datetime.now(UTC)
            if refusal := self.settings.refusal([one.at for one in before], now):
                raise refusal
            dated = {**files, TIMESTAMP: f"{now:%Y-%m-%d %H:%M:%S.%f} UTC".encode()}
            one = self.records.add("http", student, assignment, digest_of_files(dated), dated)
        self._versions[whose] = version
        self._begin(one)
        return one

    def _begin(self, one: HandedIn) -> None:
        """Begin the work on a new hand-in; any thread may call this."""

        def begin() -> None:
            self._open.add(one.id)
            self._tell_later(one)
            self._to_record.set()

        self.metrics.handed_in.labels(one.door).inc()
        self._loop.call_soon_threadsafe(begin)

    # ---- hand-ins that lie in `submitted/`

    def see(self, folder: Folder, assignment: str, is_old: bool) -> None:
        """Take in the hand-in in a student's folder, if it is new.

        If `is_old` is true, it was graded before, and its answer has no checks.
        """
        files = digests_in(folder.path)
        digest = digest_of(files)
        known = self.records.of(folder.student, assignment)
        # an older hand-in by HTTP may be put into the folder after a newer one was taken in
        compared = [one for one in known if one.door == "http"] + known[-1:]
        if not files or any(one.digest == digest for one in compared):
            return
        door = "exchange" if LAST_WRITTEN in files else "folder"
        one = self.records.add(door, folder.student, assignment, digest, None)
        if is_old:
            self.records.tell(one.id, without_checks(one))
            one = self.records.get(one.id)
        self._begin(one)

    # ---- what students read

    def _tell_later(self, one: HandedIn) -> None:
        if self.settings.tells == "released" and one.told is None:
            self.turns.add(one)

    async def _tell(self, queue: Queue) -> None:
        """Answer the hand-ins of a queue, one after the other, by the released tests."""
        while True:
            *_, one = await queue.get()
            begin = self._loop.time()
            try:
                try:
                    answer = await self._told(one)
                except Exception as error:  # one hand-in must not stop the others
                    if isinstance(error, OSError) and is_full(error):
                        raise
                    log.error("hand-in %d of %s was not told: %s", one.id, one.student, error)
                    answer = without_checks(one, _SAFE)
                    self._versions.pop((one.student, one.assignment), None)
                await self._keep_answer(one, answer)
            except Exception as error:  # such as a full disk; tried again later
                log.error("there is no answer to hand-in %d yet: %s", one.id, error)
                self._loop.call_later(_LONGEST_REST, self._tell_later, one)
            self.turns.done(one, queue, self._loop.time() - begin)

    async def _told(self, one: HandedIn) -> Told:
        """Grade a hand-in by the released tests, and return the answer to it."""
        if await asyncio.to_thread(self.records.is_replaced, one):
            return without_checks(one, _REPLACED)
        with tempfile.TemporaryDirectory(dir=self._scratch) as scratch:
            folder = self._course.submitted(one.student, one.assignment).path
            if one.door == "http":
                folder = Path(scratch, "handin")
                files = await asyncio.to_thread(self.records.own_files, one.id)
                await asyncio.to_thread(write_files, files, folder)
            begin = partial(asyncio.to_thread, self._teller.begin, one.assignment, folder)
            try:
                async with self._for_teller:
                    begun = await begin()
                verdicts = await asyncio.wrap_future(begun)
            except BrokenExecutor:  # perhaps another hand-in broke it; so try once more, alone
                async with self._for_teller:
                    verdicts = await asyncio.wrap_future(await begin())
        return self._teller.answer(one.assignment, together(verdicts))

    async def _keep_answer(self, one: HandedIn, answer: Told) -> None:
        """Store an answer, then write its HTML page; raise `sqlite3.Error` if storing fails."""
        if one.door != "http":  # by HTTP, too many hand-ins were refused when they came
            every = await asyncio.to_thread(self.records.of, one.student, one.assignment)
            earlier = [each.at for each in every if each.id < one.id]
            if refusal := self.settings.refusal(earlier, one.at):
                answer = without_checks(one, str(refusal))
        checks = answer["checks"]  # with points, each result of a hidden test gives away a bit
        bits = sum(check["more_is_tested"] for check in checks if "points" in check)
        answer = {"id": one.id, "handed_in_at": one.at.isoformat(), **answer}
        await asyncio.to_thread(self.records.tell, one.id, answer, bits)
        try:
            if one.door != "http" and not await asyncio.to_thread(self.records.is_replaced, one):
                async with self._for_teller:
                    await asyncio.to_thread(self._give_back, one, answer)
        except Exception as error:  # such as a full disk
            log.error("the page for hand-in %d could not be written: %s", one.id, error)
        self.metrics.told_after.observe((datetime.now(UTC) - one.at).total_seconds())
        if (event := self._answered.get(one.id)) is not None:
            event.set()

    def _give_back(self, one: HandedIn, answer: Told) -> None:
        """Write the page for a hand-in; if the hand-in came by the exchange, release it there."""
        write_told(self._course, one.student, one.assignment, answer)
        if one.door == "exchange":
            self._course.release_feedback(one.assignment, one.student)

    # ---- the gradebook

    async def _record(self) -> None:
        """Enter hand-ins in the gradebook as they come; if that fails, try again later."""
        rest = 1.0
        while True:
            await self._to_record.wait()
            self._to_record.clear()
            with suppress(TimeoutError):  # students are waiting, so answers come first
                async with asyncio.timeout(_STUDENTS_FIRST):  # `wait_for` may miss being cancelled
                    await self.turns.quick.join()
            waiting: dict[str, dict[str, list[HandedIn]]] = {}  # assignment → student → hand-ins
            is_done = True  # false: something failed, and is tried again later
            try:
                for one in await asyncio.to_thread(self.records.unrecorded):
                    waiting.setdefault(one.assignment, {}).setdefault(one.student, []).append(one)
            except Exception as error:  # such as a damaged disk
                log.error("the records cannot be read now: %s", error)
                is_done = False
            for assignment, students in waiting.items():
                names = iter(students)
                try:
                    while some := {name: students[name] for name in islice(names, _AT_ONCE)}:
                        is_done &= await self._record_some(assignment, some)
                except Exception as error:  # one assignment must not stop the others
                    log.error("%s cannot be recorded now: %s", assignment, error)
                    is_done = False
            rest = 1.0 if is_done else min(2 * rest, _LONGEST_REST)
            if not is_done:
                self._loop.call_later(rest, self._to_record.set)

    async def _record_some(self, assignment: str, students: dict[str, list[HandedIn]]) -> bool:
        """Record the newest hand-ins of some students; return true if all could be recorded."""
        newest = {student: every[-1] for student, every in students.items()}
        done, answers = await asyncio.to_thread(self._graded, assignment, newest)
        old = [one.id for student in done for one in students[student]]
        if self.settings.tells == "points":
            for one in chain.from_iterable(students.values()):
                if one.told is None and (one.id in answers or one.student in done):
                    why = _GONE if one is newest[one.student] else _REPLACED
                    answer = answers.get(one.id) or without_checks(one, why)
                    await self._keep_answer(one, answer)
        await asyncio.to_thread(self.records.recorded, old)
        self._open.difference_update(old)
        for student in done:
            seconds = (datetime.now(UTC) - newest[student].at).total_seconds()
            self.metrics.recorded_after.observe(seconds)
        return newest.keys() == done

    def _graded(
        self, assignment: str, newest: Mapping[str, HandedIn]
    ) -> tuple[set[str], dict[int, Told]]:
        """Grade the newest hand-in of each student for the gradebook.

        Return the students who are done, and a dictionary from ids of hand-ins to answers.
        """
        course, has_points = self._recorder, self.settings.tells == "points"
        tell = partial(self._teller.answer, assignment, has_points=True)
        done: set[str] = set()
        answers: dict[int, Told] = {}
        folders: list[Folder] = []
        for student, one in newest.items():
            if one.door == "http":
                try:
                    verdict = self._worse(one) if self.settings.counts == "best" else None
                    if verdict is None:
                        put_into_submitted(course, one, self.records)
                except Exception as error:  # such as a folder that belongs to another account
                    log.error("hand-in %d of %s waits, because of %r", one.id, student, error)
                    continue
                if verdict is not None:
                    done.add(student)
                    answers[one.id] = tell(verdict)
                    self._note_failure(one, verdict)
                    continue
            folder = course.submitted(student, assignment)
            if os.path.lexists(folder.path):
                folders.append(folder)
            else:  # a person has taken the folder away
                done.add(student)
        if not folders:
            return done, answers
        if self._has_gradebook and not is_there(course):  # a new one would lack all earlier results
            raise Trouble("the gradebook is gone; put it back, or restart the server for a new one")
        more: Any = {"confined": self._confined, "keeps_copy": not self._has_copy}
        options = RunOptions(lambda _: self._graders, 16 * self._workers, has_points, **more)
        wait = partial(log.info, "another run has the course folder; waiting")
        grading = grade_assignment(course, assignment, folders, options, wait, int)
        self._has_copy = self._has_gradebook = True
        for line in grading.lines:
            if line.is_recorded:
                done.add(line.student)
            else:
                log.error("the result of %s was not written; it is tried again", line.student)
            if line.verdict is not None:
                self._note_failure(newest[line.student], line.verdict)
                if has_points:
                    answers[newest[line.student].id] = tell(line.verdict)
        if grading.trouble and not done:
            raise Trouble(grading.trouble)
        return done, answers

    def _note_failure(self, one: HandedIn, verdict: Verdict) -> None:
        """Log a failure of the grader itself; the same files may then be checked again."""
        if has_failed(verdict):
            log.error("%s of %s got no points: %s", one.assignment, one.student, verdict.unreadable)
            self._versions.pop((one.student, one.assignment), None)

    def _worse(self, one: HandedIn) -> Verdict | None:
        """Return the verdict on a hand-in if it would lower the student's score, else `None`."""
        known: list[Result] = []
        with suppress(NotEnteredError):
            known = read_results(self._recorder, one.assignment)
        best = next((result for result in known if result.student == one.student), None)
        if best is None or not best.handed_in:
            return None
        planned = plan_assignment(self._recorder, one.assignment, self._confined)
        with tempfile.TemporaryDirectory(dir=self._scratch) as scratch:
            folder = Path(scratch, "handin")
            write_files(self.records.own_files(one.id), folder)
            handins = tuple(collect(folder, master) for master in planned.masters)
        facts = handins, planned.masters, planned.conditions
        verdicts = self._graders.submit(grade_all, *facts).result()
        scores, at = [verdict.score for verdict in verdicts], one.at.replace(tzinfo=None)
        new = score_if_at(self._recorder, one.assignment, one.student, scores, at)
        return together(verdicts) if new < best.score else None
