"""An assignment as nbgrader would give it out: its masters, its answer key and its stub.

nbgrader's own preprocessors make all three from `source/`, so the delimiters, the stubs, the
headers and the tests that are made at release are those of its configuration.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
from nbgrader import __version__
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.nbgraderformat.v3 import MetadataValidatorV3
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearSolutions,
    InstantiateTests,
    SaveCells,
)
from traitlets.utils.importstring import import_item

from autograder.gradebook.remembered import Remembered
from autograder.notebook.beside import files_beside
from autograder.notebook.collect import Handin, handin_of
from autograder.notebook.markup import harmless
from autograder.notebook.master import (
    Master,
    MasterError,
    explained,
    is_marked,
    master_of,
    notebooks_in,
)
from autograder.submission import Cell, Kind

_MOST = 64 * 2**20  # bytes beside the notebooks of an assignment
_CHECKED = 5  # states of a notebook, besides the last, that nbgrader is remembered to have checked
_HIDING = (SaveCells, ClearHiddenTests, ClearMarkScheme)  # the gradebook gets the state before them


@dataclass(frozen=True)
class Prepared:
    """One notebook of an assignment: its master, the answer key and the stub as hand-ins.

    `notebook` is what nbgrader enters in the gradebook.
    """

    master: Master
    key: Handin
    stub: Handin
    notebook: Any


def prepare(parent: Any, coursedir: Any, assignment: str) -> tuple[Prepared, ...]:
    """Return the notebooks of an assignment in `source/`; `parent` is an nbgrader program.

    Raise `FileNotFoundError` if there are none, and `MasterError` if one cannot be used to grade.
    """
    folder = Path(coursedir.format_path(coursedir.source_directory, ".", assignment))
    paths = notebooks_in(folder)
    if not paths:
        raise FileNotFoundError(2, "there is no notebook", str(folder))
    files, _ = files_beside(folder, most=_MOST, ignore=tuple(coursedir.ignore))
    editable = Autograde(coursedir=coursedir, parent=parent).exclude_overwriting
    names = frozenset(path.name for path in paths)
    found = []
    for path in paths:
        with explained(path):
            one = _prepared(parent, coursedir, assignment, path)
        master = replace(
            one.master,
            siblings=names - {path.name},
            files=files,
            editable=frozenset(editable.get(assignment, ())),
        )
        found.append(replace(one, master=master))
    return tuple(found)


def resources_for(coursedir: Any, assignment: str, path: Path) -> dict[str, Any]:
    """Return the resources that nbgrader's preprocessors need for a notebook."""
    names = {"assignment": assignment, "notebook": path.stem, "db_url": coursedir.db_url}
    return {"nbgrader": names, "metadata": {"path": str(path.parent)}}


def _prepared(parent: Any, coursedir: Any, assignment: str, path: Path) -> Prepared:
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    master_of(assignment, notebook, path.name)  # refuses a malformed notebook
    notebook = MetadataValidatorV3().upgrade_notebook_metadata(notebook)
    resources = resources_for(coursedir, assignment, path)
    key = entered = None
    for kind in _preprocessors(parent, coursedir):
        if key is None and issubclass(kind, (ClearSolutions, *_HIDING)):
            key = deepcopy(notebook)
        if entered is None and issubclass(kind, _HIDING):
            entered = deepcopy(notebook)
        if issubclass(kind, CheckCellMetadata):
            _check(kind(parent=parent), notebook, resources, path, coursedir)
            continue
        if issubclass(kind, InstantiateTests):
            notebook = _with_tests(kind(parent=parent), notebook, resources, coursedir)
        elif not issubclass(kind, SaveCells):
            notebook = _processed(kind(parent=parent), notebook, resources, path)
    key, entered = key or notebook, entered or notebook
    master = _master(assignment, path.name, key, entered, notebook)
    return Prepared(master, _handin(path.name, key), _handin(path.name, notebook), entered)


