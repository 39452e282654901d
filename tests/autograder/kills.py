"""Kills of the grader at random moments: the next run goes on, and must come to the same result.

`python -m tests.autograder.kills --times 50` prints a line for each kill, and what the grader said
if that was more than a sentence. Half of the runs begin with nothing, not even a gradebook; the
others grade a class again of which half has handed in again.
"""

import argparse
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any

from autograder.course import ROOT
from autograder.sample import Sampler, real_class
from tests.autograder.conftest import LESSON, make_course
from tests.autograder.gradebook.books import LATE_IS_ZERO, WRONG, hands_in, opened
from tests.autograder.gradebook.contents import files_of, rows_of
from tests.lessons.right import right_styles

SIZE = 8
# Two results are written at a time; otherwise so small a class would be written in one go.
PROGRAM = f"""
import sys
from autograder.__main__ import main
from autograder.shutdown import take_signals
take_signals()
open("begun", "w").close()  # until here Python itself answers Ctrl+C
class Smaller:
    def find_spec(self, name, path=None, target=None):
        if name == "autograder.grading":
            import autograder.classroom
            autograder.classroom._BATCH = 2
sys.meta_path.insert(0, Smaller())
sys.argv = ["autograder", "grade", {LESSON!r}, "--workers", "2", "--json"]
main()
"""
Course = tuple[Any, Any]


def kill_main(grader: subprocess.Popen[str]) -> None:
    grader.send_signal(signal.SIGKILL)


def kill_all(grader: subprocess.Popen[str]) -> None:
    os.killpg(grader.pid, signal.SIGKILL)


def press_ctrl_c(grader: subprocess.Popen[str]) -> None:
    """Send Ctrl+C to the grader and to its workers, as a terminal does."""
    os.killpg(grader.pid, signal.SIGINT)


def press_twice(grader: subprocess.Popen[str]) -> None:
    press_ctrl_c(grader)
    press_ctrl_c(grader)


def ask_to_end(grader: subprocess.Popen[str]) -> None:
    grader.terminate()


def close_terminal(grader: subprocess.Popen[str]) -> None:
    os.killpg(grader.pid, signal.SIGHUP)


WAYS: dict[str, Callable[[subprocess.Popen[str]], None]] = {
    "SIGKILL": kill_main,
    "SIGKILL to all": kill_all,
    "Ctrl+C": press_ctrl_c,
    "Ctrl+C twice": press_twice,
    "SIGTERM": ask_to_end,
    "SIGHUP": close_terminal,
}


@dataclass(frozen=True)
class Kind:
    """A folder to begin with, and the outcome of a run that nobody disturbs.

    `entered` and `seconds` are the times until the run first writes something, and until it ends.
    """

    name: str
    folder: Path
    entered: float
    seconds: float
    outcome: Course


def outcome(course: Path) -> Course:
    """Return all tables of the gradebook, and all graded notebooks."""
    return rows_of(f"sqlite:///{course / 'gradebook.db'}"), files_of(course / "autograded")


