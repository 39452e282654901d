"""The lateness of submissions, and what nbgrader's late-submission plugin takes off for it."""

from typing import Any

from nbgrader.api import SubmittedAssignment, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import select

from autograder.gradebook.database import GradebookError, opened
from autograder.gradebook.folder import CourseFolder
from autograder.gradebook.scores import in_parts, notebook_scores


def seconds_late(submission: Any) -> float:
    """Return the seconds that a submission is late, extension included; 0 if it has no due date."""
    if submission.assignment.duedate is None:
        return 0.0  # nbgrader's own sum fails if there is an extension all the same
    return float(submission.total_seconds_late)


def assign_penalties(course: CourseFolder, assignment: str) -> list[str]:
    """Compute every late penalty of an assignment anew; return the students whose penalty changed.

    So a late policy, a due date or an extension that changed counts without grading again. Raise
    `GradebookError` if the gradebook cannot be used, or the instructor's own plugin fails.
    """
    plugin = _plugin(course)
    query = (
        select(SubmittedAssignment, SubmittedNotebook)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .order_by(SubmittedAssignment.student_id)
    )
    changed = []
    with opened(course) as gradebook:
        row = gradebook.find_assignment(assignment)
        scores = notebook_scores(gradebook.db, row.id)
        query = query.where(SubmittedAssignment.assignment_id == row.id)
        for submission, notebook in gradebook.db.execute(in_parts(query)):
            penalty = _penalty(plugin, submission, scores.get(notebook.id, 0.0))
            if (penalty or 0.0) != (notebook.late_submission_penalty or 0.0):
                notebook.late_submission_penalty = penalty
                changed.append(str(submission.student_id))
        gradebook.db.commit()
    return changed


def _plugin(course: CourseFolder) -> Any:
    """Return the plugin that nbgrader's configuration names."""
    preprocessor = AssignLatePenalties(parent=course.app)
    preprocessor.init_plugin()
    return preprocessor.plugin_inst


def _penalty(plugin: Any, submission: Any, score: float) -> float | None:
    """Return points between 0 and the score, as nbgrader keeps them, or `None` for no penalty."""
    late = seconds_late(submission)
    if late <= 0:
        return None
    try:
        penalty = plugin.late_submission_penalty(submission.student_id, score, late)
        return None if penalty is None else float(min(max(penalty, 0), score))
    except Exception as error:  # the plugin is the instructor's own program
        name, cause = type(plugin).__name__, f"{type(error).__name__}: {error}"
        raise GradebookError(
            f"The late-submission plugin {name} failed for {submission.student_id} ({cause}). No "
            "penalty was changed; mend it and grade again."
        ) from error
