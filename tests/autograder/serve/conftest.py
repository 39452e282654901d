"""A running `autograder serve` for the tests, in a course of its own."""

import asyncio
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from autograder.course_adapter import ROOT
from autograder.gradebook.course_folder import LAST_WRITTEN, CourseFolder
from autograder.gradebook.timestamp import FILE as TIMESTAMP
from autograder.serve import handin_queue as room
from autograder.serve.handin_queue import HandinQueue
from autograder.serve.records import HandedIn, Records
from tests.autograder.assignment_builder import graded, marked, notebook
from tests.autograder.conftest import make_course
from tests.waiting import SECONDS, until

TWICE = "twice"  # an assignment whose test has one line that is hidden
NOTEBOOK = f"{TWICE}.ipynb"
INBOUND = Path("exchange", "2048", "inbound")
_SCORE = """
select sum(grade.auto_score) from grade
join submitted_notebook on grade.notebook_id = submitted_notebook.id
join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
join assignment on submitted_assignment.assignment_id = assignment.id
where submitted_assignment.student_id = ? and assignment.name = ?"""
_PLACE = re.compile(r"http://[\d.]+:\d+")


@dataclass
class RunningServer:
    """A running server, its course folder, and a token for each student."""

    address: str
    course: Path
    process: "subprocess.Popen[bytes]"
    tokens: dict[str, str]

    def hand_in(self, student: str, assignment: str, content: bytes, **more: Any) -> httpx.Response:
        """Hand in one notebook by HTTP; return the server's final response, even if it is late."""
        header = self._header(student) | more.get("headers", {})
        name = more.get("name", f"{assignment}.ipynb")

        def response() -> httpx.Response:
            return httpx.post(
                f"{self.address}/hand-in",
                headers=header,
                data={"assignment": assignment},
                files=[("file", (name, content))],
                timeout=SECONDS,
            )

        found = response()
        if found.status_code != 202:
            return found
        # The machine is busy. The same files again are no second attempt, and get the same answer.
        kept = found.json()["id"]

        def is_answered() -> bool:
            known = self.hand_ins(student).json()
            return any(one["id"] == kept and one["answer"] for one in known)

        until(is_answered, "the hand-in has its answer")
        return response()

    def hand_ins(self, student: str, kind: str = "application/json") -> httpx.Response:
        """Return the response with the hand-ins of a student, or of who has that token."""
        header = self._header(student) | {"Accept": kind}
        return httpx.get(f"{self.address}/hand-ins", headers=header, timeout=SECONDS)

    def _header(self, student: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens.get(student, student)}"}

    def connect(self, sent: bytes = b"") -> socket.socket:
        """Return a connection to the server, over which some bytes were sent."""
        host, _, port = self.address.removeprefix("http://").partition(":")
        connection = socket.create_connection((host, int(port)), timeout=SECONDS)
        connection.sendall(sent)
        return connection

    def score(self, student: str, assignment: str) -> float | None:
        """Return a student's score in the gradebook, or `None` if there is none."""
        path = self.course / "gradebook.db"
        with suppress(sqlite3.OperationalError):  # the tables are not there yet
            found = sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute(
                _SCORE, (student, assignment)
            )
            score: float | None = found.fetchone()[0]
            return score
        return None

    def until_scored(self, student: str, assignment: str, score: float) -> None:
        """Wait until the gradebook has this score for a student."""
        until(lambda: self.score(student, assignment) == score, f"{student} has {score}")


def twice_with(answer: str, test: str) -> bytes:
    """Return a notebook of the assignment `TWICE`, as a file's content: one answer and one test."""
    cells = marked("twice", answer, solution=True), graded("test-twice", test, 4)
    return json.dumps(notebook(*cells)).encode()


SHOWN = "assert twice(2) == 4"
HIDDEN = f"{SHOWN}\n### BEGIN HIDDEN TESTS\nassert twice(7) == 14\n### END HIDDEN TESTS"
KEY = "def twice(n):\n    ### BEGIN SOLUTION\n    return 2 * n\n    ### END SOLUTION"


def add_twice(course: Path) -> None:
    """Add the assignment `TWICE` to a course."""
    folder = course / "source" / TWICE
    folder.mkdir(parents=True)
    (folder / f"{TWICE}.ipynb").write_bytes(twice_with(KEY, HIDDEN))


def handed_in(body: str) -> bytes:
    """Return a notebook of the assignment `TWICE`, in which a student's function has this body."""
    return twice_with(f"def twice(n):\n    {body}", SHOWN)


