"""When the grader is killed nothing of it lives on, and the next run clears up after it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.sample import Sampler
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.records.books import hands_in

pytestmark = pytest.mark.slow

ENDLESS = "def merge(line):\n    while True:\n        pass"
Processes = dict[int, str]


def start_time(pid: int) -> str:
    """What tells a process from a later one with its number; empty once it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def below(pid: int) -> Processes:
    """All that a process started, and what those started."""
    found: Processes = {}
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in path.read_text().split()]
        except OSError:
            continue
        for child in children:
            found |= {child: start_time(child), **below(child)}
    return found


def wait_until(is_so: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return is_so()


def alive(processes: Processes) -> list[int]:
    return [pid for pid, start in processes.items() if start and start_time(pid) == start]


def test_nothing_lives_on_five_seconds_after_kill_9(
    course: Path, sampler: Sampler, tmp_path: Path
) -> None:
    hand_in = hands_in(course, sampler)
    for number in range(2):
        hand_in(f"student-{number}", merge=ENDLESS)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    grader = subprocess.Popen(
        [sys.executable, "-m", "autograder", "grade", LESSON, "--workers", "2"],
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        # two workers, and in the jail of each bubblewrap, the warm process and a submission
        assert wait_until(lambda: len(below(grader.pid)) >= 8, 60)
        processes = below(grader.pid)
    finally:
        os.kill(grader.pid, signal.SIGKILL)
        grader.wait()
    assert wait_until(lambda: not alive(processes), 5), alive(processes)


def test_the_next_run_clears_what_was_left_unfinished(
    course: Path, sampler: Sampler, autograder: Autograder
) -> None:
    sampler.students()["right"][0].hand_in(course / "submitted" / "someone" / LESSON)
    program = (
        "import os, signal, autograder.records.autograded as a\n"
        "a._replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from autograder.cli import app\n"
        f"app(['grade', {LESSON!r}, '--workers', '1'])\n"
    )
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert list(Path("autograded").glob(".unfinished-*"))
    assert autograder("grade", LESSON, "--workers", 1).exit_code == 0
    assert os.listdir("autograded") == ["someone"]
