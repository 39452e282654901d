"""A learner of one's own: a folder as `make lab` makes it, and solutions that leave a trace."""

import ast
import re
import shutil
from pathlib import Path

import nbformat

from autograder.records.release import ROOT
from course.lab.start import MAP, copy_missing
from course.lessons import Lesson
from tests.browser.notebooks import NotebookPage

MARKERS = re.compile(r"^ *### (BEGIN|END).*\n?", flags=re.MULTILINE)
DEFINES = (ast.FunctionDef, ast.ClassDef)


def solutions(lesson: Lesson) -> dict[str, str]:
    """What the instructor wrote in each solution cell, without the markers."""
    notebook = nbformat.read(ROOT / "source" / lesson.id / lesson.notebook, as_version=4)
    names = [exercise.cell for exercise in lesson.exercises]
    return {cell.id: MARKERS.sub("", cell.source) for cell in notebook.cells if cell.id in names}


def traced(source: str) -> str:
    """The same cell, in which every function first puts its name into the set `ran`.

    >>> print(traced("def merge(line):\\n    return line"))
    ran = set()
    <BLANKLINE>
    <BLANKLINE>
    def merge(line):
        ran.add("merge")
        return line
    """
    marks = list(_marks(ast.parse(source), ""))
    lines = source.split("\n")
    for number, indent, name in sorted(marks, reverse=True):
        lines.insert(number - 1, f'{" " * indent}ran.add("{name}")')
    return "\n".join((["ran = set()", "", ""] if marks else []) + lines)


def _marks(node: ast.AST, owner: str) -> list[tuple[int, int, str]]:
    """For each function of a class or module: the line of its first statement, and its name."""
    found = []
    for child in (each for each in ast.iter_child_nodes(node) if isinstance(each, DEFINES)):
        name = f"{owner}.{child.name}" if owner else child.name
        if isinstance(child, ast.ClassDef):
            found += _marks(child, name)
        else:
            first = child.body[1:2] if ast.get_docstring(child) else []
            statement = (first or child.body)[0]
            found.append((statement.lineno, statement.col_offset, name))
    return found


class Learner:
    """Somebody who goes through the lessons in one JupyterLab, in one folder."""

    def __init__(self, notebook: NotebookPage) -> None:
        self.notebook = notebook
        self.folder = notebook.server.root / "my-course"
        copy_missing(ROOT / "release", self.folder)
        shutil.copyfile(MAP, self.folder / MAP.name)

    def begin(self) -> None:
        """Opens JupyterLab at the map of the course."""
        self.notebook.path = self._path(Path(MAP.name))
        self.notebook.reload()
        self.notebook.run_all()

    def open(self, lesson: Lesson) -> None:
        """Goes to a lesson; the notebook that was open is saved and closed."""
        self.notebook.go_to(self._path(Path(lesson.id, lesson.notebook)))

    def open_map(self) -> None:
        """Goes back to the map."""
        self.notebook.go_to(self._path(Path(MAP.name)))

    def solve(self, lesson: Lesson) -> None:
        """Writes the instructor's solutions, each with its trace, and runs all cells."""
        for cell, text in solutions(lesson).items():
            self.notebook.set_source(cell, traced(text))
        self.notebook.run_all()

    def whose(self) -> dict[str, str]:
        """The table at the top of a lesson: each piece, whose it is, and why."""
        rows = self.notebook.cell("given-imports").locator("table tr")
        rows.first.wait_for()
        script = "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        return {name: " ".join(rest).strip() for name, *rest in rows.evaluate_all(script)}

    def _path(self, file: Path) -> str:
        return f"{self.folder.name}/{file.as_posix()}"
