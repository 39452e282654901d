"""`autograder serve` against those who hand in much, slowly, or while the machine fails."""

import asyncio
import errno
import os
import tracemalloc
from concurrent.futures import BrokenExecutor, Future
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.read_grades import read_results
from autograder.gradebook.timestamp import FILE as TIMESTAMP
from autograder.notebook.submitted_files import copy_files
from autograder.serve import handin_queue as room
from autograder.serve import watch_folders
from autograder.serve.answers_to_students import Serve, Turns
from autograder.serve.handin_queue import HandinQueue
from autograder.serve.http_api import web_app
from autograder.serve.records import Files, HandedIn, Records, digest_of_files
from autograder.serve.watch_folders import WatchedFolders, digests_in, write_files
from tests.autograder.serve.conftest import (
    INBOUND,
    NOTEBOOK,
    TWICE,
    RunningServer,
    at_work,
    handed_in,
    stamp,
    submit,
    twice_with,
)
from tests.waiting import SECONDS, until

pytestmark = [pytest.mark.slow, pytest.mark.deep, pytest.mark.xdist_group("serve")]


def test_no_student_waits_for_more_than_one_hand_in_of_another(course: CourseFolder) -> None:
    records, turns = Records(course.root), Turns()
    flood = [records.add("folder", "mallory", TWICE, str(n), None) for n in range(9)]
    for one in flood:
        turns.add(one)
    honest = records.add("folder", "ann", TWICE, "", None)
    quickest = records.add("http", "bob", TWICE, "", {})
    turns.add(honest)
    turns.add(quickest)
    assert [turns.quick.get_nowait()[-1] for _ in range(3)] == [quickest, flood[0], honest]
    for one in (quickest, flood[0], honest):
        turns.done(one, turns.quick, 0)
    assert turns.quick.get_nowait()[-1] == flood[1]
    turns.done(flood[1], turns.quick, 1000)
    assert turns.quick.empty()
    assert turns.slow.get_nowait()[-1] == flood[2]


def test_what_was_replaced_before_its_turn_is_not_checked(course: CourseFolder) -> None:
    submit(course.root, "ann", "return 1", stamp())
    course.collect_from_exchange(TWICE, "ann")
    records = Records(course.root)
    three = [records.add("exchange", "ann", TWICE, str(n), None) for n in range(3)]
    with at_work(records) as queue:
        assert [len(queue.told(one)["checks"]) for one in three] == [0, 0, 1]


def test_what_was_replaced_before_its_points_were_told_locks_nobody_out(
    course: CourseFolder,
) -> None:
    records = Records(course.root)
    first, again = (
        {NOTEBOOK: handed_in(f"return {number}"), TIMESTAMP: stamp().encode()} for number in (1, 2)
    )
    one = records.add("http", "ann", TWICE, digest_of_files(first), first)
    write_files(again, course.submitted("ann", TWICE).path)
    records.add("folder", "ann", TWICE, digest_of_files(again), None)
    with at_work(records, tells="points") as queue:
        queue.until_recorded()
        assert queue.told(one)["checks"] == []
        assert queue.told(queue.hand_in("ann", "return 2 * n"))["score"] == 4


def test_a_full_disk_delays_an_answer_and_takes_none_away(
    course: CourseFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [OSError(errno.ENOSPC, "the disk is full")]
    write = room.write_files

    def full(files: Files, folder: Path) -> None:
        if failures:
            raise failures.pop()
        write(files, folder)

    monkeypatch.setattr(room, "write_files", full)
    with at_work(Records(course.root)) as queue:
        assert queue.told(queue.hand_in("ann", "return 1"))["checks"]
    assert not failures


def lose(executor: Any, tasks: int) -> None:
    """Let an executor fail at its next tasks as if a worker had been killed."""
    submit = executor.submit

    def lost(*_: object, **__: object) -> Future[Any]:
        nonlocal tasks
        tasks -= 1
        if not tasks:
            executor.submit = submit
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("killed"))
        return future

    executor.submit = lost