def environment() -> dict[str, str]:
    """Return an environment in which programs find nbgrader and this project."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": programs, "PYTHONPATH": str(ROOT)}


def start(course: Path, *options: str) -> "tuple[subprocess.Popen[bytes], str]":
    """Start a server in a course folder; return its process, and what it has printed first."""
    log = course / "log"
    log.unlink(missing_ok=True)  # another server may still write to it
    with log.open("wb") as written:
        command = [sys.executable, "-m", "autograder", "serve", "--port", "0", "--workers", "2"]
        process = subprocess.Popen(
            [*command, *options], cwd=course, env=environment(), stderr=written
        )
    until(lambda: process.poll() is not None or "\n" in log.read_text("utf-8"), "it says something")
    return process, log.read_text("utf-8")


def new_tokens(course: Path, *students: str) -> dict[str, str]:
    """Make a token for each student; return them: student → token."""
    said = subprocess.run(
        [sys.executable, "-m", "autograder", "tokens", *students],
        cwd=course,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(line.split() for line in said.stdout.splitlines())


@contextmanager
def serving(course: Path, students: tuple[str, ...], *options: str) -> Iterator[RunningServer]:
    """Run a server in a course folder, with tokens for students; end it afterwards.

    If the tests held, it must not have printed any traceback.
    """
    tokens = new_tokens(course, *students)
    process, said = start(course, *options)
    log = (course / "log").open(encoding="utf-8")
    try:
        place = _PLACE.search(said)
        assert place, said
        yield RunningServer(place[0], course, process, tokens)
        assert "Traceback" not in log.read()
    finally:
        process.terminate()
        process.wait()
        log.seek(0)
        print(log.read())  # shown if a test fails
        log.close()


def new_course(folder: Path, *settings: str) -> Path:
    """Make a course with lesson 1 and `TWICE`, an exchange, and settings."""
    course = make_course(folder)
    add_twice(course)
    (course / "exchange").mkdir()
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.writelines(f"\n{setting}\n" for setting in settings)
    return course


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Start one server, in a course with the default settings."""
    course = new_course(tmp_path_factory.mktemp("serve") / "course")
    students = "ann", "bob", "cleo", "dora", "eve", "fay", "hal"
    with serving(course, students) as running:
        yield running


def stamp(hours: float = 0) -> str:
    """Return a time as nbgrader writes it, so many hours from now."""
    return f"{datetime.now(UTC) + timedelta(hours=hours):%Y-%m-%d %H:%M:%S.%f} UTC"


def submit(course: Path, student: str, body: str, date: str) -> Path:
    """Make a folder in the exchange, as `nbgrader submit` does; return it."""
    folder = course / INBOUND / f"{student}+{TWICE}+{date}"
    folder.mkdir(parents=True)
    (folder / NOTEBOOK).write_bytes(handed_in(body))
    (folder / TIMESTAMP).write_text(date)
    (folder / LAST_WRITTEN).write_text("secret")
    return folder


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CourseFolder:
    """Make a course with an exchange, and go into its folder."""
    monkeypatch.chdir(new_course(tmp_path / "course"))
    return CourseFolder()


class LastingThreads(ThreadPoolExecutor):
    """Threads that go on after `shutdown`, as the processes of a server do."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Do nothing."""


@dataclass
class WorkingQueue:
    """A queue of hand-ins that works in another thread, and the event loop of this thread."""

    queue: HandinQueue
    loop: asyncio.AbstractEventLoop

    def hand_in(self, student: str, body: str) -> HandedIn:
        """Hand in the assignment `TWICE` by HTTP; the student's function has this body."""
        files = {NOTEBOOK: handed_in(body)}
        return self._done(self.queue.hand_in(student, TWICE, files))

    def told(self, one: HandedIn) -> dict[str, Any]:
        """Return the answer to a hand-in as soon as it is there."""
        told = self._done(self.queue.answer(one.id, SECONDS)).told
        assert told is not None
        return told

    def until_recorded(self) -> None:
        """Wait until all hand-ins are in the gradebook."""
        until(lambda: not self.queue._open, "all is recorded")

    def _done(self, work: Coroutine[Any, Any, HandedIn]) -> HandedIn:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()


def new_queue(records: Records) -> HandinQueue:
    """Return a queue that grades hand-ins in this process, not in workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "LastingExecutor", lambda n, patient=False: LastingThreads(n))
        return HandinQueue(CourseFolder(), records, 1, True)


@contextmanager
def at_work(records: Records, **settings: Any) -> Iterator[WorkingQueue]:
    """Let a queue work in a `with` block; what fails is tried again soon, and nothing ends it."""
    queue = new_queue(records)
    for name, value in settings.items():
        setattr(queue.settings, name, value)
    begun: Future[Any] = Future()

    async def work() -> None:
        begun.set_result((asyncio.get_running_loop(), asyncio.current_task()))
        with suppress(asyncio.CancelledError):
            await queue.run()

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as thread:
        patch.setattr(room, "_LONGEST_REST", 0.1)
        working = thread.submit(asyncio.run, work())
        loop, task = begun.result()
        try:
            yield WorkingQueue(queue, loop)
            assert not working.done()
        finally:
            loop.call_soon_threadsafe(task.cancel)
