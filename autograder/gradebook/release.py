"""The program that `make release` runs: it makes `release/`, for students, from `source/`."""

import json
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbgrader.apps import NbGrader
from nbgrader.apps.api import NbGraderAPI
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.course_adapter import FOLDER, ROOT, lessons
from autograder.gradebook.course_folder import find_own_programs
from autograder.system.atomic_write import json_lines


class LockText(NbGraderPreprocessor):  # type: ignore[misc]
    """A preprocessor that makes text read-only, so that students cannot spoil it by mistake.

    Text cells with nbgrader's metadata stay editable, because students write in them.
    """

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Make a text cell without nbgrader's metadata read-only."""
        if cell.cell_type == "markdown" and "nbgrader" not in cell.metadata:
            cell.metadata["editable"] = False
        return cell, resources


def generate(release: Path) -> None:
    """Generate every lesson in `lessons.toml` from `source/` into the folder `release`.

    The instructor's gradebook is not touched.
    """
    find_own_programs()
    with TemporaryDirectory() as scratch, chdir(ROOT):
        app = NbGrader(log_level="ERROR")
        app.initialize(
            [
                f"--CourseDirectory.root={ROOT}",
                f"--CourseDirectory.release_directory={release}",
                f"--CourseDirectory.db_url=sqlite:///{scratch}/gradebook.db",
            ]
        )
        nbgrader = NbGraderAPI(parent=app)
        for entry in lessons():
            done = nbgrader.generate_assignment(entry.id, force=True, create=True)
            if not done["success"]:
                raise RuntimeError(f"nbgrader could not generate {entry.id}:\n{done['log']}")


def write_released(release: Path, file: Path = FOLDER / "mine" / "released.json") -> None:
    """Write the stub of each exercise, and its tests as students see them, into `file`.

    The course runs these visible tests on what a learner writes. A stub is the text in an
    exercise's cell before the learner begins; if the cell has another text, the learner has begun.
    """
    table = {}
    for lesson in lessons():
        path = release / lesson.id / lesson.notebook
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = {cell["id"]: "".join(cell["source"]) for cell in cells}
        for exercise in lesson.exercises:
            checks = {check: sources[check] for check in exercise.checks}
            table[exercise.name] = {"stub": sources[exercise.cell], "checks": checks}
    file.write_text(json_lines(table), encoding="utf-8")


if __name__ == "__main__":
    generate(ROOT / "release")
    write_released(ROOT / "release")
