"""Preparation of an assignment for grading, from its notebooks in `source/`.

Three versions of each notebook are made: the master, which has the tests, and says what each cell
is; the answer key, with the instructor's solutions; and the stub, the notebook as students get it.
nbgrader's own preprocessors make all three, so delimiters, empty answers, headers and generated
tests are as nbgrader's configuration says.
"""

import json
import os
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
from nbgrader import __version__
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.nbgraderformat.v3 import MetadataValidatorV3
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearMarkScheme,
    ClearSolutions,
    InstantiateTests,
    SaveCells,
)
from traitlets.utils.importstring import import_item

from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.staleness import Cache, digest_of
from autograder.grading_data import Cell, CellKind
from autograder.notebook.find_submitted_notebook import Handin, handin_of
from autograder.notebook.master import (
    Master,
    MasterError,
    explained,
    is_marked,
    master_of,
    notebooks_in,
)
from autograder.notebook.sanitize_markdown import harmless
from autograder.notebook.submitted_files import files_beside

_MOST = 64 * 2**20  # bytes of all files beside the notebooks of an assignment
# the gradebook gets the notebook as it is before the first of these preprocessors
_HIDING = (SaveCells, ClearHiddenTests, ClearMarkScheme)


@dataclass(frozen=True)
class Prepared:
    """One notebook of an assignment: its master, and its answer key and its stub as hand-ins.

    The stub is the notebook as students get it. `notebook` is the notebook in the form in which
    nbgrader enters it in the gradebook.
    """

    master: Master
    key: Handin
    stub: Handin
    notebook: Any


def prepare(course: CourseFolder, assignment: str) -> tuple[Prepared, ...]:
    """Return master, answer key and stub of each notebook of an assignment in `source/`.

    Raise `FileNotFoundError` if there is no notebook, and `MasterError` if a notebook cannot be
    used to grade.
    """
    folder = course.masters(assignment)
    paths = notebooks_in(folder)
    if not paths:
        raise FileNotFoundError(2, "there is no notebook", str(folder))
    files, _ = files_beside(folder, most=_MOST, ignore=tuple(course.directory.ignore))
    converter = Autograde(coursedir=course.directory, parent=course.app)
    editable = frozenset(converter.exclude_overwriting.get(assignment, ()))
    names = frozenset(path.name for path in paths)
    found = []
    for path in paths:
        with explained(path):
            one = _prepared(course, assignment, path)
        siblings = names - {path.name}
        master = replace(one.master, siblings=siblings, files=files, editable=editable)
        found.append(replace(one, master=master))
    return tuple(found)


def resources_for(course: CourseFolder, assignment: str, path: Path) -> dict[str, Any]:
    """Return the argument `resources` with which nbgrader's preprocessors get a notebook."""
    names = {"assignment": assignment, "notebook": path.stem, "db_url": course.db_url}
    return {"nbgrader": names, "metadata": {"path": str(path.parent)}}


def _prepared(course: CourseFolder, assignment: str, path: Path) -> Prepared:
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    master_of(assignment, notebook, path.name)  # raises an error if the notebook is malformed
    notebook = MetadataValidatorV3().upgrade_notebook_metadata(notebook)
    resources = resources_for(course, assignment, path)
    kinds = GenerateAssignment(coursedir=course.directory, parent=course.app).preprocessors
    key = entered = None
    for kind in (import_item(kind) if isinstance(kind, str) else kind for kind in kinds):
        if key is None and issubclass(kind, (ClearSolutions, *_HIDING)):
            key = deepcopy(notebook)
        if entered is None and issubclass(kind, _HIDING):
            entered = deepcopy(notebook)
        preprocessor = kind(parent=course.app)
        if issubclass(kind, InstantiateTests):
            notebook = _with_tests(course, assignment, preprocessor, notebook, path)
        elif not issubclass(kind, SaveCells):
            try:
                notebook, _ = preprocessor.preprocess(notebook, resources)
            except RuntimeError as error:
                raise MasterError(f"cannot be given out: {error}. Mend {path}") from error
    key, entered = key or notebook, entered or notebook
    master, released = master_of(assignment, entered, path.name), notebook
    solved, seen = _sources(key), _sources(released)
    cells = tuple(
        replace(
            cell,
            solution=solved.get(cell.id, "") if cell.is_answer else "",
            visible=None if seen.get(cell.id) == cell.source else seen.get(cell.id, ""),
        )
        for cell in master.cells
    )
    texts = set()  # sources of harmless text cells without nbgrader's marks and without pictures
    for cell in released.cells:
        if cell.cell_type == "markdown" and not is_marked(cell.metadata):
            text = Cell("", CellKind.MANUAL, cell.source, cell_type="markdown")
            if not cell.get("attachments") and harmless(text) == text:
                texts.add(cell.source)
    master = replace(master, cells=cells, texts=frozenset(texts))
    solution, stub = (handin_of(path.name, json.dumps(one).encode()) for one in (key, released))
    return Prepared(master, solution, stub, entered)


def _with_tests(
    course: CourseFolder, assignment: str, maker: Any, notebook: Any, path: Path
) -> Any:
    """Return the notebook with the tests that nbgrader generates from `AUTOTEST` lines."""
    sources = [cell.source for cell in notebook.cells]
    if not any(maker.autotest_delimiter in source for source in sources):
        return notebook
    templates = [path.parent / maker.autotest_filename, Path(maker.autotest_filename)]
    texts = [template.read_text("utf-8") for template in templates if template.is_file()][:1]
    name, digest = f"tests of {path.stem}", digest_of([sources, texts, __version__])
    cache = Cache(course.root, assignment)
    made = cache.get(name, digest)
    if made is None:
        stderr = os.dup(2)  # a kernel's warnings do not concern the instructor
        try:
            with open(os.devnull, "wb") as nothing:
                os.dup2(nothing.fileno(), 2)
            resources = resources_for(course, assignment, path)
            done = maker.preprocess(deepcopy(notebook), resources)[0]
        except Exception as error:  # nbgrader runs the instructor's own code in a kernel
            raise MasterError(
                f"has AUTOTEST lines of which nbgrader could make no tests ({type(error).__name__}:"
                f" {error}). See that {maker.autotest_filename} lies beside it or in the course "
                "folder, and that the answers run"
            ) from error
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
        made = [cell.source for cell in done.cells]
        cache.put(name, digest, made)
    for cell, source in zip(notebook.cells, made, strict=True):
        cell.source = source
    return notebook


def _sources(notebook: Any) -> dict[str, str]:
    cells = (cell for cell in notebook.cells if "nbgrader" in cell.metadata)
    return {cell.metadata.nbgrader.get("grade_id", ""): cell.source for cell in cells}
