"""Grading of hostile programs with plain nbgrader, in a container that protects this machine."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import psutil

import course
from autograder.jail.bubblewrap import bwrap, interpreter_mounts, jail_user, site_packages
from course.lessons import lesson
from tests.samples.hostile import grade_with_plain_nbgrader

LESSON = grade_with_plain_nbgrader.LESSON
_LONGEST = 240  # seconds for one container
_MEMORY_LEFT = 6 * 2**30  # bytes that the machine must keep
_PROJECT = Path(course.__file__).parents[1]

Scores = dict[str, float | None]


@contextmanager
def plain_course() -> Iterator[Path]:
    """Yield a course folder for plain nbgrader, with a released lesson and no submissions."""
    with tempfile.TemporaryDirectory(prefix="plain-") as name:
        folder = Path(name)
        shutil.copytree(_PROJECT / "source" / LESSON, folder / "source" / LESSON)
        generate = [sys.executable, "-m", "nbgrader", "generate_assignment", LESSON]
        # nbgrader calls a program that is in the same folder as its interpreter.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path}
        subprocess.run(generate, cwd=folder, env=environment, check=True, capture_output=True)
        shutil.copy(grade_with_plain_nbgrader.__file__, folder / "driver.py")
        for place in (folder, *folder.rglob("*")):
            place.chmod(0o755 if place.is_dir() else 0o644)
        yield folder


def grade_plainly(folder: Path, source: str) -> Scores:
    """Grade a program, then a right one; return their scores, or `None` for a missing grade."""
    for student, merge in (("hostile", source), ("right", None)):
        _hand_in(folder / "submitted" / student / LESSON, merge)
    with tempfile.TemporaryFile() as answer, _container(folder) as (command, fds):
        process = subprocess.Popen(
            command,
            pass_fds=fds,
            stdout=answer,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        done = Event()
        watch = Thread(target=_watch, args=(process, done))
        watch.start()
        process.wait()
        done.set()
        watch.join()
        answer.seek(0)
        last = answer.read().decode("utf-8", "replace").strip().splitlines()[-1:]
    try:
        scores: Scores = json.loads(last[0])
        return {student: scores[student] for student in grade_with_plain_nbgrader.STUDENTS}
    except (IndexError, ValueError, TypeError, KeyError):
        return dict.fromkeys(grade_with_plain_nbgrader.STUDENTS)


def _hand_in(folder: Path, merge: str | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = lesson(LESSON).notebook
    notebook = json.loads((_PROJECT / "source" / LESSON / name).read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["id"] == "merge" and merge is not None:
            cell["source"] = merge
    (folder / name).write_text(json.dumps(notebook), "utf-8")


def _watch(process: subprocess.Popen[bytes], done: Event) -> None:
    """Kill the container if it takes too long, or if the machine has little memory left."""
    end = time.monotonic() + _LONGEST
    while not done.wait(0.1):
        if time.monotonic() > end or psutil.virtual_memory().available < _MEMORY_LEFT:
            process.kill()
            return


@contextmanager
def _container(folder: Path) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """Yield the command that grades in a container, and the file descriptors that it needs.

    The container has no network, sees only its own processes, and leaves no files.
    """
    interpreter, mounts = interpreter_mounts()
    with jail_user() as (user, fds):
        command = [bwrap(), "--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts"]
        command += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", *user]
        command += ["--clearenv", *mounts]
        command += ["--proc", "/proc", "--dev", "/dev", "--ro-bind", str(folder), "/input"]
        command += ["--perms", "0755", "--dir", "/project"]
        command += ["--ro-bind", str(_PROJECT / "course"), "/project/course"]
        command += ["--ro-bind", os.path.join(sys.prefix, "share/jupyter"), "/jupyter"]
        for place in ("/tmp", "/class"):
            command += ["--perms", "0777", "--size", str(2**29), "--tmpfs", place]
        known = {
            "PATH": "/usr/bin",
            "HOME": "/class",
            "JUPYTER_PATH": "/jupyter",
            "LANG": "C.UTF-8",
        }
        paths = ":".join([*site_packages(True), "/project"])
        known |= {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
        for name, value in known.items():
            command += ["--setenv", name, value]
        yield [*command, "--chdir", "/class", interpreter, "/input/driver.py"], fds
