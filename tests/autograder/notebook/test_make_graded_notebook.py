"""The graded notebook: it is valid, and contains only well-formed outputs, nothing forged."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter

from autograder.grading_data import CheckResult, Outcome
from autograder.notebook.find_submitted_notebook import handin_of, understand
from autograder.notebook.make_graded_notebook import as_notebook
from autograder.notebook.master import Master
from autograder.notebook.outputs_from_jail import Outputs
from autograder.sample import Sampler

TEXT = {"text/plain": "2"}
COUNTS = [-5, 2**80, 1.5, "1", None, True, [1]]
SAID: list[Any] = [
    *({"output_type": "execute_result", "data": TEXT, "execution_count": n} for n in COUNTS),
    {"output_type": "execute_result", "data": {}},
    {"output_type": "execute_result", "data": TEXT, "metadata": {"image/png": "onerror=alert(1)"}},
    {"output_type": "display_data", "data": {"image/svg+xml": "<svg onload=alert(1)>"}},
    {"output_type": "display_data", "data": {"image/png": '"><script>alert(1)</script>'}},
    {"output_type": "display_data", "data": {"text/plain": ["<script>"]}},
    {"output_type": "stream", "name": "stdout", "text": "\x1b[31m<script>x</script>\x1b]8;;x"},
    {"output_type": "error", "ename": "<script>", "evalue": None, "traceback": ["<script>", 7]},
    {"output_type": "error"},
    {"output_type": "update_display_data", "data": TEXT, "transient": {}},
    {"output_type": -5},
]
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ\n"
    "AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\n"
)
HUGE = "iVBORw0KGgoAAAANSUhEUgAATiAAAE4gCAI="  # 20,000 pixels wide and high


def stream(text: object, name: str = "stdout") -> dict[str, object]:
    return {"output_type": "stream", "name": name, "text": text}


def displayed(**data: str) -> dict[str, object]:
    kinds = {"html": "text/html", "plain": "text/plain", "png": "image/png"}
    shown = {kinds[kind]: text for kind, text in data.items()}
    return {"output_type": "display_data", "data": shown, "metadata": {}}


def error(name: str, value: str, line: object) -> dict[str, object]:
    return {"output_type": "error", "ename": name, "evalue": value, "traceback": [line]}


@pytest.mark.parametrize(
    ("said", "left"),
    [
        pytest.param(None, [], id="nothing"),
        pytest.param([None, {}, stream("x", "stdin")], [], id="nonsense"),
        pytest.param([stream(5)], [stream("")], id="odd text"),
        pytest.param([displayed(html="<b>", plain="x")], [displayed(plain="x")], id="HTML"),
        pytest.param([error("\ud800", "\0", 1)], [error("?", "\ufffd", "")], id="odd characters"),
        pytest.param([displayed(png=PNG)], [displayed(png=PNG)], id="picture"),
        pytest.param([displayed(png=PNG + '"><script>')], [displayed()], id="no picture"),
        pytest.param([displayed(png=HUGE)], [displayed()], id="huge picture"),
    ],
)
def test_only_well_formed_outputs_are_kept(said: Any, left: object) -> None:
    assert kept(said) == {"merge": left}


def test_what_all_cells_show_together_is_limited_here_too() -> None:
    outputs = Outputs(most=4 * 6500 - 1)  # an output counts as 1500 characters more
    for cell in "abcd":
        outputs.keep(cell, [stream("x" * 5000)] * 2)
    texts = [output["text"][:1] for cell in "abcd" for output in outputs.of_cells[cell]]
    assert texts == ["x", "x", "x", "…"]


def kept(said: list[Any]) -> dict[str, list[dict[str, Any]]]:
    """Return, by cell, the outputs that are kept if the jail reports `said` for one cell."""
    outputs = Outputs()
    outputs.keep("merge", said)
    return outputs.of_cells


@pytest.fixture
def written(sampler: Sampler, master: Master) -> Callable[..., dict[str, Any]]:
    """Return a function that makes a graded notebook of right answers, as `as_notebook` does."""
    handin = handin_of(master.notebook, json.dumps(sampler.notebook()).encode())
    return partial(as_notebook, understand(handin, master), master)


@pytest.mark.parametrize("said", SAID, ids=lambda said: str(said)[:60])
def test_whatever_the_jail_says_the_notebook_is_valid_and_nothing_in_it_is_active(
    said: Any, written: Callable[..., dict[str, Any]]
) -> None:
    notebook = nbformat.from_dict(written(outputs=kept([said])))
    nbformat.validate(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell.id == "merge"]
    html, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    page = BeautifulSoup(html, "html.parser")
    assert page.find_all(["script", "svg"]) == []
    assert not any(name.startswith("on") for tag in page.find_all(True) for name in tag.attrs)


def test_results_are_numbered_as_their_cells_are(written: Callable[..., dict[str, Any]]) -> None:
    cells = written(outputs=kept(SAID))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        results = [one for one in cell["outputs"] if one["output_type"] == "execute_result"]
        assert {one["execution_count"] for one in results} <= {cell["execution_count"]}


@pytest.mark.parametrize("outputs", ["forged", [{"output_type": "forged"}], {"forged": 1}, -5])
def test_nothing_of_a_submitted_cell_but_its_text_survives(
    outputs: Any, sampler: Sampler, master: Master
) -> None:
    notebook = sampler.notebook()
    odd = {"execution_count": -5, "outputs": outputs, "metadata": {"forged": 1}, "forged": 1}
    notebook["cells"] = [{**cell, **odd} for cell in notebook["cells"]]
    notebook["cells"] += [{**odd, "cell_type": kind, "source": "x"} for kind in ("raw", "markdown")]
    notebook |= {"forged": 1, "metadata": {"forged": 1, "kernelspec": {"name": "forged"}}}
    submission = understand(handin_of(master.notebook, json.dumps(notebook).encode()), master)
    written = as_notebook(submission, master)
    nbformat.validate(nbformat.from_dict(written))
    written["metadata"].pop("autograder")
    assert "forged" not in json.dumps(written)


def test_a_check_that_did_not_pass_shows_why(written: Callable[..., dict[str, Any]]) -> None:
    failed = CheckResult("merge-once", 0.0, 2.0, Outcome.FAILED, "expected 4\ngot 2")
    cells = written(checks=(failed,))["cells"]
    [output] = next(cell["outputs"] for cell in cells if cell["id"] == "merge-once")
    assert (output["ename"], output["evalue"]) == ("CheckFailed", "expected 4")