def test_a_check_whose_worker_died_is_made_again(course: CourseFolder) -> None:
    checks, numbers = [], set()
    with at_work(Records(course.root)) as queue:
        teller = queue.queue._teller
        for losses, body in ((1, "return 1"), (2, "return 2"), (1, "return 2")):
            teller.released(TWICE)
            lose(teller._executor, losses)
            one = queue.hand_in("ann", body)
            checks.append(len(queue.told(one)["checks"]))
            numbers.add(one.id)
            queue.until_recorded()
    assert (checks, len(numbers)) == ([1, 0, 1], 2)


def test_if_grading_failed_it_is_logged_and_the_same_files_are_graded_again(
    course: CourseFolder, caplog: pytest.LogCaptureFixture
) -> None:
    with at_work(Records(course.root)) as queue:
        lose(queue.queue._graders, 2)
        for score in (0, 4):
            queue.told(queue.hand_in("ann", "return 2 * n"))
            queue.until_recorded()
            assert [result.score for result in read_results(course, TWICE)] == [score]
            assert "twice of ann got no points" in caplog.text


@pytest.mark.parametrize("tells", ["released", "points"])
def test_the_same_files_are_checked_again_after_a_test_was_corrected(
    course: CourseFolder, tells: str
) -> None:
    master = course.masters(TWICE) / NOTEBOOK
    right = master.read_bytes()
    key = "def twice(n):\n    'Double a number.'\n    return 2 * n"
    master.write_bytes(twice_with(key, "assert twice.__doc__"))
    (master.parent / ".#a.ipynb").symlink_to("an-editor@machine.1234")
    with at_work(Records(course.root), tells=tells, attempts=1) as queue:
        for outcome in ("failed", "passed"):
            told = queue.told(queue.hand_in("ann", "return 2 * n"))
            assert [each["outcome"] for each in told["checks"]] == [outcome]
            queue.until_recorded()
            assert queue.hand_in("ann", "return 2 * n").told == told
            master.write_bytes(right)
    assert [result.score for result in read_results(course, TWICE)] == [4]


def test_no_new_gradebook_takes_the_place_of_one_that_is_gone(
    course: CourseFolder, caplog: pytest.LogCaptureFixture
) -> None:
    gradebook, away = course.root / "gradebook.db", course.root / "away.db"
    with at_work(Records(course.root)) as queue:
        queue.hand_in("ann", "return 1")
        queue.until_recorded()
        gradebook.rename(away)
        queue.told(queue.hand_in("bob", "return 1"))
        until(lambda: "the gradebook is gone" in caplog.text, "it is said")
        assert not gradebook.exists()
        away.rename(gradebook)
        queue.until_recorded()


def test_a_place_that_cannot_be_written_holds_up_its_own_student_only(
    course: CourseFolder,
) -> None:
    records, place = Records(course.root), course.submitted("ann", TWICE).path.parent
    place.parent.mkdir()
    place.touch()
    with at_work(records) as queue:
        for student in ("ann", "bob"):
            queue.hand_in(student, "return 1")
        until(lambda: [one.student for one in records.unrecorded()] == ["ann"], "bob is recorded")
        place.unlink()
        queue.until_recorded()


@pytest.mark.parametrize("back", [timedelta(seconds=1), timedelta(days=1)])
def test_a_clock_that_was_set_back_delays_nobody(back: timedelta) -> None:
    serve = Serve(pause=60)
    before = datetime.now(UTC)
    assert serve.refusal([before], before) is not None
    assert serve.refusal([before], before + timedelta(seconds=59)) is not None
    assert serve.refusal([before], before - back) is None


def test_a_form_is_in_utf_8(server: RunningServer) -> None:
    for kind in ("punycode", "utf-16", "unicode_escape"):
        refused = httpx.post(
            f"{server.address}/hand-in",
            headers={"Content-Type": f"multipart/form-data; boundary=b; charset={kind}"},
            content=b"--b--",
        )
        assert refused.status_code == 415, kind


def test_silent_connections_lock_nobody_out(server: RunningServer) -> None:
    with ExitStack() as held:
        for number in range(520):
            held.enter_context(server.connect(b"GET / HTTP/1.1\r\n" if number % 2 else b""))
        assert server.hand_ins("ann").status_code == 200


