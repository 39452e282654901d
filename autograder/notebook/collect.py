"""A submission on the disk: which file it is, read and repaired."""

import os
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from autograder.notebook.master import Master
from autograder.notebook.matching import match
from autograder.notebook.reading import RawNotebook, Unreadable, parse, read_bytes
from autograder.notebook.repair import Submission, repair, unreadable

__all__ = ["Handin", "Submission", "collect", "lesson_of", "read", "understand"]

_DEPTH = 3
_CANDIDATES = 20


@dataclass(frozen=True)
class Handin:
    """What lay on the disk, as plain data: the file that counts, or why there is none."""

    name: str
    data: bytes = b""
    reason: str = ""
    problems: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Two hand-ins with the same digest are the same."""
        return sha256(repr((self.name, self.data, self.reason)).encode()).hexdigest()


def read(path: Path, master: Master) -> Submission:
    """The submission in a notebook file, or in a folder that holds one, repaired.

    Never raises for what a student may have handed in: what can not be read has its reason.
    """
    return understand(collect(path, master), master)


def collect(path: Path, master: Master) -> Handin:
    """The bytes of the file that counts, and what was odd about finding it."""
    try:
        is_folder = path.is_dir() and not path.is_symlink()
        return _collect_folder(path, master) if is_folder else _collect_file(path)
    except OSError as error:
        return Handin(path.name, reason=f"it can not be opened: {error.strerror}")


def _collect_file(path: Path) -> Handin:
    try:
        return Handin(path.name, read_bytes(path))
    except Unreadable as reason:
        return Handin(path.name, reason=str(reason))


def understand(handin: Handin, master: Master) -> Submission:
    """The repaired submission that the bytes are."""
    if handin.reason:
        return unreadable(master, handin.reason, handin.problems)
    try:
        raw = parse(handin.data)
    except Unreadable as reason:
        return unreadable(master, str(reason), handin.problems)
    problems = (*handin.problems, *raw.problems)
    return repair(RawNotebook(raw.cells, raw.kernel, problems), master)


def lesson_of(path: Path, masters: tuple[Master, ...]) -> Master | None:
    """The lesson whose cells a notebook file holds, else the one that its path names."""
    overlaps = [_overlap(path, master) for master in masters]
    if any(overlaps):
        return masters[overlaps.index(max(overlaps))]
    names = {path.name, path.absolute().parent.name}
    return next((one for one in masters if names & {one.notebook, one.lesson}), None)


def _collect_folder(folder: Path, master: Master) -> Handin:
    """The lesson's notebook, under its own name or, if that is no use, under another."""
    expected = folder / master.notebook
    is_there = os.path.lexists(expected)
    overlaps = {path: _overlap(path, master) for path in _candidates(folder) if path != expected}
    copies = [path for path in overlaps if overlaps[path] > 0]
    if is_there and (not copies or _overlap(expected, master) > 0):
        others = ", ".join(str(path.relative_to(folder)) for path in copies)
        also = f"{others} also holds this lesson; {expected.name} was used"
        return _with_problem(_collect_file(expected), also if others else "")
    if not copies:
        others = ", ".join(str(path.relative_to(folder)) for path in overlaps)
        besides = f"; there is only {others}" if others else ""
        return Handin(expected.name, reason=f"there is no {expected.name}{besides}")
    best = max(copies, key=lambda path: overlaps[path])
    fate = "was of no use" if is_there else "was missing"
    instead = f"{expected.name} {fate}; {best.relative_to(folder)} was used"
    return _with_problem(_collect_file(best), instead)


def _with_problem(handin: Handin, problem: str) -> Handin:
    return replace(handin, problems=(*handin.problems, problem)) if problem else handin


def _candidates(folder: Path) -> list[Path]:
    """The files in a folder, not too deep, that may be notebooks; links are not entered."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(n for n in folders if not n.startswith(".")) if depth < _DEPTH else []
        found += [Path(place, name) for name in sorted(names) if ".ipynb" in name.lower()]
        if len(found) >= _CANDIDATES:
            break
    return found[:_CANDIDATES]


def _overlap(path: Path, master: Master) -> int:
    """How many of the master's cells a file holds."""
    try:
        return len(match(parse(read_bytes(path)).cells, master).chosen)
    except Unreadable:
        return 0
