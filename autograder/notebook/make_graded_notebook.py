"""Writing of graded notebooks: the repaired submission, its outputs, and notes for the reports."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from autograder.grading_data import CheckResult, Outcome, Submission
from autograder.notebook.master import Master

Outputs = list[dict[str, Any]]
_CONTROLS = re.compile(r"[\x7f-\x9f]")  # a terminal would obey them; JSON escapes only others
_REMARK = ("id", "outcome", "misconception", "mistake", "hint", "told", "is_protected")


def as_text(notebook: dict[str, Any]) -> str:
    """Return the text of a notebook file, in which each cell is one line.

    Writing it is several times as fast as writing JSON with indents.

    >>> print(as_text({"cells": [{"id": "merge"}], "nbformat": 4}), end="")
    {"cells": [
    {"id": "merge"}
    ],
    "nbformat": 4}
    """
    cells = ",\n".join(map(_line, notebook["cells"]))
    rest = [f"{_line(key)}: {_line(value)}" for key, value in notebook.items() if key != "cells"]
    return ",\n".join([f'{{"cells": [\n{cells}\n]', *rest]) + "}\n"


def _line(value: Any) -> str:
    line = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def as_notebook(
    submission: Submission,
    master: Master,
    digest: str = "",
    checks: tuple[CheckResult, ...] = (),
    outputs: Mapping[str, Outputs] | None = None,
    seconds: float = 0.0,
) -> dict[str, Any]:
    """Return a submission as the JSON of a notebook in nbformat 4.5.

    `outputs` is a dictionary from ids of cells to outputs. The cells of `checks` that no person
    grades get other outputs, from which nbgrader computes the same scores as this grader. The
    notebook's metadata has the `digest` of the hand-in, and what the reports need.
    """
    shown = {**(outputs or {})}
    shown |= {one.id: _as_output(one) for one in checks if one.outcome is not Outcome.MANUAL}
    remarks = {
        "problems": list(submission.problems),
        "is_readable": submission.is_readable,
        "digest": digest,
        # no scores and no messages; the texts in `difference` are for instructors only
        "checks": [
            {name: getattr(check, name) for name in _REMARK}
            | ({"difference": asdict(check.difference)} if check.difference else {})
            for check in checks
        ],
        "seconds": round(seconds, 2),
    }
    count = 0
    cells = []
    for cell in submission.cells:
        form: dict[str, Any] = {
            "cell_type": cell.cell_type,
            "id": cell.id,
            "metadata": dict(cell.metadata),
            "source": cell.source,
        }
        if cell.cell_type == "code":
            count += 1
            number = {"execution_count": count}
            counted = [
                output | (number if output["output_type"] == "execute_result" else {})
                for output in shown.get(cell.id, [])
            ]
            form |= {**number, "outputs": counted}
        elif cell.attachments:
            form["attachments"] = {name: dict(kinds) for name, kinds in cell.attachments.items()}
        cells.append(form)
    return {
        "cells": cells,
        "metadata": {**master.metadata, "autograder": remarks},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _as_output(check: CheckResult) -> Outputs:
    """Return the outputs for the cell of a check: none, a part of its points, or an error."""
    if check.outcome is Outcome.PASSED and check.points == check.max_points:
        return []
    if check.outcome is Outcome.PASSED:  # nbgrader takes such an output for partial credit
        data = {"text/plain": f"{check.points!r}"}
        return [{"output_type": "execute_result", "data": data, "metadata": {}}]
    lines = check.message.splitlines() or [check.outcome.value.replace("_", " ")]
    name = "CheckFailed" if check.outcome is Outcome.FAILED else check.outcome.value
    return [{"output_type": "error", "ename": name, "evalue": lines[0], "traceback": lines}]
