"""Many hand-ins at once: seconds until they are answered, and until they are in the gradebook.

    python -m tests.autograder.serve.load [--students 128] [--plain]
    python -m tests.autograder.serve.load --students 125 --times 8 --over 600 --formgrader

A class of lesson 1 hands in by HTTP within a second, or each student `--times` times within
`--over` seconds. With `--plain`, `nbgrader autograde` then grades the same submissions, which takes
minutes. With `--formgrader`, an instructor writes comments in formgrader all the time.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread

import httpx
from nbgrader.api import Gradebook
from playwright.sync_api import Page, expect, sync_playwright

from autograder.course_adapter import ROOT
from autograder.sample import write_class
from autograder.serve.records import Records
from tests.autograder.grading_helpers import LESSON
from tests.autograder.serve.conftest import RunningServer, new_course, serving
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.servers import TOKEN, Server, jupyter_server


async def hand_in_all(
    server: RunningServer, files: list[tuple[str, bytes]], over: float = 1.0
) -> list[float]:
    """Hand in files of students within `over` seconds; return the seconds until each answer."""

    async def one(client: httpx.AsyncClient, student: str, file: bytes, place: int) -> float:
        await asyncio.sleep(over * place / len(files))  # not all in the same instant
        begin = time.monotonic()
        response = await client.post(
            f"{server.address}/hand-in",
            headers={"Authorization": f"Bearer {server.tokens[student]}"},
            data={"assignment": LESSON},
            files=[("file", ("merge-a-line.ipynb", file))],
        )
        assert response.status_code == 200, response.text
        return time.monotonic() - begin

    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(timeout=600, limits=limits) as client:
        return await asyncio.gather(*(one(client, *each, n) for n, each in enumerate(files)))


def changed(file: bytes, number: int) -> bytes:
    """Return a notebook with a number in a comment, so that it has to be graded anew."""
    notebook = json.loads(file)
    for cell in notebook["cells"]:
        if cell["id"] == "merge":
            cell["source"] = "".join(cell["source"]) + f"\n# {number}"
    return json.dumps(notebook).encode()


@contextmanager
def commenting(course: Path, home: Path) -> Iterator[None]:
    """Let an instructor write comments in formgrader in a `with` block; print how many are lost."""
    place = home / "root" / "course"
    home.mkdir()
    (home / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.root = {str(place)!r}\n"
        'c.CourseDirectory.course_id = "2048"\n'
    )
    seconds: dict[str, float] = {}  # of the comment on each student's answer
    ended = Event()

    def write(jupyter: Server) -> None:
        with sync_playwright() as playwright:
            page = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS).new_page()
            while not ended.is_set():
                with Gradebook(f"sqlite:///{course}/gradebook.db", "2048") as book:
                    there = book.notebook_submissions("merge-a-line", LESSON)
                    ids = {one.student.id: one.id for one in there}
                for student in sorted(set(ids) - set(seconds))[:1]:
                    begin = time.monotonic()
                    comment_on(page, jupyter, ids[student], f"I have seen this, {student}.")
                    seconds[student] = time.monotonic() - begin
                ended.wait(0.5)

    with jupyter_server(home, environment={"JUPYTER_CONFIG_PATH": str(home)}) as jupyter:
        place.symlink_to(course)
        instructor = Thread(target=write, args=(jupyter,))
        instructor.start()
        try:
            yield
        finally:
            ended.set()
            instructor.join()
    with Gradebook(f"sqlite:///{course}/gradebook.db", "2048") as book:
        found = [book.find_comment("merge", "merge-a-line", LESSON, who).comment for who in seconds]
    gone = sum("I have seen this" not in (text or "") for text in found)
    print(f"{len(seconds)} comments, {gone} lost, the slowest took {max(seconds.values()):.1f} s")


def comment_on(page: Page, jupyter: Server, submission: str, text: str) -> None:
    """Write a comment below the answer `merge` in formgrader."""
    place = f"/formgrader/submissions/{submission}/"
    page.goto(f"{jupyter.address}/login?token={TOKEN}&next={place}")
    page.wait_for_function("formgrader.grades.loaded && formgrader.comments.loaded")
    field = page.locator("#merge-comment")
    expect(field).to_be_enabled()
    with page.expect_response(lambda answer: answer.request.method == "PUT") as answer:
        field.fill(text)
        field.dispatch_event("change")
        field.blur()
    assert answer.value.ok


def shown(what: str, seconds: list[float]) -> str:
    """Return a line of the table: the least, median, 99th percentile and most of the seconds."""
    last = quantiles(seconds, n=100)[98] if len(seconds) > 1 else seconds[0]
    numbers = min(seconds), median(seconds), last, max(seconds)
    return f"{what:12}" + "".join(f"{number:9.2f}" for number in numbers)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=128)
    parser.add_argument("--times", type=int, default=1, help="each student hands in so often")
    parser.add_argument("--over", type=float, default=1.0, help="seconds for all hand-ins")
    parser.add_argument("--formgrader", action="store_true", help="comment in formgrader meanwhile")
    parser.add_argument("--plain", action="store_true", help="also time nbgrader autograde")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        sample, course = Path(home, "sample"), new_course(Path(home, "course"))
        names = write_class(ROOT, LESSON, options.students, sample, "class")
        files = [
            (name, (sample / "submitted" / name / LESSON / "merge-a-line.ipynb").read_bytes())
            for name in names
        ]
        often = [(name, changed(file, n)) for n in range(options.times) for name, file in files]
        with ExitStack() as stack:
            server = stack.enter_context(serving(course, ("first", *names)))
            asyncio.run(hand_in_all(server, [("first", files[0][1])]))  # the plan is made
            alone = asyncio.run(hand_in_all(server, [("first", files[1][1])]))
            if options.formgrader:
                stack.enter_context(commenting(course, Path(home, "instructor")))
            begin = time.time()
            told = asyncio.run(hand_in_all(server, often, options.over))
            records = Records(course)
            waiting = {one.id: one.at for one in records.unrecorded()}
            recorded = []
            while waiting:
                left = {one.id for one in records.unrecorded()}
                now = datetime.now(UTC)
                for number in waiting.keys() - left:
                    recorded.append((now - waiting.pop(number)).total_seconds())
                time.sleep(0.05)
            last = time.time() - begin
            lost = sum(server.score(name, LESSON) is None for name in names)
        print(f"{'seconds':12}{'first':>9}{'median':>9}{'99 %':>9}{'last':>9}")
        print(shown("one alone", alone))
        print(shown("told", told))
        print(shown("recorded", recorded))
        print(f"all {len(often)} recorded after {last:.2f}; students without a score: {lost}")
        if options.plain:
            begin = time.time()
            config = sample / "nbgrader_config.py"
            config.write_text("c = get_config()\nc.CourseDirectory.course_id = '2048'\n")
            programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            for command in ("generate_assignment", "autograde"):
                subprocess.run(
                    [sys.executable, "-m", "nbgrader", command, LESSON, "--force"],
                    cwd=sample,
                    env={**os.environ, "PATH": programs},
                    capture_output=True,
                    check=True,
                )
            print(f"nbgrader autograde: {time.time() - begin:.1f} s for the same")


if __name__ == "__main__":
    main()
