"""The cells of an assignment in the gradebook, entered by nbgrader in one transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.preprocessors import SaveCells
from nbgrader.preprocessors.base import NbGraderPreprocessor


class Cells(SaveCells):  # type: ignore[misc]
    """nbgrader's own preprocessor, used on a gradebook that is open already."""

    def enter(self, gradebook: Gradebook, notebook: Any, resources: Any) -> None:
        """Enter the cells of a notebook in a gradebook that is open.

        Raise `RuntimeError` if submissions were graded that have other cells.
        """
        self.gradebook = gradebook
        self.notebook_id = resources["nbgrader"]["notebook"]
        self.assignment_id = resources["nbgrader"]["assignment"]
        for kind in ("grade", "solution", "task", "source"):
            setattr(self, f"new_{kind}_cells", {})
        NbGraderPreprocessor.preprocess(self, notebook, resources)
        self._create_notebook(notebook)


@contextmanager
def all_or_nothing(gradebook: Gradebook) -> Iterator[None]:
    """Make the block one transaction, although nbgrader commits after each row."""
    with gradebook.engine.begin() as connection:
        _bind(gradebook, connection)
        try:
            yield
        finally:
            _bind(gradebook, gradebook.engine)


def _bind(gradebook: Gradebook, bind: Any) -> None:
    """Bind the gradebook's session to a connection or to the engine.

    While it is bound to a connection, all that it commits stays in the transaction of that
    connection.
    """
    gradebook.db.remove()
    is_one = bind is not gradebook.engine  # in one transaction, nobody else changes what was read
    gradebook.db.configure(bind=bind, expire_on_commit=not is_one)
