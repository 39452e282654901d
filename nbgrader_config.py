"""nbgrader in this folder: `source/` is the masters, `release/` what learners are given."""

import os
import sys
from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821

c.CourseDirectory.course_id = "2048"
c.Exchange.root = str(Path.cwd() / "exchange")

# The student's code runs in a jail and the tests outside of it, and what is damaged is repaired.
c.Autograde.exporter_class = "autograder.gradebook.autograde.Repair"
c.Autograde.autograde_preprocessors = [
    "autograder.gradebook.autograde.Judge",  # in place of nbgrader's Execute
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# No answer in these lessons takes long: what does not come back soon is not waited for.
c.Execute.timeout = 10  # seconds of a cell
c.Jail.call = 5
c.Jail.submission = 60

# What students get back shows no hidden test. To show them: c.Withhold.show_hidden = True
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "autograder.gradebook.notes.Withhold",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]

# Nothing that was graded well is lost to `nbgrader autograde` and formgrader's button.
try:
    from autograder.gradebook.autograde import take_the_place_of_nbgraders
except ModuleNotFoundError as missing:  # the preprocessors above need it, too: nothing is graded
    print(
        f"{missing.name} is missing, so nothing can be graded here: "
        "pip install 'course-2048[grader]'",
        file=sys.stderr,
    )
else:
    take_the_place_of_nbgraders()

# nbgrader calls `alembic` by name when it makes a new gradebook.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
