"""Many hand-ins at once: seconds until they are answered, and until they are in the gradebook.

    python -m tests.autograder.serve.load [--students 125 --times 8 --over 600]

A class of lesson 1 hands in by HTTP within a second, or each student `--times` times within
`--over` seconds.
"""

import argparse
import asyncio
import json
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

import httpx

from autograder.course_adapter import ROOT
from autograder.sample import write_class
from autograder.serve.records import Records
from tests.autograder.grading_helpers import LESSON
from tests.autograder.serve.conftest import RunningServer, new_course, serving


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
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        sample, course = Path(home, "sample"), new_course(Path(home, "course"))
        names = write_class(ROOT, LESSON, options.students, sample, "class")
        files = [
            (name, (sample / "submitted" / name / LESSON / "merge-a-line.ipynb").read_bytes())
            for name in names
        ]
        often = [(name, changed(file, n)) for n in range(options.times) for name, file in files]
        with serving(course, ("first", *names)) as server:
            asyncio.run(hand_in_all(server, [("first", files[0][1])]))  # the plan is made
            alone = asyncio.run(hand_in_all(server, [("first", files[1][1])]))
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


if __name__ == "__main__":
    main()
