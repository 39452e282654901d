"""The notebook's JSON form, made once, at the end: repaired, with outputs, and valid."""

import json
from collections.abc import Mapping
from typing import Any

from autograder.notebook.master import Master
from autograder.submission import Cell, CheckResult, Outcome, Submission

Outputs = list[dict[str, Any]]
_REMARK = ("id", "outcome", "misconception", "mistake", "hint", "told", "is_protected")


def as_text(notebook: dict[str, Any]) -> str:
    """Return the file of a notebook, one cell in each line: several times as quick as with indents.

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
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def as_notebook(
    submission: Submission,
    master: Master,
    digest: str = "",
    checks: tuple[CheckResult, ...] = (),
    outputs: Mapping[str, Outputs] | None = None,
    seconds: float = 0.0,
) -> dict[str, Any]:
    """Return the submission in nbformat's form; `outputs` are those of its cells by their ids.

    A check that did not pass shows an error; one that passed shows nothing, so that nbgrader comes
    to the same score. `digest` says which hand-in this was, and `seconds` how long it took. The
    metadata keeps them, and what the reports need to know of the checks.
    """
    shown = {**(outputs or {})}
    shown |= {one.id: _as_output(one) for one in checks if one.outcome is not Outcome.MANUAL}
    remarks = {
        "problems": list(submission.problems),
        "is_readable": submission.is_readable,
        "digest": digest,
        # what is known of a check beyond its score; only `told` is for the student's eyes
        "checks": [{name: getattr(check, name) for name in _REMARK} for check in checks],
        "seconds": round(seconds, 2),
    }
    count = 0
    cells = []
    for cell in submission.cells:
        count += cell.cell_type == "code"
        cells.append(_as_cell(cell, count, shown.get(cell.id, [])))
    return {
        "cells": cells,
        "metadata": {**master.metadata, "autograder": remarks},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _as_cell(cell: Cell, count: int, outputs: Outputs) -> dict[str, Any]:
    form: dict[str, Any] = {
        "cell_type": cell.cell_type,
        "id": cell.id,
        "metadata": dict(cell.metadata),
        "source": cell.source,
    }
    if cell.cell_type == "code":
        number = {"execution_count": count}
        counted = [
            output | (number if output["output_type"] == "execute_result" else {})
            for output in outputs
        ]
        return {**form, **number, "outputs": counted}
    if cell.attachments:
        form["attachments"] = {name: dict(kinds) for name, kinds in cell.attachments.items()}
    return form


def _as_output(check: CheckResult) -> Outputs:
    """Return a failed check as an error of nbformat's, with its message in place of a traceback.

    A check that passed has no output, or its points if they are not all.
    """
    if check.outcome is Outcome.PASSED and check.points == check.max_points:
        return []
    if check.outcome is Outcome.PASSED:  # nbgrader takes such an output for partial credit
        data = {"text/plain": f"{check.points!r}"}
        return [{"output_type": "execute_result", "data": data, "metadata": {}}]
    lines = check.message.splitlines() or [check.outcome.value.replace("_", " ")]
    name = "CheckFailed" if check.outcome is Outcome.FAILED else check.outcome.value
    return [{"output_type": "error", "ename": name, "evalue": lines[0], "traceback": lines}]
