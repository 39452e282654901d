"""The master: the instructor's copy of a notebook, in `source/`.

It alone says, by nbgrader's marks in the metadata of its cells (`grade`, `solution`, `points` and
others), which cells are tests, which are answers, and how many points each gives.
"""

import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.course_adapter import definition, lesson_order, lessons
from autograder.grading_data import Cell, CellKind
from autograder.notebook.magics import without_magics
from autograder.notebook.safe_text import cell_title, is_by_chance, plain_text, without_common_start
from autograder.system import Trouble

_KEPT = ("kernelspec", "language_info")  # of the notebook's metadata
_TEXT_STUB = "YOUR ANSWER HERE"  # nbgrader's, in place of a written answer
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SOLUTION = re.compile(r"^[^\n]*BEGIN SOLUTION.*?END SOLUTION[^\n]*\n?", re.M | re.S)


class MasterError(Trouble, ValueError):
    """The error raised if an assignment cannot be graded; the message says what to do."""


@dataclass(frozen=True)
class Delimiters:
    """The texts by which nbgrader recognises the first and the last line of hidden tests."""

    begin: str = "BEGIN HIDDEN TESTS"
    end: str = "END HIDDEN TESTS"

    def without_hidden(self, source: str) -> str:
        r"""Return a source without hidden tests; after a missing end line, leave out all the rest.

        >>> Delimiters().without_hidden("a\n### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS\nc")
        'a\nc'
        """
        kept = []
        is_hidden = False
        for line in source.split("\n"):
            if self.begin in line or self.end in line:
                is_hidden = self.begin in line
            elif not is_hidden:
                kept.append(line)
        return "\n".join(kept)


NBGRADERS = Delimiters()


@dataclass(frozen=True)
class MasterCell(Cell):
    """A cell of the master with nbgrader's marks in its metadata; `id` is its `grade_id`.

    `solution` is the instructor's answer; it is empty if students do not have to answer in the
    cell. The `source` of an answer cell may be the text that students get in place of the solution.
    """

    solution: str = ""

    @property
    def name(self) -> str:
        """The words that denote the cell in a sentence, such as `test cell merge-once`."""
        kind = "solution" if self.kind is CellKind.STUDENT else self.kind.value
        return f"{kind} cell {self.id}"

    @property
    def is_answer(self) -> bool:
        """True if the student has to write the source of the cell."""
        return bool(self.metadata["nbgrader"].get("solution"))

    @property
    def answer(self) -> list[ast.stmt]:
        """The statements of the instructor's answer."""
        return _statements(self.solution if self.cell_type == "code" else "")

    def is_answered_in(self, source: str) -> bool:
        """Return true if a student's source defines what this answer must define."""
        if definition(self.id).search(self.solution):
            return bool(definition(self.id).search(source))
        names = [node.name for node in self.answer if isinstance(node, _DEFINITIONS)]
        return bool(names) and all(definition(name).search(source) for name in names)

    @cached_property
    def released(self) -> str:
        """The `plain_text` of the source that students got, without lines marked as a solution."""
        return plain_text(_SOLUTION.sub("", self.shown))

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """The source that students got and the instructor's source, both as `plain_text`."""
        return tuple(dict.fromkeys((self.released, plain_text(self.source))))


