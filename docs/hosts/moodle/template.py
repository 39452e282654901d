"""CodeRunner's template; it runs on the Jobe server, beside the files that the student attached."""

import os
import subprocess
import sys

COURSE = "/srv/my-course"  # the folder with source/
AUTOGRADER = "/srv/grading/bin/autograder"
LESSON = "ps1"
OPTIONS: list[str] = []  # ["--no-jail"], if you have read what it costs

command = [AUTOGRADER, "check", os.getcwd(), "--lesson", LESSON, "--as", "moodle", *OPTIONS]
done = subprocess.run(command, cwd=COURSE, capture_output=True, text=True, check=False)
if done.returncode:
    sys.exit(done.stderr)  # CodeRunner shows it, and gives no mark
print(done.stdout)
