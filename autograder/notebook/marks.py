"""nbgrader's marks in a submitted cell, which show who changed it: the student or the instructor.

nbgrader gives out each marked cell with a checksum. A cell that still matches its checksum is as it
was given out; if it differs from the master, the master has changed since.
"""

from collections.abc import Mapping
from hashlib import md5
from typing import Any

from autograder.notebook.master import MasterCell
from autograder.notebook.reading import RawCell

_MARKS = ("grade", "solution", "locked", "task", "points")


def is_as_released(cell: RawCell) -> bool:
    """Return true if the cell still matches the checksum that it was given out with."""
    return _checksum(cell, cell.marks) == cell.marks.get("checksum")


def changed_marks(cell: RawCell, original: MasterCell) -> list[str]:
    """Return the marks that the student changed, as far as that can be shown.

    It can be shown if the checksum says that the cell was given out with the very marks of the
    master.
    """
    marks = original.metadata["nbgrader"]
    if _checksum(cell, marks) != cell.marks.get("checksum"):
        return []
    return [key for key in _MARKS if key in cell.marks and cell.marks[key] != marks.get(key, 0)]


def _checksum(cell: RawCell, marks: Mapping[str, Any]) -> str:
    """Return the checksum that nbgrader calculates for the cell with these marks.

    It is empty if the points are not a number.
    """
    is_grade, is_solution = bool(marks.get("grade")), bool(marks.get("solution"))
    is_locked = False if is_solution else is_grade or bool(marks.get("locked"))
    parts = [cell.source, cell.cell_type, str(is_grade), str(is_solution), str(is_locked)]
    parts.append(str(marks.get("grade_id")))
    if is_grade:
        try:
            parts.append(str(float(marks.get("points", 0))))
        except (TypeError, ValueError, OverflowError):
            return ""
    return md5("".join(parts).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
