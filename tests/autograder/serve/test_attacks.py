"""`autograder serve` against students who mean harm, and a machine that fails."""

import asyncio
import os
import sqlite3
import time
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain, count, repeat
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from autograder.gradebook.course_folder import LAST_WRITTEN, CourseFolder
from autograder.gradebook.open_gradebook import opened
from autograder.gradebook.read_grades import read_results
from autograder.gradebook.timestamp import FILE as TIMESTAMP
from autograder.serve import watch_folders
from autograder.serve.answers_to_students import NotTaken
from autograder.serve.handin_queue import HandinQueue
from autograder.serve.http_api import web_app
from autograder.serve.records import HandedIn, Records, digest_of_files
from autograder.serve.watch_folders import WatchedFolders, digests_in
from autograder.system.atomic_write import keep_on_disk
from tests.autograder.serve.conftest import (
    INBOUND,
    NOTEBOOK,
    TWICE,
    RunningServer,
    at_work,
    handed_in,
    new_course,
    new_queue,
    serving,
    stamp,
    submit,
)
from tests.waiting import SECONDS, until

pytestmark = [pytest.mark.slow, pytest.mark.deep, pytest.mark.xdist_group("serve")]

# ---- the exchange, in which anybody may put anything


def test_no_link_in_the_exchange_is_followed(course: CourseFolder) -> None:
    folder = submit(course.root, "gil", "return 1", stamp())
    (folder / "stolen.txt").symlink_to(course.masters(TWICE) / NOTEBOOK)
    (folder / "more").mkdir()
    (folder / "more" / "loop").symlink_to(folder)
    (folder / "more" / "own.csv").write_text("1")
    os.mkfifo(folder / "pipe")
    left = course.collect_from_exchange(TWICE, "gil")
    there = course.submitted("gil", TWICE).path
    taken = {str(path.relative_to(there)) for path in there.rglob("*") if path.is_file()}
    assert taken == {NOTEBOOK, TIMESTAMP, LAST_WRITTEN, "more/own.csv"}
    assert {"stolen.txt was left", "pipe was left"} <= {
        said.rpartition("/")[2].partition(" there")[0] for said in left
    }


@pytest.mark.parametrize("name", ["no date", f"{TWICE}+x", "9999-12-31 23:59 -1200"])
def test_a_folder_that_somebody_made_in_anothers_name_stops_nothing(
    course: CourseFolder, name: str
) -> None:
    submit(course.root, "gil", "return 1", stamp(-1))
    submit(course.root, "gil", "return 2", name)
    course.collect_from_exchange(TWICE, "gil")
    assert b"return 1" in (course.submitted("gil", TWICE).path / NOTEBOOK).read_bytes()


@pytest.mark.parametrize("earlier", ["2999-01-01 00:00:00 UTC", "no time"])
def test_what_has_just_come_is_newer_whatever_the_clock_said_before(
    course: CourseFolder, earlier: str
) -> None:
    there = course.submitted("gil", TWICE).path
    there.mkdir(parents=True)
    (there / TIMESTAMP).write_text(earlier)
    submit(course.root, "gil", "return 1", stamp(0.5))
    came = submit(course.root, "gil", "return 2", stamp())
    course.collect_from_exchange(TWICE, "gil", [came.name])
    assert b"return 2" in (there / NOTEBOOK).read_bytes()


