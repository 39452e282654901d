"""One process in which nbgrader generates all lessons, because starting nbgrader takes longer.

`python -m autograder.gradebook.generating LESSON … -- OPTION …`, with nbgrader's own options. It
exits with 1 at the first lesson that nbgrader refuses, after printing what nbgrader said.
"""

import sys

from nbgrader.apps import NbGrader
from nbgrader.apps.api import NbGraderAPI


def main(arguments: list[str]) -> int:
    """Generate the learners' copies of some lessons; return the exit status."""
    at = arguments.index("--")
    app = NbGrader()
    app.initialize(arguments[at + 1 :])
    nbgrader = NbGraderAPI(parent=app)
    for lesson_id in arguments[:at]:
        done = nbgrader.generate_assignment(lesson_id, force=True, create=True)
        if not done["success"]:
            print(f"nbgrader could not generate {lesson_id}:\n{done['log']}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
