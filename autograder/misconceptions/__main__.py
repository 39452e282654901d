"""A program that checks if exercises and notebooks agree, and writes files made from exercises.

Print a sentence for each change. If a person still has to write something, print what it is, and
exit with status 1.
"""

import json
import sys

from autograder.course_adapter import FOLDER, lessons
from autograder.misconceptions.sync_exercises_with_notebooks import fill_in, problems, tidy
from autograder.misconceptions.write_digests import SOURCE, write_digests

for lesson in lessons():
    if tidy(lesson, SOURCE):
        print(f"{lesson.notebook}: ids, outputs, imports and form are as they are kept now.")
missing = [sentence for lesson in lessons() for sentence in problems(lesson, SOURCE)]
if missing:
    sys.exit("\n".join([*missing, "Write what is missing, then run this again."]))
write_digests()
released = json.loads((FOLDER / "mine" / "visible.json").read_text(encoding="utf-8"))
for lesson in lessons():
    checks = {check for exercise in lesson.exercises for check in released.get(exercise.name, ())}
    for sentence in fill_in(lesson, SOURCE, anew=checks != lesson.checks.keys()):
        print(sentence)