def start(course: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=course,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def grade(course: Path) -> int:
    """Grade to the end, and return the number of submissions that had to be graded."""
    grader = start(course)
    said, complaints = grader.communicate()
    assert grader.returncode in (0, 1), complaints
    return len(said.splitlines())


def first_class(folder: Path) -> Path:
    course = make_course(folder)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(LATE_IS_ZERO)
    for student in real_class(Sampler(ROOT, LESSON, right_styles(LESSON)), SIZE):
        student.hand_in(course / "submitted" / student.name / LESSON)
    (course / "submitted" / "student-3" / LESSON / "merge-a-line.ipynb").write_bytes(b"{")
    return course


def changed_class(graded: Path, folder: Path) -> Path:
    """Copy a graded class: half hands in again, a person enters a score, a comment, a due date."""
    shutil.copytree(graded, folder)
    for number in range(1, SIZE, 2):
        hands_in(folder, Sampler(ROOT, LESSON))(f"student-{number}", merge=WRONG)
    with opened(folder) as book:
        book.update_or_create_assignment(LESSON, duedate="2026-03-02 00:00:00 UTC")
        row = book.find_grade("merge-once", "merge-a-line", LESSON, "student-1")
        row.manual_score, row.extra_credit = 1.5, 0.5
        notebook = book.find_submission_notebook("merge-a-line", LESSON, "student-1")
        notebook.comments[0].manual_comment = "Look at the second tile."
        book.db.commit()
    return folder


def kinds(root: Path) -> list[Kind]:
    first = undisturbed("first", first_class(root / "first"), root / "graded")
    changed = changed_class(root / "graded", root / "again")
    return [first, undisturbed("again", changed, root / "graded again")]


def undisturbed(name: str, folder: Path, course: Path) -> Kind:
    shutil.copytree(folder, course)
    begin = time.monotonic()
    grader = start(course)
    wait_until_written(grader, folder, course)
    entered = time.monotonic() - begin
    complaints = grader.communicate()[1]
    assert grader.returncode in (0, 1), complaints
    return Kind(name, folder, entered, time.monotonic() - begin, outcome(course))


def wait_until_written(grader: subprocess.Popen[str], folder: Path, course: Path) -> None:
    """Wait until a run has entered something in the gradebook for the first time."""
    before = written(folder)
    while grader.poll() is None and written(course) == before:
        time.sleep(0.01)


def written(course: Path) -> int:
    book = course / "gradebook.db"
    return book.stat().st_mtime_ns if book.exists() else 0


def disturbed(kind: Kind, way: str, rng: Random, course: Path) -> tuple[str, str]:
    """Kill a run at a random moment; return the moment in words, and the run's last messages.

    Half of the kills come after something has been written, because that part of a run is short.
    """
    while True:
        shutil.copytree(kind.folder, course)
        grader = start(course)
        while grader.poll() is None and not (course / "begun").exists():
            time.sleep(0.001)
        if rng.random() < 0.5:
            wait_until_written(grader, kind.folder, course)
            seconds = rng.uniform(0, kind.seconds - kind.entered)
            moment = f"written + {seconds:.2f} s"
        else:
            seconds = rng.uniform(0, kind.seconds)
            moment = f"{seconds:.2f} s"
        try:
            grader.wait(seconds)
        except subprocess.TimeoutExpired:
            WAYS[way](grader)
            return moment, grader.communicate()[1]
        grader.communicate()
        shutil.rmtree(course)  # it had ended before the kill: once more


def was_there(course: Path) -> str:
    """Return in words what a kill has left.

    The gradebook is read from a copy, because reading it may repair it.
    """
    with tempfile.TemporaryDirectory() as scratch:
        for path in course.glob("gradebook.db*"):
            shutil.copy(path, scratch)
        if not (course / "gradebook.db").exists():
            return "no gradebook"
        notebooks = len(list((course / "autograded").glob("[!.]*/*/*.ipynb")))
        return f"{_scores(Path(scratch))} scores, {notebooks} notebooks"


def _scores(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "gradebook.db")) as book:
        try:
            return int(book.execute("SELECT count(*) FROM submitted_assignment").fetchone()[0])
        except sqlite3.OperationalError:  # the table does not exist yet
            return 0


@dataclass(frozen=True)
class Trial:
    """One kill, and its result."""

    way: str
    is_equal: bool
    told: str
    said: str

    @property
    def is_quiet(self) -> bool:
        """True if the grader wrote no more than a line.

        A grader that is killed says nothing. One that is asked to end says one sentence, or has
        just said all.
        """
        return len(self.said.splitlines()) <= 1


def trial(kind: Kind, way: str, rng: Random, course: Path) -> Trial:
    moment, said = disturbed(kind, way, rng, course)
    left, graded = was_there(course), grade(course)
    is_equal = outcome(course) == kind.outcome
    is_equal &= not list((course / "autograded").glob(".unfinished-*"))
    shutil.rmtree(course)
    told = f"{kind.name}  {moment:16}  {way:14}  {left:22}  then {graded} graded"
    return Trial(way, is_equal, told, said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=2048)
    wishes = parser.parse_args()
    # a shell makes a program in the background ignore Ctrl+C, and its children would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = Random(wishes.seed)
    trials = []
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        known = kinds(Path(folder))
        for kind in known:
            times = f"{kind.entered:.1f} s until something is written, {kind.seconds:.1f} s in all"
            print(f"{kind.name}: {SIZE} students, undisturbed {times}", flush=True)
        for number in range(wishes.times):
            done = trial(known[number % 2], rng.choice(list(WAYS)), rng, Path(folder) / "killed")
            trials.append(done)
            verdict = "equal" if done.is_equal else "DIFFERENT"
            print(f"{number + 1:3}  {done.told}  {verdict}", flush=True)
            if not done.is_quiet:
                print(indent(done.said, "     | "), flush=True)
    ways = Counter(one.way for one in trials)
    print(", ".join(f"{ways[way]} by {way}" for way in WAYS), end=": ")
    equal = sum(one.is_equal for one in trials)
    loud = sum(not one.is_quiet for one in trials)
    print(f"{equal} of {len(trials)} equal; {loud} said more than a sentence")
    sys.exit(equal != len(trials))


if __name__ == "__main__":
    main()
