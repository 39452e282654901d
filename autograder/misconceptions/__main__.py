"""A program that checks if exercises and notebooks agree, and writes files made from exercises.

Print a sentence for each change. If a person still has to write something, print what it is, and
exit with status 1.
"""

import json
import subprocess
import sys

from autograder.course_adapter import FOLDER, Lesson, lessons
from autograder.misconceptions.sync_exercises_with_notebooks import (
    fill_in,
    problems,
    tidy,
    unnoticed,
)
from autograder.misconceptions.write_digests import SOURCE, write_digests


def is_changed(lesson: Lesson) -> bool:
    """Return true if a lesson differs from the last commit, or its checks from the last release."""
    folders = (f"source/{lesson.id}", f"course/exercises/{lesson.id}")
    status = ["git", "status", "--porcelain", "--", *folders]
    if subprocess.run(status, cwd=FOLDER.parent, capture_output=True).stdout:
        return True
    released = json.loads((FOLDER / "mine" / "released.json").read_text(encoding="utf-8"))
    given = [released[one.name]["checks"] for one in lesson.exercises if one.name in released]
    return set().union(*given) != lesson.checks.keys()


for lesson in lessons():
    if tidy(lesson, SOURCE):
        print(f"{lesson.notebook}: brought into its form (cell ids, outputs, first cell, `keep`).")
if missing := [sentence for lesson in lessons() for sentence in problems(lesson, SOURCE)]:
    sys.exit("\n".join([*missing, "Write what is missing, then run this again."]))
write_digests()
for lesson in lessons():
    for sentence in fill_in(lesson, SOURCE, anew=is_changed(lesson)):
        print(sentence)
if missing := [sentence for lesson in lessons() for sentence in unnoticed(lesson)]:
    sys.exit("\n".join(missing))
