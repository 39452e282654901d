"""A program for the container: plain nbgrader grades a hostile submission, then a right one.

It prints one line of JSON: the score of each student, or null for a missing grade.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
from contextlib import suppress

LESSON = "1-merge-a-line"
STUDENTS = ("hostile", "right")
_GRADE = [sys.executable, "-m", "nbgrader", "autograde", LESSON, "--Execute.timeout=4"]
_LONGEST = 90


def main() -> None:
    """Give up root's rights, limit this process, grade both submissions, and print the scores."""
    os.setgroups([])
    if os.geteuid() == 0:
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
    resource.setrlimit(resource.RLIMIT_NPROC, (150, 150))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**26, 2**26))
    shutil.copytree("/input", "/class/course", copy_function=shutil.copyfile)
    os.chdir("/class/course")
    for student in STUDENTS:
        with suppress(subprocess.TimeoutExpired):
            subprocess.run([*_GRADE, f"--student={student}"], timeout=_LONGEST, stdout=2)
    print(json.dumps({student: _score(student) for student in STUDENTS}), flush=True)


def _score(student: str) -> float | None:
    from nbgrader.api import Gradebook, MissingEntry

    if not os.path.isdir(f"autograded/{student}/{LESSON}"):
        return None
    with Gradebook("sqlite:///gradebook.db") as gradebook:
        try:
            return float(gradebook.find_submission(LESSON, student).score)
        except MissingEntry:
            return None


if __name__ == "__main__":
    main()
