"""A grader that is killed: none of its processes lives on, and the next run completes its work."""

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest
import sqlalchemy

from autograder import grading_run
from autograder.cli import app
from autograder.jail.temporary_folder import remove_orphans
from autograder.sample import Sampler, real_class
from tests.autograder.conftest import LESSON
from tests.autograder.gradebook.contents import files_of, rows_of
from tests.autograder.gradebook.nbgrader_helpers import address_of, hands_in
from tests.parametrize_marks import some_in_every_run
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("next_grader")]

ENDLESS = "def merge(line):\n    while True:\n        pass"


def below(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    def is_alive(process: psutil.Process) -> bool:
        with suppress(psutil.NoSuchProcess):
            return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        return False

    return list(filter(is_alive, processes))


def let_ctrl_c_in() -> None:
    """Let Ctrl+C end this process and its children.

    A shell starts background programs so that they ignore Ctrl+C, and their children do so, too.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


SIGNALS = {
    "kill -9": signal.SIGKILL,
    "Ctrl+C": signal.SIGINT,
    "kill": signal.SIGTERM,
    "a closed terminal": signal.SIGHUP,
}


@pytest.mark.parametrize("sent", some_in_every_run(SIGNALS, ["kill -9"]))
def test_nothing_lives_on_and_nothing_is_left(
    course: Path, sampler: Sampler, tmp_path: Path, sent: signal.Signals
) -> None:
    hand_in = hands_in(course, sampler)
    for number in range(2):
        hand_in(f"student-{number}", merge=ENDLESS)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    grader = subprocess.Popen(
        [sys.executable, "-m", "autograder", "grade", LESSON, "--workers", "2"],
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        process_group=0,
        preexec_fn=let_ctrl_c_in,
    )
    try:
        until(
            lambda: len(working(grader.pid, temporary)) == 2 or grader.poll() is not None,
            "two workers judge a submission",
        )
        assert grader.poll() is None, grader.communicate()[1]
        processes = below(grader.pid)
    except BaseException:
        grader.kill()
        raise
    if sent == signal.SIGKILL:
        grader.kill()
    else:
        for _ in range(2):  # a terminal sends the signal to the whole group
            os.killpg(grader.pid, sent)
    said = "Stopped; what was recorded stays, and the same command goes on from there.\n"
    assert grader.communicate()[1] == ("" if sent == signal.SIGKILL else said)
    assert grader.returncode == (-sent if sent == signal.SIGKILL else 128 + sent)
    until(lambda: not alive(processes), "nothing of the grader lives")

    def left() -> list[str]:
        remove_orphans(temporary)  # the next jail does so after kill -9
        return os.listdir(temporary)

    until(lambda: not left(), f"nothing is left of {os.listdir(temporary)}")


def working(grader: int, temporary: Path) -> set[str]:
    """Return the process numbers of the workers that have begun to judge.

    Such a worker has a second jail, in which it makes the messages that students read.
    """
    owners = Counter(folder.name.split("-")[1] for folder in temporary.glob("jail-*-*"))
    return {owner for owner, jails in owners.items() if jails > 1 and owner != str(grader)}


def grade_and_die(course: str, deadly: int, counted: Any) -> None:
    """Grade in this process, and kill it right before its step number `deadly`.

    A step is a change on the disk (a file is written, renamed or removed, for example) or a
    statement to the database.
    """
    os.chdir(course)
    steps = count(1)

    def step(*_: object) -> None:
        counted.value = next(steps)
        if counted.value == deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event in ON_DISK or (event == "open" and arguments[1] not in ("r", "rb")):
            step()

    sys.addaudithook(watch)
    for event in ("before_cursor_execute", "commit"):
        sqlalchemy.event.listen(sqlalchemy.Engine, event, step)
    grading_run._BATCH = 1
    app(["grade", LESSON, "--workers", "1", "--json"], standalone_mode=False)


ON_DISK = {"os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "shutil.copyfile"}


@pytest.mark.deep
def test_killed_at_any_step_the_next_run_comes_to_the_same(
    course: Path, kept_plans: Path, sampler: Sampler, tmp_path: Path
) -> None:
    for student in real_class(sampler, 2):
        student.hand_in(course / "submitted" / student.name / LESSON)
    context = get_context("forkserver")  # nbgrader is loaded only once
    context.set_forkserver_preload(
        [__name__, "autograder.grade_assignment", "autograder.gradebook.course_folder"]
    )
    counted = context.Value("i", 0)

    def run(folder: Path, deadly: int = 0) -> int | None:
        process = context.Process(target=grade_and_die, args=(str(folder), deadly, counted))
        process.start()
        process.join()
        return process.exitcode

    run(shutil.copytree(course, tmp_path / "first"))  # the first run may have to compile modules
    whole = shutil.copytree(course, tmp_path / "whole")
    run(whole)
    rows, files = rows_of(address_of(whole)), files_of(whole / "autograded")
    assert counted.value > 100
    steps = counted.value * 9 // 10  # the number of steps near the end of a run may vary
    for deadly in Random(2048).sample(range(1, steps), 4):
        killed = shutil.copytree(course, tmp_path / f"killed at {deadly}")
        assert run(killed, deadly) == -signal.SIGKILL
        run(killed)
        assert rows_of(address_of(killed)) == rows
        assert files_of(killed / "autograded") == files
        assert not list((killed / "autograded").glob(".unfinished-*"))
