"""nbgrader in this folder: `source/` is the masters, `release/` what learners are given."""

import sys
from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821

c.CourseDirectory.course_id = "2048"
c.Exchange.root = str(Path.cwd() / "exchange")

# No answer in these lessons takes long: what does not come back soon is not waited for.
c.Execute.timeout = 10  # seconds of a cell
c.Jail.call = 5
c.Jail.submission = 60

# nbgrader's own programs, too, run the student's code in a jail and the tests outside of it, and
# what students get back shows no hidden test. To show them: c.Withhold.show_hidden = True
try:
    from autograder.autograde import use_autograder
except ModuleNotFoundError as missing:
    needs = f"{missing.name} is missing, so nothing can be graded here: "
    print(f"{needs}pip install 'course-2048[grader]'", file=sys.stderr)
    # without it, nothing is run and nothing is shown
    c.Autograde.autograde_preprocessors = ["autograder.autograde.Autograde"]
    c.GenerateFeedback.preprocessors = ["autograder.gradebook.read_graded_notebook.Withhold"]
else:
    use_autograder(c)
    c.GenerateAssignment.preprocessors.append("autograder.gradebook.release.LockText")