def _preprocessors(parent: Any, coursedir: Any) -> list[Any]:
    kinds = GenerateAssignment(coursedir=coursedir, parent=parent).preprocessors
    return [import_item(kind) if isinstance(kind, str) else kind for kind in kinds]


def _processed(preprocessor: Any, notebook: Any, resources: dict[str, Any], path: Path) -> Any:
    try:
        return preprocessor.preprocess(notebook, resources)[0]
    except RuntimeError as error:
        raise MasterError(f"cannot be given out: {error}. Mend {path}") from error


def _check(
    checker: Any, notebook: Any, resources: dict[str, Any], path: Path, coursedir: Any
) -> None:
    """Have nbgrader check the cells, which takes long, unless it has checked the same before."""
    digest = _digest([[(cell.cell_type, cell.metadata) for cell in notebook.cells], __version__])
    shelf, name = _shelf(coursedir, resources), f"valid cells of {path.stem}"
    valid = shelf.get(name, __version__) or []
    if digest not in valid:
        _processed(checker, notebook, resources, path)
        shelf.put(name, __version__, [digest, *valid[:_CHECKED]])


def _digest(value: Any) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()


def _shelf(coursedir: Any, resources: dict[str, Any]) -> Remembered:
    return Remembered(Path(coursedir.root), resources["nbgrader"]["assignment"])


def _with_tests(maker: Any, notebook: Any, resources: dict[str, Any], coursedir: Any) -> Any:
    """Return the notebook with the tests that nbgrader makes of `AUTOTEST` lines, made once."""
    sources = [cell.source for cell in notebook.cells]
    if not any(maker.autotest_delimiter in source for source in sources):
        return notebook
    folder = Path(resources["metadata"]["path"])
    templates = [folder / maker.autotest_filename, Path(maker.autotest_filename)]
    texts = [path.read_text("utf-8") for path in templates if path.is_file()][:1]
    digest = _digest([sources, texts, __version__])
    shelf = _shelf(coursedir, resources)
    name = f"tests of {resources['nbgrader']['notebook']}"
    made = shelf.get(name, digest)
    if made is None:
        try:
            with _quiet():
                done = maker.preprocess(deepcopy(notebook), resources)[0]
        except Exception as error:  # it runs the instructor's own code in a kernel
            raise MasterError(
                f"has AUTOTEST lines of which nbgrader could make no tests ({type(error).__name__}:"
                f" {error}). See that {maker.autotest_filename} lies beside it or in the course "
                "folder, and that the answers run"
            ) from error
        made = [cell.source for cell in done.cells]
        shelf.put(name, digest, made)
    for cell, source in zip(notebook.cells, made, strict=True):
        cell.source = source
    return notebook


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence stderr in the block, for a kernel whose warnings do not concern the instructor."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _master(assignment: str, name: str, key: Any, entered: Any, released: Any) -> Master:
    """Return the master, which knows what is given out of each cell, and the answers."""
    master = master_of(assignment, entered, name)
    solved, seen = _sources(key), _sources(released)
    cells = tuple(
        replace(
            cell,
            solution=solved.get(cell.id, "") if cell.is_answer else "",
            visible=None if seen.get(cell.id) == cell.source else seen.get(cell.id, ""),
        )
        for cell in master.cells
    )
    return replace(master, cells=cells, texts=frozenset(_texts(released)))


def _texts(notebook: Any) -> Iterator[str]:
    """Yield the texts between the cells that nbgrader knows, if nothing in them is active."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and not is_marked(cell.metadata):
            text = Cell("", Kind.MANUAL, cell.source, cell_type="markdown")
            if not cell.get("attachments") and harmless(text) == text:
                yield cell.source


def _sources(notebook: Any) -> dict[str, str]:
    cells = (cell for cell in notebook.cells if "nbgrader" in cell.metadata)
    return {cell.metadata.nbgrader.get("grade_id", ""): cell.source for cell in cells}


def _handin(name: str, notebook: Any) -> Handin:
    return handin_of(name, json.dumps(notebook).encode())
