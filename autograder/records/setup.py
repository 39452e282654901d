"""Setting up a course: what nbgrader's configuration needs in order to grade with this grader."""

from pathlib import Path
from typing import Any

from autograder.disk import put_file
from autograder.records.autograde import take_the_place_of_nbgraders
from autograder.records.folder import find_own_programs

FILE = "nbgrader_config.py"
LINES = """\
from autograder.records.setup import use_autograder
use_autograder(c)
"""
_NEW = f"""c = get_config()  # noqa: F821

{LINES}"""
_JUDGE = "autograder.records.preprocessors.Judge"
_AUTOGRADE = [
    _JUDGE,  # in place of nbgrader's Execute
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
_FEEDBACK = [
    "nbgrader.preprocessors.GetGrades",
    "autograder.records.hidden.Withhold",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]


def use_autograder(c: Any) -> None:
    """Make nbgrader's own programs, too, run students' code in the jail and the tests outside."""
    c.Autograde.exporter_class = "autograder.records.preprocessors.Repair"
    c.Autograde.autograde_preprocessors = _AUTOGRADE
    c.GenerateFeedback.preprocessors = _FEEDBACK
    take_the_place_of_nbgraders()
    find_own_programs()


def set_up(folder: Path) -> str:
    """Write the configuration of a course folder if there is none; return what is to be done."""
    path = folder / FILE
    next_step = "Then look at an assignment with: autograder verify ASSIGNMENT"
    if not path.exists():
        put_file(path, _NEW)
        return f"{path} is written. {next_step}"
    if "use_autograder(c)" in path.read_text(encoding="utf-8", errors="replace"):
        return f"{path} has the lines already. {next_step}"
    lines = LINES.replace("\n", "\n    ").rstrip()
    return (
        f"{path} is there, and is not changed. Add these lines at its end:\n\n    {lines}\n\n"
        f"autograder grade works without them; with them nbgrader autograde and formgrader grade "
        f"in the jail, too. {next_step}"
    )
