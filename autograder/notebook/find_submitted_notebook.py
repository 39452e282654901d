"""Functions that find the notebook to be graded in a submission, read it, and repair it."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from io import BytesIO
from itertools import islice
from pathlib import Path
from zipfile import is_zipfile

from autograder.course_adapter import definition
from autograder.grading_data import CellKind, Submission
from autograder.notebook.master import Master
from autograder.notebook.match_cells import match
from autograder.notebook.parse_notebook import MAX_NOTEBOOK, RawNotebook, parse
from autograder.notebook.repair import repair, unreadable
from autograder.notebook.submitted_files import (
    NBGRADERS_FILES,
    Unreadable,
    files_beside,
    read_bytes,
    walk,
)

_DEPTH = 3
_CANDIDATES = 20
_ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz")
# Shares of the graded cells and answer cells of an assignment. A notebook belongs to another
# assignment if it has at most the share `_STRANGER` of the cells of the assignment for which it was
# handed in, and more than the share `_ANOTHER` of the cells of the other assignment.
_STRANGER, _ANOTHER = 0.25, 0.5
_TOLD = 5  # files that a sentence names at most


@dataclass(frozen=True)
class Handin:
    """A hand-in as plain data: the notebook to be graded, or the reason why there is none.

    `name` is the notebook's file name, and `fingerprint` a digest of the file's content. `problems`
    are sentences about what was unusual. `files` are the student's own files beside the notebook:
    path → content.
    """

    name: str
    notebook: RawNotebook | None = None
    reason: str = ""
    problems: tuple[str, ...] = ()
    fingerprint: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A hash of the name, the notebook, the reason why there is none, and the other files."""
        files = [(name, sha256(data).digest()) for name, data in sorted(self.files.items())]
        said = (self.name, self.fingerprint, self.reason, *files)
        return sha256(repr(said).encode()).hexdigest()

    def with_answer(self, cell: str, source: str) -> "Handin":
        """Return a copy of the hand-in in which `source` is the text of the cell named `cell`."""
        assert self.notebook is not None
        cells = (
            replace(one, source=source) if one.grade_id == cell else one
            for one in self.notebook.cells
        )
        return replace(self, notebook=replace(self.notebook, cells=tuple(cells)))


def collect(path: Path, master: Master) -> Handin:
    """Return the hand-in in a folder or a single file; if it is unreadable, `reason` says why."""
    try:
        if not path.is_dir() or path.is_symlink():
            return _collect_file(path)
        files, problems = files_beside(path, set(master.files) - master.editable)
        handin = _collect_folder(path, master)
        return replace(handin, files=files, problems=(*handin.problems, *problems))
    except OSError as error:
        return Handin(path.name, reason=f"it cannot be opened: {error.strerror}")


def refuse_misfiled(handin: Handin, master: Master, known: Mapping[str, frozenset[str]]) -> Handin:
    """Return a hand-in; leave out its notebook if the notebook belongs to another assignment.

    `known` is a dictionary from assignments to the names of their graded cells and answer cells.
    """
    names = {cell.grade_id for cell in handin.notebook.cells} if handin.notebook else set()
    asked = {cell.id for cell in master.cells if cell.kind is not CellKind.GIVEN}
    if len(names & asked) > len(asked) * _STRANGER:
        return handin
    held = {name: len(names & cells) / len(cells) for name, cells in known.items() if cells}
    best = max(held, key=held.__getitem__, default="")
    if best in ("", master.lesson) or held[best] <= _ANOTHER:
        return handin
    reason = f"this is the notebook of {best}; hand in {master.notebook} of {master.lesson}"
    return replace(handin, notebook=None, reason=reason, problems=())


def handin_of(name: str, data: bytes) -> Handin:
    """Return the hand-in for a file with this name and content."""
    fingerprint = sha256(data).hexdigest()
    try:
        return Handin(name, parse(data), fingerprint=fingerprint)
    except Unreadable as reason:
        return Handin(name, reason=str(reason), fingerprint=fingerprint)


def understand(handin: Handin, master: Master) -> Submission:
    """Return the repaired submission; if the hand-in has no notebook, the submission says why."""
    if handin.notebook is None:
        return unreadable(master, handin.reason, handin.problems)
    problems = (*handin.problems, *handin.notebook.problems)
    submission = repair(replace(handin.notebook, problems=problems), master)
    return replace(submission, files={**master.files, **handin.files})


def identify(path: Path, masters: tuple[Master, ...]) -> Master:
    """Return the master (the instructor's notebook) to which the notebook in a file belongs.

    It is the master of which the largest share of cells is in the file, if this share is more than
    half, and no other master has the same share. Otherwise, the names of the file and of its folder
    decide. Raise `Unreadable` if these names do not decide.
    """
    handin = _collect_file(path)
    shares = []
    for master in masters:
        held, _ = _held_and_written(handin, master)
        # one cell in common may be chance
        shares.append(held / len(master.cells) if held > 1 else 0.0)
    best = max(shares, default=0.0)
    pairs = zip(masters, shares, strict=True)
    likely = tuple(one for one, share in pairs if best > 0.5 and share == best)
    if len(likely) == 1:
        return likely[0]
    folder = path.absolute().parent.name
    named = likely or masters
    ranks = [(one.notebook == path.name) + (one.lesson == folder) for one in named]
    if (most := max(ranks, default=0)) and ranks.count(most) == 1:
        return named[ranks.index(most)]
    if handin.notebook is None:
        raise Unreadable(handin.reason)
    known = ", ".join(master.lesson for master in masters)
    raise Unreadable(
        f"neither its cells nor its name say which assignment it is; known are {known}; "
        "say which with --lesson"
    )


