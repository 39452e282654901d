"""nbgrader's gradebook, which stays the record: opening it, and entering an assignment."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from autograder.gradebook.ailments import first_line, what_to_do
from autograder.gradebook.cells import Cells, all_or_nothing
from autograder.gradebook.folder import CourseFolder
from autograder.gradebook.prepared import Prepared, resources_for
from autograder.gradebook.turns import have_it_end, taking_turns, with_patience
from autograder.trouble import Trouble

_VERSION_TABLE = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"


class GradebookError(Trouble):
    """The gradebook cannot be used, or nbgrader refuses a change of it."""


def is_there(course: CourseFolder) -> bool:
    """Return true if a gradebook was ever made; one on a server is taken to be there."""
    with explained(course.db_url):
        url = make_url(course.db_url)
        return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()


@contextmanager
def opened(course: CourseFolder) -> Iterator[Gradebook]:
    """Open the gradebook of a course, and make it if there is none; it is closed afterwards.

    No other grader is in it meanwhile. Raise `GradebookError`, which says what to do, for whatever
    is wrong with it, now or inside the block.
    """
    with explained(course.db_url), taking_turns(course.db_url):
        address = with_patience(course.db_url)
        _begin_making(address)
        with closing(Gradebook(address, course.course_id)) as gradebook:
            have_it_end(gradebook.db.connection())
            _finish_making(gradebook)
            gradebook.db.commit()
            gradebook.db.autoflush = False
            yield gradebook


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Turn what a database raises into a `GradebookError` that says what to do."""
    try:
        yield
    except ImportError as error:
        raise GradebookError(
            f"The gradebook {_shown(url)} needs the Python package {error.name}, which is not "
            "installed. For PostgreSQL: pip install 'course-2048[cluster]'."
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise GradebookError(
            f"{_shown(url)} is no address of a database: {first_line(error)}. Mend "
            "c.CourseDirectory.db_url in nbgrader_config.py."
        ) from error
    except SQLAlchemyError as error:
        raise GradebookError(f"The gradebook {_shown(url)} {what_to_do(error)}") from error
    except MissingEntry as error:
        raise GradebookError(
            f"{first_line(error)} in the gradebook {_shown(url)}; autograder grade enters it."
        ) from error


def register(course: CourseFolder, assignment: str, notebooks: Iterable[Prepared]) -> None:
    """Enter an assignment in the gradebook, as `nbgrader generate_assignment` does, or nothing.

    Raise `GradebookError` if the gradebook cannot be used, or if submissions were graded whose
    cells or notebooks are not the master's any more.
    """
    found = {Path(one.master.notebook).stem: one for one in notebooks}
    with opened(course) as gradebook, all_or_nothing(gradebook):
        row = gradebook.update_or_create_assignment(assignment)
        for name in {notebook.name for notebook in row.notebooks} - set(found):
            if row.submissions:
                raise GradebookError(_other_notebooks(assignment, name))
            gradebook.remove_notebook(name, assignment)
        for one in found.values():
            path = course.source / assignment / one.master.notebook
            resources = resources_for(course.directory, assignment, path)
            try:
                Cells(parent=course.app).enter(gradebook, one.notebook, resources)
            except RuntimeError as error:
                raise GradebookError(_other_cells(assignment, path)) from error


def _begin_making(address: str) -> None:
    """Make the table of the version before all others, in a gradebook that has no tables yet.

    Without that table nbgrader would start a program to ask for the version, which would take a
    second and answer Ctrl+C on the terminal.
    """
    engine = create_engine(address, poolclass=NullPool)
    if not inspect(engine).get_table_names():
        with engine.begin() as connection:
            connection.execute(text(_VERSION_TABLE))


def _finish_making(gradebook: Gradebook) -> None:
    """Enter the version, unless the gradebook has one.

    It is entered last, so a program that was ended before that has left a gradebook without one.
    """
    db = gradebook.db
    has_table = inspect(db.connection()).has_table("alembic_version")
    if has_table and db.execute(text("SELECT 1 FROM alembic_version")).first():
        return
    if db.scalars(select(Assignment)).first() or db.scalars(select(Student)).first():
        return  # it was made by an earlier nbgrader, which entered no version
    if not has_table:
        db.execute(text(_VERSION_TABLE))
    from alembic.script import ScriptDirectory  # it takes long to load, and is needed once

    version = {"version": ScriptDirectory(ALEMBIC_DIR).get_current_head()}
    db.execute(text("INSERT INTO alembic_version (version_num) VALUES (:version)"), version)


def _other_notebooks(assignment: str, name: str) -> str:
    """Return the message that nbgrader refuses a missing notebook, with the two ways out."""
    return (
        f"The notebook {name} is in no folder of {assignment} any more, and nbgrader keeps those "
        "that submissions were graded with. Put it back; or make a copy of the gradebook, run "
        f"nbgrader db assignment remove {assignment} --force, and grade again: what was entered by "
        "hand for it is lost."
    )


def _other_cells(lesson_id: str, path: Path) -> str:
    """Return the message that nbgrader refuses changed cells, with the two ways out."""
    return (
        f"Graded cells were added to {path} or removed, and nbgrader keeps those that submissions "
        "were graded with. Put the cells back; or make a copy of the gradebook, run nbgrader db "
        f"assignment remove {lesson_id} --force, and grade again: what was entered by hand for "
        "it is lost."
    )


def _shown(url: str) -> str:
    """Return the address of a gradebook without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return "in c.CourseDirectory.db_url"


# alembic announces itself on the terminal when a gradebook is made
logging.getLogger("alembic").setLevel(logging.ERROR)