def test_a_student_waits_for_few_answers_at_once() -> None:
    async def work() -> None:
        free = asyncio.Event()

        async def answer(number: int, seconds: float) -> HandedIn:
            waiting.append(number)
            await free.wait()
            return HandedIn(number, "http", "ann", TWICE, "", datetime.now(UTC), {})

        async def hand_in(*_: object) -> SimpleNamespace:
            return SimpleNamespace(id=1)

        waiting: list[int] = []
        records = SimpleNamespace(student_of=lambda token: "ann")
        settings = SimpleNamespace(largest=8, sites=[])
        rest = {"settings": settings, "records": records, "left": lambda *_: 1}
        queue = SimpleNamespace(hand_in=hand_in, answer=answer, **rest)
        transport = httpx.ASGITransport(web_app(cast(HandinQueue, queue)))
        async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:

            def sent() -> asyncio.Task[httpx.Response]:
                header = {"Authorization": "Bearer t"}
                form = {"data": {"assignment": TWICE}, "files": {"file": ("a", b"")}}
                return asyncio.create_task(client.post("/hand-in", headers=header, **form))

            tasks = []
            for number in range(4):
                tasks.append(sent())
                while len(waiting) <= number:
                    await asyncio.sleep(0)
            assert (await sent()).status_code == 429
            free.set()
            assert {(await task).status_code for task in tasks} == {200}
            assert (await sent()).status_code == 200

    asyncio.run(asyncio.wait_for(work(), SECONDS))


def test_what_came_after_the_last_grading_is_new_when_a_server_begins(course: CourseFolder) -> None:
    for student in ("ann", "bob", "eve"):
        course.submitted(student, TWICE).path.mkdir(parents=True)
    graded = [course.graded(student, TWICE) for student in ("ann", "bob")]
    for folder in graded:
        folder.mkdir(parents=True)
    again = course.submitted("bob", TWICE).path / NOTEBOOK

    def is_later() -> bool:
        again.write_bytes(b"")
        return again.stat().st_ctime > graded[-1].stat().st_ctime

    until(is_later, "the clock of the disk has gone on")
    old: dict[str, bool] = {}
    watcher = WatchedFolders(course, lambda f, _, is_old: old.update({f.student: is_old}), bool)
    watcher._changed(None)
    assert old == {"ann": True, "bob": False, "eve": False}


def test_of_a_folder_not_more_is_copied_and_read_than_is_of_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "many"
    source.mkdir()
    for number in range(3000):
        (source / f"{number:04}").touch()
    [left] = copy_files(source, tmp_path / "a", 9)
    assert left.endswith("has more than 2000 files; the rest were left there")
    assert len(list((tmp_path / "a").iterdir())) == 2000
    with (source / "0000").open("wb") as file:
        file.truncate(10**12)
    tracemalloc.start()
    with pytest.raises(OSError, match="too much"):
        copy_files(source, tmp_path / "b", 10**8)
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()
    monkeypatch.setattr(watch_folders, "_MOST_BYTES", 10)
    two = tmp_path / "two"
    two.mkdir()
    for name in ("a", "b"):
        (two / name).write_bytes(b"12345678")
    found = digests_in(two)
    assert found["a"] != found["b"]


def test_the_exchange_is_collected_in_turn_and_as_fast_as_answers_come(
    course: CourseFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"user{number}" for number in range(4)]
    for name in (*names, "zoe"):
        folder = submit(course.root, name, "return 1", stamp())
        if os.getuid() == 0 and name != "zoe":  # the others are all of one user
            os.chown(folder, 12345, 12345)
    submit(course.root, "ann", "return 1", stamp()).joinpath("big").touch()
    os.truncate(next((course.root / INBOUND).glob("ann+*")) / "big", 10**12)
    seen: list[str] = []
    has_room = False
    watcher = WatchedFolders(course, lambda one, *_: seen.append(one.student), lambda: has_room)
    monkeypatch.setattr(watch_folders, "_TURN", SECONDS)
    watcher._came([course.root])
    assert seen == []
    has_room = True
    watcher._came([])
    assert set(seen) == {*names, "zoe"}
    assert os.getuid() or seen.index("zoe") <= 2  # ann is the same user, and comes before
    late = submit(course.root, "zoe", "return 2", stamp())
    monkeypatch.setattr(watch_folders, "_TURN", -1)
    watcher._came([late])
    monkeypatch.setattr(watch_folders, "_TURN", SECONDS)
    watcher._came([])  # the failed one is not tried again, but the new one is read
    assert seen.count("zoe") == 2