@dataclass(frozen=True)
class Master:
    """The instructor's copy of one notebook: its cells with nbgrader's marks, and its metadata.

    - `lesson`: the assignment
    - `notebook`: the file name that a submission should have
    - `siblings`: the file names of the assignment's other notebooks
    - `files`: the files beside the notebooks, path → content
    - `editable`: the paths of files of which a student's own version is used
    - `uses`: notes as JSON data on how the tests use the answer key's objects
    - `format`: the nbformat version
    - `imports`: the import statements in code cells without nbgrader's marks
    - `unlocked`: names that are assigned or defined in code cells without marks, and in no cell of
      the instructor's
    - `texts`: the sources of text cells without marks and without anything active, such as a script
    """

    lesson: str
    cells: tuple[MasterCell, ...]
    metadata: dict[str, Any]
    notebook: str
    siblings: frozenset[str] = frozenset()
    files: Mapping[str, bytes] = field(default_factory=dict)
    editable: frozenset[str] = frozenset()
    uses: Mapping[str, Any] = field(default_factory=dict)
    format: str = ""
    imports: str = ""
    unlocked: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()

    @cached_property
    def by_id(self) -> dict[str, MasterCell]:
        """The cells by their ids."""
        return {cell.id: cell for cell in self.cells}

    @cached_property
    def titles(self) -> dict[str, str]:
        """A dictionary from names of cells that an editor made up at random to titles."""
        given = {one.id: one.released.replace(_TEXT_STUB, "") for one in self.cells}
        found = without_common_start(given).items()
        return {name: cell_title(name, text) for name, text in found if is_by_chance(name)}

    @property
    def graded(self) -> tuple[MasterCell, ...]:
        """The cells that give points: tests, and answers that a person grades."""
        return tuple(cell for cell in self.cells if cell.kind in (CellKind.TEST, CellKind.MANUAL))

    @cached_property
    def answered(self) -> dict[str, tuple[str, ...]]:
        """A dictionary from the names that a student must define to ids of cells.

        The names are those that the answer key defines; the cells are those that define them there.
        """
        found: dict[str, list[str]] = defaultdict(list)
        for cell in self.cells:
            for name in dict.fromkeys(_bound(cell.answer)):
                found[name].append(cell.id)
        return {name: tuple(cells) for name, cells in found.items()}

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names in `answered` that are functions or classes."""
        nodes = (node for cell in self.cells for node in cell.answer)
        return frozenset(node.name for node in nodes if isinstance(node, _DEFINITIONS))


def master_of(
    assignment: str, notebook: dict[str, Any], name: str, hidden: Delimiters = NBGRADERS
) -> Master:
    """Return the master that is made from `notebook`, the JSON of a file with this `name`.

    Raise `MasterError` if its kernel does not run Python, and `ValueError` if a cell with marks has
    no `grade_id`, or the same one as another cell.
    """
    # make plain dictionaries; a process that gets nbformat's own ones has to load nbformat
    notebook = json.loads(json.dumps(notebook))
    about = notebook["metadata"]
    kernel = about.get("kernelspec") or {}
    language = kernel.get("language") or (about.get("language_info") or {}).get("name")
    kernel_name = str(kernel.get("name") or "python")
    if "python" not in str(language or kernel_name).lower() and language != "ipython":
        raise MasterError(
            f"asks for the kernel {kernel_name} ({language or 'of a language that it does not say'}"
            "); only Python is graded here. Grade this assignment with nbgrader autograde, in a "
            "course folder whose nbgrader_config.py has no line of this grader"
        )
    marked = [cell for cell in notebook["cells"] if is_marked(cell["metadata"])]
    cells = tuple(_master_cell(cell, hidden) for cell in marked)
    twice = [one for one, number in Counter(cell.id for cell in cells).items() if number > 1]
    if twice:
        raise ValueError(f"it has two cells with the name {twice[0]}")
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    texts = ("".join(cell["source"]) for cell in code if cell not in marked)
    own = [node for text in texts for node in _statements(without_magics(text))]
    given = [cell.source for cell in cells if cell.cell_type == "code" and not cell.solution]
    locked = {name for source in given for name in _bound(_statements(without_magics(source)))}
    imports = [ast.unparse(node) for node in own if isinstance(node, ast.Import | ast.ImportFrom)]
    return Master(
        assignment,
        cells,
        metadata={key: about[key] for key in _KEPT if key in about},
        notebook=name,
        format=f"{notebook.get('nbformat')}.{notebook.get('nbformat_minor')}",
        imports="\n".join(imports),
        unlocked=frozenset(_bound(own)) - locked,
    )


def is_marked(metadata: Mapping[str, Any]) -> bool:
    """Return true if at least one of nbgrader's marks in a cell's metadata is true."""
    marks = metadata.get("nbgrader", {})
    return any(marks.get(key) for key in ("grade", "solution", "locked", "task"))


def read_master(assignment: str, source: Path) -> Master:
    """Return the master of an assignment with only one notebook; see `read_assignment`."""
    [master] = read_assignment(assignment, source)
    return master


def read_masters(source: Path, hidden: Delimiters = NBGRADERS) -> tuple[Master, ...]:
    """Return the masters of all assignments in the folder `source/`."""
    names = assignments_in(source)
    return tuple(one for name in names for one in read_assignment(name, source, hidden))


def read_assignment(
    assignment: str, source: Path, hidden: Delimiters = NBGRADERS
) -> tuple[Master, ...]:
    """Return the masters in the folder `source/assignment`, sorted by file name.

    Raise `FileNotFoundError` if there are none, and `MasterError` if one cannot be used to grade.
    """
    paths = notebooks_in(source / assignment)
    if not paths:
        raise FileNotFoundError(2, "there is no notebook", str(source / assignment))
    found = []
    for path in paths:
        with explained(path):
            found.append(master_of(assignment, json.loads(path.read_bytes()), path.name, hidden))
    return tuple(found)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of a malformed notebook in the block into a `MasterError` with advice."""
    try:
        yield
    except MasterError as error:
        raise MasterError(f"{path} {error}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise MasterError(
            f"{path} is no notebook that nbgrader could grade ({type(error).__name__}: {error}); "
            "open it in JupyterLab, save it, and validate it there"
        ) from error