def test_a_folder_that_is_never_finished_holds_up_no_other(
    course: CourseFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = submit(course.root, "gil", "return 1", stamp()) / LAST_WRITTEN
    later = submit(course.root, "ann", "return 1", stamp()) / LAST_WRITTEN
    for last in (never, later):
        last.unlink()
    # whichever of the two is looked at first is new, and the other is old
    times = chain([0.0], repeat(inf))
    clock = SimpleNamespace(time=lambda: next(times), monotonic=time.monotonic)
    monkeypatch.setattr(watch_folders, "time", clock)
    seen: list[str] = []
    watcher = WatchedFolders(course, lambda one, *_: seen.append(one.student), lambda: True)
    watcher._came([course.root])
    assert seen == []
    later.touch()
    watcher._came([])
    assert seen == ["ann"]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Start a server that tells points and allows two attempts; its exchange links to `/proc`."""
    settings = 'c.Serve.tells = "points"', "c.Serve.attempts = 2"
    course = new_course(tmp_path_factory.mktemp("watched") / "course", *settings)
    (course / INBOUND).mkdir(parents=True)
    (course / INBOUND / "link").symlink_to("/proc")
    with serving(course, ("ann",)) as running:
        yield running


def test_a_student_in_the_exchange_is_never_another_folder(watched: RunningServer) -> None:
    there = set((watched.course / "submitted").iterdir())
    submit(watched.course, "..", "return 1", stamp())
    submit(watched.course, "a\x1bb", "return 1", stamp())
    submit(watched.course, "gil", "return 1", stamp())
    until((watched.course / "submitted" / "gil" / TWICE / NOTEBOOK).exists, "it is collected")
    assert not (watched.course / TWICE).exists()
    new = set((watched.course / "submitted").iterdir()) - there
    assert [path.name for path in new] == ["gil"]


def test_the_exchange_tells_no_more_often_than_is_allowed(watched: RunningServer) -> None:
    records = Records(watched.course)
    for number in range(3):
        submit(watched.course, "hal", f"return {number}", stamp(number / 3600))

        def answers() -> list[HandedIn]:
            return [one for one in records.of("hal") if one.told is not None]

        until(lambda: len(answers()) > number, "there is an answer")  # noqa: B023
    told = [one.told or {} for one in answers()]
    assert ["score" in one for one in told] == [True, True, False]
    assert told[2]["problems"] == ["You have handed in 2 times, which is all there is."]
    assert records.told_bits(TWICE)["hal"] == (3, 2)


def test_a_pipe_in_submitted_holds_up_nobody(watched: RunningServer) -> None:
    folder = watched.course / "submitted" / "ida" / TWICE
    folder.mkdir(parents=True)
    os.mkfifo(folder / TIMESTAMP)
    (folder / NOTEBOOK).write_bytes(handed_in("return 2 * n"))
    until((watched.course / "feedback" / "ida" / TWICE / f"{TWICE}.html").exists, "it is told")


# ---- HTTP


def test_little_is_read_of_who_shows_no_token(watched: RunningServer) -> None:
    head = b"POST /hand-in HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n"
    head += b"Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
    head += b'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    with watched.connect(head + bytes(200_000)) as stranger:
        assert stranger.recv(100).startswith(b"HTTP/1.1 401")


def test_who_goes_away_while_sending_fills_no_log() -> None:
    settings = SimpleNamespace(largest=8, sites=[])
    app = web_app(cast(HandinQueue, SimpleNamespace(settings=settings)))
    headers = [(b"content-type", b"multipart/form-data; boundary=b")]
    scope = {"type": "http", "method": "POST", "path": "/hand-in", "headers": headers}
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))  # an error in it would be logged
    assert sent[0]["status"] == 400


# ---- a machine that fails, and much at once


def failing_once(records: Records, method: str, at: int) -> Records:
    """Return records of which a method fails once, at its call with this number."""
    do, calls = getattr(records, method), count(1)

    def do_or_fail(*arguments: Any) -> Any:
        if next(calls) == at:
            raise sqlite3.OperationalError("the disk is full")
        return do(*arguments)

    setattr(records, method, do_or_fail)
    return records


@pytest.mark.parametrize(("method", "at"), [("tell", 1), ("unrecorded", 2)])
def test_what_failed_is_done_again(course: CourseFolder, method: str, at: int) -> None:
    with at_work(failing_once(Records(course.root), method, at)) as queue:
        queue.told(queue.hand_in("ann", "return 1"))
        queue.until_recorded()


def test_what_a_full_disk_does_not_keep_is_refused(course: CourseFolder) -> None:
    with at_work(failing_once(Records(course.root), "add", 1)) as queue:
        with pytest.raises(NotTaken, match=r"could not be kept") as refused:
            queue.hand_in("ann", "return 1")
        assert refused.value.status == 507


def test_each_who_waits_for_an_answer_gets_it(course: CourseFolder) -> None:
    records = Records(course.root)
    files = {NOTEBOOK: handed_in("return 1")}
    one = records.add("http", "ann", TWICE, digest_of_files(files), files)

    async def check() -> None:
        queue = new_queue(records)
        patient = asyncio.create_task(queue.answer(one.id, 100 * SECONDS))
        await asyncio.sleep(0)
        assert (await queue.answer(one.id, 0.01)).told is None
        working = asyncio.create_task(queue.run())
        async with asyncio.timeout(SECONDS):
            assert (await patient).told is not None
        working.cancel()

    asyncio.run(check())


@pytest.mark.parametrize(("method", "kept"), [("none", 1), ("zero", 0)])
def test_if_the_best_counts_a_late_hand_in_takes_nothing_away(
    course: CourseFolder, method: str, kept: int
) -> None:
    with (course.root / "nbgrader_config.py").open("a") as file:
        file.write('c.Serve.counts = "best"\n')
        file.write(f"c.LateSubmissionPlugin.penalty_method = {method!r}\n")
    equal = ["return 2 * n", "return n + n"]
    with opened(course) as gradebook:
        gradebook.update_or_create_assignment("another")
    with at_work(Records(course.root)) as queue:
        for body in equal:
            queue.told(queue.hand_in("ann", body))
            queue.until_recorded()
            with opened(course) as gradebook:
                now = datetime.now(UTC).replace(tzinfo=None)
                gradebook.update_or_create_assignment(TWICE, duedate=now)
    [result] = read_results(course, TWICE)
    assert result.score == 4
    assert (course.submitted("ann", TWICE).path / NOTEBOOK).read_bytes() == handed_in(equal[kept])


def test_many_large_files_are_not_in_memory_together(tmp_path: Path) -> None:
    for number in range(16):
        with (tmp_path / str(number)).open("wb") as file:
            file.truncate(4 * 2**20)
    tracemalloc.start()
    assert len(digests_in(tmp_path)) == 16
    assert tracemalloc.get_traced_memory()[1] < 40 * 2**20
    tracemalloc.stop()


def test_a_folder_that_is_safe_on_the_disk_is_open_no_more(tmp_path: Path) -> None:
    keep_on_disk(tmp_path)
    handles = Path("/proc/self/fd").iterdir()
    assert str(tmp_path) not in map(os.path.realpath, handles)
