"""Hold exercises and notebooks together, and write what is generated from the exercises.

Say in sentences what was written, and what a person still has to write; then the status is 1.
"""

import sys

from autograder.course import ROOT, lessons
from autograder.misconceptions.authoring import fill_in, problems, tidy
from autograder.misconceptions.tables import write_digests

SOURCE = ROOT / "source"

for lesson in lessons():
    if tidy(lesson, SOURCE):
        print(f"{lesson.notebook}: ids, outputs and form are as they are kept now.")
missing = [sentence for lesson in lessons() for sentence in problems(lesson, SOURCE)]
if missing:
    sys.exit("\n".join([*missing, "Write what is missing, then run this again."]))
write_digests()
for lesson in lessons():
    for sentence in fill_in(lesson, SOURCE):
        print(sentence)
