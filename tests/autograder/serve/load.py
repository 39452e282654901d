"""Many hand-ins at once: seconds until they are answered, and until they are in the gradebook.

    python -m tests.autograder.serve.load [--students 128] [--like class]

A class of lesson 1 hands in by HTTP within a second. Beside it, in the same run, `nbgrader
autograde` grades the same submissions (`--plain`, which takes minutes).
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

import httpx

from autograder.course_adapter import ROOT
from autograder.sample import write_class
from autograder.serve.records import Records
from tests.autograder.serve.conftest import RunningServer, new_course, serving
from tests.autograder.submissions import LESSON


async def hand_in_all(server: RunningServer, files: dict[str, bytes]) -> list[float]:
    """Hand in one file of each student within a second; return the seconds until each answer."""

    async def one(client: httpx.AsyncClient, student: str, place: int) -> float:
        await asyncio.sleep(place / len(files))  # not all in the same instant
        begin = time.monotonic()
        response = await client.post(
            f"{server.address}/hand-in",
            headers={"Authorization": f"Bearer {server.tokens[student]}"},
            data={"assignment": LESSON},
            files=[("file", ("merge-a-line.ipynb", files[student]))],
        )
        assert response.status_code == 200, response.text
        return time.monotonic() - begin

    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(timeout=600, limits=limits) as client:
        return await asyncio.gather(*(one(client, who, n) for n, who in enumerate(files)))


def shown(what: str, seconds: list[float]) -> str:
    """Return a line with the first, the median, the 99th percentile and the last."""
    last = quantiles(seconds, n=100)[98] if len(seconds) > 1 else seconds[0]
    numbers = min(seconds), median(seconds), last, max(seconds)
    return f"{what:12}" + "".join(f"{number:9.2f}" for number in numbers)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=128)
    parser.add_argument("--plain", action="store_true", help="also time nbgrader autograde")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        sample = Path(home, "sample")
        names = write_class(ROOT, LESSON, options.students, sample, "class")
        files = {
            name: (sample / "submitted" / name / LESSON / "merge-a-line.ipynb").read_bytes()
            for name in names
        }
        course = new_course(Path(home, "course"))
        with serving(course, ("first", *names)) as server:
            asyncio.run(hand_in_all(server, {"first": files[names[0]]}))  # the plan is made
            alone = asyncio.run(hand_in_all(server, {"first": files[names[1]]}))
            begin = time.time()
            told = asyncio.run(hand_in_all(server, files))
            records = Records(course)
            while records.unrecorded():
                time.sleep(0.05)
            recorded = time.time() - begin
            is_there = [server.score(name, LESSON) is not None for name in names]
        print(f"{'seconds':12}{'first':>9}{'median':>9}{'99 %':>9}{'last':>9}")
        print(shown("one alone", alone))
        print(shown("told", told))
        print(f"all of {len(names)} recorded after {recorded:.2f}; lost: {is_there.count(False)}")
        if options.plain:
            begin = time.time()
            config = sample / "nbgrader_config.py"
            config.write_text("c = get_config()\nc.CourseDirectory.course_id = '2048'\n")
            for command in ("generate_assignment", "autograde"):
                subprocess.run(
                    [sys.executable, "-m", "nbgrader", command, LESSON, "--force"],
                    cwd=sample, capture_output=True, check=False,
                )  # fmt: skip
            print(f"nbgrader autograde: {time.time() - begin:.1f} s for the same")


if __name__ == "__main__":
    main()