def _collect_file(path: Path, most: int = MAX_NOTEBOOK) -> Handin:
    try:
        return handin_of(path.name, read_bytes(path, most))
    except Unreadable as reason:
        return Handin(path.name, reason=str(reason))


def _collect_folder(folder: Path, master: Master) -> Handin:
    """Return the hand-in from a folder, which may hold several copies of the notebook.

    Usually, the file with the master's name counts. Another copy, such as a browser's
    `name (1).ipynb`, counts if that file is missing or has none of the master's cells, or if the
    student has worked only on the copy. All copies together may have as many bytes as one notebook.
    """
    expected = folder / master.notebook
    found = _collect_others(folder, {expected, *(folder / name for name in master.siblings)})
    measured = {path: _held_and_written(one, master) for path, one in found.items()}
    copies = [path for path in found if measured[path][0]]
    handin = _collect_file(expected) if os.path.lexists(expected) else None
    if handin is not None and not copies:
        return handin
    if not copies:
        files = [path for path in walk(folder, _DEPTH) if path.name not in NBGRADERS_FILES]
        archives = [path for path in files if path.suffix.lower() in _ARCHIVES]
        there = _names([*(found or files)][:_TOLD], folder)
        said = f", only {there}; hand in" if there else "; hand in"
        if archives and not found:
            broken = []  # `.zip` files that are cut off, or are something else
            for path in archives:
                with suppress(Unreadable):
                    if path.suffix.lower() == ".zip" and not is_zipfile(BytesIO(read_bytes(path))):
                        broken.append(path)
            whole = [path for path in archives if path not in broken]
            told = f"{_names(broken[:_TOLD], folder)} is damaged, and cannot be unpacked"
            if whole:
                told = f"unpack {_names(whole[:_TOLD], folder)}"
            said = f"; {told}{', or' if whole else ';'} hand in"
        reason = f"there is no {expected.name}{said} {expected.name} itself"
        return Handin(expected.name, reason=reason)
    worked_on = [path for path in copies if measured[path][1]]
    held, written = _held_and_written(handin, master) if handin else (0, 0)
    if handin is None:
        fate = "was missing"
    elif not held:
        fate = "was of no use"
    elif worked_on and not written:
        fate = "was as it was given out"
    else:
        also, why = f"{_names(worked_on or copies, folder)} also holds this lesson", ""
        if worked_on:
            also, why = f"{also}, and was worked on", " has the right name and"
        return replace(handin, problems=(f"{also}; {expected.name}{why} was used",))
    best = max(copies, key=lambda path: (measured[path][1] > 0, measured[path][0]))
    instead = f"{expected.name} {fate}; {best.relative_to(folder)} was used"
    if rivals := [path for path in worked_on if path != best]:
        instead += f", and not {_names(rivals, folder)}, which was worked on, too"
    return replace(found[best], problems=(instead,))


def _collect_others(folder: Path, expected: set[Path]) -> dict[Path, Handin]:
    """Return a dictionary from files that may be notebooks, but are not `expected`, to hand-ins."""
    likely = (path for path in walk(folder, _DEPTH) if ".ipynb" in path.name.lower())
    sizes = {path: 0 for path in islice(likely, _CANDIDATES) if path not in expected}
    for path in sizes:
        with suppress(OSError, RuntimeError):  # `_collect_file` says what is wrong with it
            sizes[path] = path.stat().st_size
    found, left = {}, MAX_NOTEBOOK
    for path in sorted(sizes, key=sizes.__getitem__):  # the smallest first
        found[path] = _collect_file(path, left)
        left = max(0, left - sizes[path])
    return {path: found[path] for path in sizes}


def _held_and_written(handin: Handin, master: Master) -> tuple[int, int]:
    """Return how many of the master's cells a notebook has, and how many answers were written.

    A cell that the student has added counts as an answer if it defines what an answer must define,
    or if the master has no answer cells.
    """
    if handin.notebook is None:
        return 0, 0
    matches, written = match(handin.notebook.cells, master), 0
    for place, index in matches.chosen.items():
        original, cell = master.cells[place], matches.cells[index]
        is_written = not cell.is_untouched and cell.plain != original.released
        written += original.is_answer and is_written
    asked = [definition(cell.id) for cell in master.cells if cell.is_answer]
    for cell in matches.own:
        if cell.plain:
            written += not asked or any(name.search(cell.source) for name in asked)
    return len(matches.chosen), written


def _names(paths: Iterable[Path], folder: Path) -> str:
    return ", ".join(str(path.relative_to(folder)) for path in paths)
