"""Hidden tests in nbgrader's configuration, and what students may see of them."""

from typing import Any

from nbformat.v4 import new_output
from nbgrader.preprocessors import ClearHiddenTests, NbGraderPreprocessor
from traitlets import Bool

from autograder.notebook.hidden import Delimiters

_LATER = "What stood here was shown after a hidden test had begun; it is left out."
_WITHHELD = "A hidden test did not hold. What it asks is not shown."


def delimiters(configurable: Any) -> Delimiters:
    """Return the delimiters that an nbgrader program, or a part of one, is configured to."""
    clear = ClearHiddenTests(parent=configurable)
    return Delimiters(clear.begin_test_delimeter, clear.end_test_delimeter)


class Withhold(NbGraderPreprocessor):  # type: ignore[misc]
    """A preprocessor for `c.GenerateFeedback.preprocessors` that keeps hidden tests out of pages.

    Test cells are as they were given out, and a failed one says only what the student may read of
    what `autograder grade` found. Of a notebook that another program graded, nothing is shown that
    was run after a hidden test had begun.
    """

    show_hidden = Bool(False, help="True shows hidden tests, and what they ask, to students.").tag(
        config=True
    )

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook as its student may see it."""
        if self.show_hidden:
            return nb, resources
        visible = delimiters(self)
        checks = nb.metadata.get("autograder", {}).get("checks")
        said = None if checks is None else {check["id"]: _words(check) for check in checks}
        has_hidden_begun = False
        for cell in nb.cells:
            shown = visible.without_hidden(cell.source)
            has_hidden_begun |= shown != cell.source
            cell.source = shown
            if not cell.get("outputs"):
                continue
            if said is None and has_hidden_begun:
                cell.outputs = _error(_LATER)
            elif said is not None and _is_test(cell):
                cell.outputs = _error(said.get(cell.metadata.nbgrader.grade_id, _WITHHELD))
        return nb, resources


def _is_test(cell: Any) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return bool(marks.get("grade") and not marks.get("solution"))


def _words(check: dict[str, str]) -> str:
    """Return what a check that did not hold says to its student."""
    hint = f"{check['mistake']}\nHint: {check['hint']}" if check["hint"] else ""
    return check["told"] or "\n".join(filter(None, [_WITHHELD, hint]))


def _error(message: str) -> list[Any]:
    """Return the output of a cell whose test did not hold."""
    lines = message.splitlines()
    return [new_output("error", ename="CheckFailed", evalue=lines[0], traceback=lines)]  # type: ignore[no-untyped-call]
