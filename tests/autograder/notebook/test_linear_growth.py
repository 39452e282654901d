"""Reading a submission: time and memory grow no faster than its size, whatever its shape."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from autograder.notebook.find_submitted_notebook import collect, handin_of, understand
from autograder.notebook.master import Master
from autograder.notebook.parse_notebook import MAX_NOTEBOOK, parse
from autograder.notebook.submitted_files import read_bytes
from autograder.sample import Sampler

pytestmark = pytest.mark.deep

Notebook = dict[str, Any]
Spoil = Callable[[Notebook, int], None]


def written(text: str, is_lost: bool = True) -> Spoil:
    """Return a function that fills an answer, which may lose its id and metadata, with a text."""

    def spoil(notebook: Notebook, size: int) -> None:
        answer = next(cell for cell in notebook["cells"] if cell["id"] == "merge")
        answer["source"] = text * (size // len(text))
        if is_lost:
            answer |= {"metadata": {}, "id": "lost"}

    return spoil


def said(text: str) -> Spoil:
    """Return a function that adds a text cell with repetitions of a text."""

    def spoil(notebook: Notebook, size: int) -> None:
        source = "<b>x</b> " + text * (size // len(text))
        notebook["cells"].append({"cell_type": "markdown", "source": source})

    return spoil


def many(source: str, name: str = "", cell_type: str = "code") -> Spoil:
    """Return a function that adds many copies of a cell; all other cells lose their ids."""

    def spoil(notebook: Notebook, size: int) -> None:
        for known in notebook["cells"]:
            known["metadata"], known["id"] = {}, None
        marks = {"nbgrader": {"grade_id": name}} if name else {}
        cell = {"cell_type": cell_type, "source": source, "metadata": marks}
        notebook["cells"] += [dict(cell) for _ in range(size // 100)]

    return spoil


SHAPES = {
    "blank lines": written("\n"),
    "blank lines in an answer": written("\n", is_lost=False),
    "half stubs in an answer": written("\n \n# YOUR CODE", is_lost=False),
    "blanks": written(" "),
    "blanks and a word": written(" " * 5000 + "x"),
    "stubs": written("# YOUR CODE HERE\n"),
    "half stubs": written("\n \n# YOUR CODE"),
    "definitions that are none": written("def \n"),
    "one long line": written("def"),
    "carriage returns": written("\r"),
    "cells without ids": many("x = 1"),
    "cells like a check": many("check(merge, [2, 2], gives=[4, 0])\n" * 5),
    "cells of blank lines": many("\n" * 100),
    "cells with one name": many("x", "merge"),
    "cells with one check's name": many("x", "merge-once"),
    "text cells": many("<b>x</b>", cell_type="markdown"),
    **{f"text of {text!r}": said(text) for text in ["[", "<a ", "*a ", "`", "> ", "![", "<!-"]},
}


def seconds(do: Callable[[], object]) -> float:
    start = process_time()
    do()
    return process_time() - start


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_much_takes_about_twice_as_long(
    shape: str, sampler: Sampler, master: Master
) -> None:
    def read(size: int) -> Callable[[], object]:
        notebook = sampler.notebook()
        SHAPES[shape](notebook, size)
        data = json.dumps(notebook).encode()
        return lambda: understand(handin_of("merge-a-line.ipynb", data), master)

    read(10_000)()
    small = min(seconds(read(20_000)) for _ in range(3))
    big = min(seconds(read(160_000)) for _ in range(2))
    # Eight times the size: quadratic time would be 64 times as long.
    assert big < 24 * max(small, 0.02)


def filled(notebook: Notebook, where: str, size: int) -> bytes:
    """Return the notebook, as bytes, with `size` more bytes in a place that no grader needs."""
    cell = notebook["cells"][4]
    line = '"' + "x" * 60 + '\\n",'
    value = "[" + line * (size // len(line)) + '"end"]'
    if where == "outputs":
        cell["outputs"] = [{"output_type": "stream", "text": "@"}]
    elif where == "one output":
        cell["outputs"], value = [{"data": {"text/html": "@"}}], '"' + "x" * size + '"'
    elif where.endswith("metadata"):
        (cell if where == "metadata" else notebook)["metadata"]["widgets"] = "@"
    elif where == "brackets":
        cell["outputs"], value = ["@"], "[" * (size // 16) + "]" * (size // 16)
    elif where == "quotes":
        line = '{"a \\"quoted\\" \\\\": ["} ] { [", [[{}], 1.5, null]]},'
        cell["outputs"], value = ["@"], "[" + line * (size // len(line)) + "1]"
    elif where == "an attachment":
        cell["attachments"], value = {"me.png": {"image/png": "@"}}, '"' + "A" * size + '"'
    return json.dumps(notebook, indent=1).replace('"@"', value).encode()


PLACES = ["outputs", "one output", "metadata", "the notebook's metadata", "brackets"]
PLACES += ["quotes", "an attachment"]


@pytest.mark.parametrize("where", PLACES)
def test_what_is_of_no_use_to_a_grader_costs_no_points_however_big_it_is(
    where: str, tmp_path: Path, sampler: Sampler, master: Master
) -> None:
    path = tmp_path / master.notebook
    path.write_bytes(filled(sampler.notebook(), where, 19 * 2**20))
    submission = understand(collect(path, master), master)
    answers = {cell.id: cell.source for cell in submission.cells}
    assert {name: answers[name] for name in sampler.solutions} == {
        name: source.strip("\n") for name, source in sampler.solutions.items()
    }
    lost = "1 parts of it were too big to be kept; they were left out"
    assert submission.problems == ((lost,) if where == "an attachment" else ())


@pytest.mark.parametrize("where", ["outputs", "one output", "an attachment"])
def test_memory_grows_with_what_is_of_no_use_by_no_more_than_its_size(
    where: str, tmp_path: Path, sampler: Sampler, master: Master
) -> None:
    def peak(size: int) -> int:
        path = tmp_path / master.notebook
        path.write_bytes(filled(sampler.notebook(), where, size))
        tracemalloc.start()
        try:
            parse(read_bytes(path, MAX_NOTEBOOK))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    most = 2**23 if where == "an attachment" else 0  # bytes of a picture that are kept for a while
    assert peak(2**24) < 2**24 + peak(2**22) + 2 * most  # it grows no faster than the file


BROKEN = {
    "it is not JSON: Expecting": lambda text: text.replace(b'"cell_type"', b"<<<<<<< HEAD\n", 1),
    "it is not JSON: Expecting ':'": lambda text: text.replace(b'"cells":', b'"cells"', 1),
    "it is JSON, but not a notebook: it holds a list": lambda text: b"[" + text + b"]",
    "it is a web page, not a notebook": lambda text: b"<html>" + text,
    "it is JSON, but not a notebook": lambda text: text.replace(b'"cells":', b'"cell":', 1),
    "the file holds nothing but blanks": lambda text: b"\0" * len(text),
    "the file is cut off at its end (line ": lambda text: text[: len(text) // 3],
    "the file is cut off at its end": lambda text: text[: int(len(text) * 0.9999)],
}


@pytest.mark.parametrize("reason", BROKEN)
def test_a_big_file_that_is_broken_has_its_reason(
    reason: str, sampler: Sampler, master: Master
) -> None:
    data = BROKEN[reason](filled(sampler.notebook(), "outputs", 4 * 2**20))
    [said] = understand(handin_of(master.notebook, data), master).problems
    assert said.startswith(reason)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_big_file_is_read_in_any_encoding(
    encoding: str, sampler: Sampler, master: Master
) -> None:
    notebook = sampler.notebook()
    notebook["cells"][0]["source"] = "Sch\u00f6ne Gr\u00fc\u00dfe"
    text = filled(notebook, "outputs", 4 * 2**20).decode().replace("\\u00f6", "\u00f6")
    data = text.encode(encoding)
    submission = understand(handin_of(master.notebook, data), master)
    assert submission.is_readable
    assert len(submission.problems) in (1, 2)


@pytest.mark.parametrize(
    "text",
    ['{"cells": [' + "{}," * 900_000, "{" + '"a":1,' * 900_000],
    ids=["cells", "names"],
)
def test_there_is_an_end_of_cells_and_of_names(text: str) -> None:
    assert handin_of("x.ipynb", text.encode()).reason == "it is JSON that no notebook would hold"
