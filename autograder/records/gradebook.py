"""nbgrader's gradebook, which stays the record: opening it, and entering an assignment."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import SaveCells
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)

from autograder.records.folder import CourseFolder
from autograder.records.prepared import Prepared, resources_for
from autograder.trouble import Trouble


class GradebookError(Trouble):
    """The gradebook can not be used, or nbgrader does not let something happen to it."""


def is_there(course: CourseFolder) -> bool:
    """Whether a gradebook was ever made; one on a server is taken to be there."""
    with explained(course.db_url):
        url = make_url(course.db_url)
        return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()


@contextmanager
def opened(course: CourseFolder) -> Iterator[Gradebook]:
    """The gradebook of a course, made if there is none; closed afterwards.

    Raises `GradebookError` for whatever is wrong with it, then or later, with what to do.
    """
    with explained(course.db_url), closing(Gradebook(course.db_url, course.course_id)) as gradebook:
        gradebook.db.autoflush = False
        yield gradebook


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Turns what a database raises into a `GradebookError` that says what to do."""
    try:
        yield
    except ImportError as error:
        raise GradebookError(
            f"The gradebook {_shown(url)} needs the Python package {error.name}, which is not "
            "installed. For PostgreSQL: pip install 'course-2048[cluster]'."
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise GradebookError(
            f"{_shown(url)} is no address of a database: {_first_line(error)}. Mend "
            "c.CourseDirectory.db_url in nbgrader_config.py."
        ) from error
    except SQLAlchemyError as error:
        raise GradebookError(f"The gradebook {_shown(url)} {_what_to_do(error)}") from error
    except MissingEntry as error:
        raise GradebookError(
            f"{_first_line(error)} in the gradebook {_shown(url)}; autograder grade enters it."
        ) from error


def register(course: CourseFolder, assignment: str, notebooks: Iterable[Prepared]) -> None:
    """Enters an assignment in the gradebook, as `nbgrader generate_assignment` would.

    Raises `GradebookError` if the gradebook can not be used, or if submissions were graded whose
    cells or notebooks are not the master's any more.
    """
    found = {Path(one.master.notebook).stem: one for one in notebooks}
    with opened(course) as gradebook:
        row = gradebook.update_or_create_assignment(assignment)
        for name in {notebook.name for notebook in row.notebooks} - set(found):
            if row.submissions:
                raise GradebookError(_other_notebooks(assignment, name))
            gradebook.remove_notebook(name, assignment)
    for one in found.values():
        path = course.source / assignment / one.master.notebook
        resources = resources_for(course.directory, assignment, path)
        try:
            with explained(course.db_url):
                SaveCells(parent=course.app).preprocess(one.notebook, resources)
        except RuntimeError as error:
            raise GradebookError(_other_cells(assignment, path)) from error


def _other_notebooks(assignment: str, name: str) -> str:
    """What nbgrader refuses, and the two ways out of it."""
    return (
        f"The notebook {name} is in no folder of {assignment} any more, and nbgrader keeps those "
        "that submissions were graded with. Put it back; or make a copy of the gradebook, run "
        f"nbgrader db assignment remove {assignment} --force, and grade again: what was entered by "
        "hand for it is lost."
    )


def _other_cells(lesson_id: str, path: Path) -> str:
    """What nbgrader refuses, and the two ways out of it."""
    return (
        f"Graded cells were added to {path} or removed, and nbgrader keeps those that submissions "
        "were graded with. Put the cells back; or make a copy of the gradebook, run nbgrader db "
        f"assignment remove {lesson_id} --force, and grade again: what was entered by hand for "
        "it is lost."
    )


def _shown(url: str) -> str:
    """The address without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return "in c.CourseDirectory.db_url"


def _what_to_do(error: SQLAlchemyError) -> str:
    cause = _first_line(getattr(error, "orig", None) or error)
    if "locked" in cause:
        return "is locked by another program. Close that, or wait for it, then try again."
    if "full" in cause or "disk I/O" in cause:
        return f"can not be written ({cause}). Make room on the disk, then try again."
    if "readonly" in cause or "unable to open" in cause:
        return (
            f"can not be opened ({cause}). See to the folder and its permissions, then try again."
        )
    if "no such column" in cause or "no such table" in cause:
        return "is of another version. Make a copy of it, then run: nbgrader db upgrade"
    if isinstance(error, OperationalError):
        return f"can not be reached ({cause}). See that the database runs, then try again."
    if isinstance(error, DatabaseError):
        return (
            f"is damaged, or no gradebook ({cause}). Put back a copy of it, or move it away: a new "
            "one is made, without what was entered by hand."
        )
    return f"can not be used ({cause})."


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")


# alembic announces itself on the terminal when a gradebook is made
logging.getLogger("alembic").setLevel(logging.ERROR)
