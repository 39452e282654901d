"""A learner for tests: a folder as from `make lab`, and solutions that note when they have run."""

import ast
import json
import re
import shutil
from pathlib import Path
from typing import Any

import nbformat

from autograder.course_adapter import ROOT
from course.lab.start import MAP, copy_missing
from course.lessons import Lesson
from tests.browser.notebook_page import NotebookPage

MARKERS = re.compile(r"^ *### (BEGIN|END).*\n?", flags=re.MULTILINE)


def solutions(lesson: Lesson) -> dict[str, str]:
    """Return the instructor's solutions by cell, without the marker lines of solutions."""
    notebook = nbformat.read(ROOT / "source" / lesson.id / lesson.notebook, as_version=4)
    names = [exercise.cell for exercise in lesson.exercises]
    return {cell.id: MARKERS.sub("", cell.source) for cell in notebook.cells if cell.id in names}


def solved(lesson: Lesson, notebook: Path) -> dict[str, Any]:
    """Return the notebook in a learner's file, with right answers in its cells; write nothing."""
    found: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    answers = solutions(lesson)
    for cell in found["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    return found


def traced(source: str) -> str:
    """Return a cell in which each function notes that it has run, when it is called.

    >>> print(traced("def merge(line):\\n    return line"))
    def merge(line):
        merge.has_run = True
        return line
    """
    lines = source.split("\n")
    functions = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    for function in reversed([each for each in functions if not each.decorator_list]):
        first = function.body[1:2] if ast.get_docstring(function) else []
        number = (first or function.body)[0].lineno
        lines.insert(number - 1, f"    {function.name}.has_run = True")
    return "\n".join(lines)


class Learner:
    """A learner who goes through the lessons in one JupyterLab, in one folder."""

    def __init__(self, notebook: NotebookPage) -> None:
        self.notebook = notebook
        self.folder = notebook.server.root / "my-course"
        copy_missing(ROOT / "release", self.folder)
        shutil.copyfile(MAP, self.folder / MAP.name)

    def begin(self) -> None:
        """Open JupyterLab at the map of the course, and run the cells of the map."""
        self.open_map()
        self.notebook.run_all()

    def open(self, lesson: Lesson) -> None:
        """Save and close the open notebook, then open the notebook of a lesson."""
        self.notebook.save()
        self.notebook.go_to(self._path(Path(lesson.id, lesson.notebook)))

    def open_map(self) -> None:
        self.notebook.go_to(self._path(Path(MAP.name)))

    def solve(self, lesson: Lesson) -> None:
        """Write the instructor's solutions, which note when they run, and then run all cells."""
        for cell, text in solutions(lesson).items():
            self.notebook.set_source(cell, traced(text))
        self.notebook.run_all()

    def whose(self) -> dict[str, str]:
        """Return the table at the top of a lesson: by function or class, whose it is, and why."""
        rows = self.notebook.cell("given-imports").locator("table tr")
        rows.first.wait_for()
        script = "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        return {name: " ".join(rest).strip() for name, *rest in rows.evaluate_all(script)}

    def which_run(self, call: str, *names: str) -> set[str]:
        """Make a call in the notebook; return those of `names` whose functions then run."""
        self.notebook.ask("\n".join(f"{name}.has_run = False" for name in names))
        self.notebook.ask(call)
        return self.which_ran(*names)

    def which_ran(self, *names: str) -> set[str]:
        """Return those of `names` whose functions have run, if the learner wrote them."""
        asked = f"[each.__name__ for each in ({', '.join(names)},) if each.has_run]"
        return set(ast.literal_eval(self.notebook.ask(asked)))

    def _path(self, file: Path) -> str:
        return f"{self.folder.name}/{file.as_posix()}"