def assignments_in(source: Path) -> list[str]:
    """Return the assignments that have a notebook in `source/`, lessons of this course first."""
    if not source.is_dir():
        return []
    found = {path.name for path in source.iterdir() if path.is_dir() and notebooks_in(path)}
    known = [name for name in lesson_order() if name in found]
    return known + sorted(found - set(known))


def names_in(source: Path) -> dict[str, frozenset[str]]:
    """Return a dictionary from assignments to the names of their graded cells and answer cells.

    The assignments are those in the folder `source`. If one of them is a lesson of this course, all
    other lessons are added, with the names of their cells. A notebook that cannot be read is left
    out.
    """
    found: dict[str, frozenset[str]] = {}
    for assignment in assignments_in(source):
        names: set[str] = set()
        for path in notebooks_in(source / assignment):
            with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
                for cell in json.loads(path.read_bytes())["cells"]:
                    marks = cell["metadata"].get("nbgrader", {})
                    if marks.get("grade") or marks.get("solution"):
                        names.add(str(marks["grade_id"]))
        found[assignment] = frozenset(names)
    if not found.keys().isdisjoint(lesson_order()):
        for one in lessons():
            found.setdefault(one.id, frozenset([*one.checks, *(e.cell for e in one.exercises)]))
    return found


def notebooks_in(folder: Path) -> list[Path]:
    """Return the paths of the notebooks directly in a folder, sorted by name."""
    return sorted(path for path in folder.glob("*.ipynb") if path.is_file())


def _master_cell(cell: dict[str, Any], hidden: Delimiters) -> MasterCell:
    marks = cell["metadata"]["nbgrader"]
    if not isinstance(marks.get("grade_id"), str) or not marks["grade_id"]:
        raise ValueError("a marked cell has no name (grade_id)")
    source = "".join(cell["source"])  # it may be a list of lines
    is_grade, is_solution = marks.get("grade"), marks.get("solution")
    kind = CellKind.STUDENT if is_solution else CellKind.GIVEN
    if marks.get("task") or (is_grade and (is_solution or cell["cell_type"] != "code")):
        kind = CellKind.MANUAL
    elif is_grade:
        kind = CellKind.TEST
    return MasterCell(
        id=marks["grade_id"],
        kind=kind,
        source=source,
        points=max(0.0, float(marks.get("points") or 0)),
        cell_type=cell["cell_type"],
        metadata=cell["metadata"],
        attachments=cell.get("attachments", {}),
        visible=hidden.without_hidden(source),
        solution=source if is_solution else "",
    )


def _statements(source: str) -> list[ast.stmt]:
    """Return the statements of a source; none if it cannot be parsed."""
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError):
        return []


def _bound(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements define or assign, except imported ones."""
    for node in statements:
        if isinstance(node, _DEFINITIONS):
            yield node.name
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id
