"""`Withhold` keeps hidden tests out of nbgrader's feedback, even if another program graded."""

from typing import Any

from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets.config import Config

from autograder.gradebook.read_graded_notebook import Withhold

TEST = "check(1)\n# HIDE\ncheck(2)\n# SHOW\ncheck(3)"
DELIMITERS = {"begin_test_delimeter": "# HIDE", "end_test_delimeter": "# SHOW"}


def withheld(metadata: dict[str, Any], **options: Any) -> list[tuple[str, str]]:
    """Return the source and the output's text of each cell, as `Withhold` leaves them."""
    marks = {"nbgrader": {"grade": True, "solution": False, "grade_id": "test"}}
    said = new_output("stream", text="2")  # type: ignore[no-untyped-call]
    cells = [new_code_cell(source, outputs=[said]) for source in ("print(2)", TEST, "print(asked)")]  # type: ignore[no-untyped-call]
    cells[1].metadata.update(marks)
    notebook = new_notebook(cells=cells, metadata=metadata)  # type: ignore[no-untyped-call]
    config = Config({"ClearHiddenTests": DELIMITERS, "Withhold": options})
    shown, _ = Withhold(config=config).preprocess(notebook, {})
    outputs = [(cell.outputs or [{"text": ""}])[0] for cell in shown.cells]
    texts = [str(one.get("text") or one.get("evalue", "")) for one in outputs]
    return list(zip([cell.source for cell in shown.cells], texts, strict=True))


def test_nothing_is_shown_that_was_run_after_a_hidden_test_had_begun() -> None:
    left_out = "What stood here was shown after a hidden test had begun; it is left out."
    assert withheld({}) == [
        ("print(2)", "2"),
        ("check(1)\ncheck(3)", left_out),
        ("print(asked)", left_out),
    ]


def test_the_instructor_may_show_it() -> None:
    assert withheld({}, show_hidden=True)[1] == (TEST, "2")


def test_a_part_of_the_points_is_not_told_as_a_hidden_test_that_failed() -> None:
    check = {"id": "test", "outcome": "passed", "told": "", "hint": "", "mistake": ""}
    named = {"mistake": "It forgets zero.", "hint": "Try 0."}
    for changed, said in (
        ({}, ""),
        (named, "It forgets zero."),
        ({"outcome": "failed"}, "A hidden test did not hold. What it asks is not shown."),
    ):
        assert withheld({"autograder": {"checks": [check | changed]}})[1][1] == said
