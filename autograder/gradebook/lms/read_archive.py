"""Reading of downloaded archives: a zip file or a folder, and in it the zip files of students.

Nothing in an archive is trusted. A path that leads out of it, a link, a file behind a password and
a file that would become too big are refused, each in one sentence; the other files are read.
"""

import os
import re
import stat
import unicodedata
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import count
from lzma import LZMAError
from pathlib import Path

from autograder.gradebook.staleness import digest_of
from autograder.notebook.safe_text import printable
from autograder.notebook.submitted_files import NBGRADERS_FILES, Unreadable, read_bytes
from autograder.system import Trouble

_MIB = 2**20
_LARGEST = 64 * _MIB  # bytes of a file
_MOST_OF_A_STUDENT = 256 * _MIB  # bytes of all that one student handed in, unpacked
_MOST_FILES = 100_000  # files of an archive of a class
_MOST_INSIDE = 2_000  # files in all zip files that one student handed in
_DEEPEST = 50  # folders in folders
_LONGEST_NAME = 1_000  # characters of a name; neither Canvas nor Moodle writes so many
_MANY = 3  # similar sentences; at least so many are joined
_NAMES = 5  # names of files in one sentence, at most
_DEPTH = 3  # levels of zip files in zip files that are unpacked
_NO_TIME = datetime(1980, 1, 2)  # files without a time have an earlier one, 1980-01-01
_LINK = "it is a link, so it was refused; ask for the file itself"
_BAD_ZIP = " is no zip file, or a damaged one, and was left as it is; ask for it again"
_LOCKED = 0x1  # flags of a zip file's entries
_UTF_8 = 0x800
_OTHER_ARCHIVES = (".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")
_LONGEST = 200  # bytes of a file's name
# left by macOS, Windows and JupyterLab; nobody hands them in on purpose
_JUNK = re.compile(r"__MACOSX|\._.*|\.DS_Store|Thumbs\.db|desktop\.ini|\.ipynb_checkpoints")
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, LZMAError, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError),
)

Parts = tuple[str, ...]
Contents = Mapping[Parts, bytes]
_Remark = tuple[str, str]  # the name of a file, and the rest of a sentence about it


@dataclass(frozen=True)
class ArchivedFile:
    """One file of an archive: the parts of its path, and a function that reads it.

    `read` raises `Unreadable` with a sentence if the file is damaged, or of a kind that is refused.
    `at` is the time of the file, by the clock of the computer that packed the archive.
    """

    parts: Parts
    read: Callable[[], bytes]
    size: int
    at: datetime | None = None


@dataclass
class Archive:
    """The files of an archive; `refused` are paths that are not read, each with the reason."""

    name: str
    files: list[ArchivedFile] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)


@contextmanager
def opened_archive(path: Path) -> Iterator[Archive]:
    """Open a zip file or a folder during a `with` block. Raise `Trouble` if it is neither."""
    name = printable(path.name or str(path.resolve()))
    if path.is_dir():
        yield _folder(path.resolve(), name)
        return
    if not path.exists():
        raise Trouble(f"{printable(str(path))} is not there; name the zip file or the folder.")
    try:
        file = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        cause = f"{name} is no zip file, or only a part of one ({error})"
        raise Trouble(f"{cause}; download it again, or unpack it and name the folder.") from error
    with file:
        yield _listed(file, name, _MOST_FILES)


@dataclass
class _Left:
    """The limits that are left for one student: the number of `files`, and `size`, in bytes."""

    files: int = _MOST_INSIDE
    size: int = _MOST_OF_A_STUDENT

    def take(self, size: int) -> None:
        """Count a file of this `size` before it is read; raise `Unreadable` if it is too much."""
        self.files -= 1
        if self.files < 0:
            raise Unreadable(f"more than {_MOST_INSIDE} files are not read")
        if size > self.size:
            raise Unreadable("it is too much together, and was refused")
        self.size -= size


class _Files(dict[Parts, bytes]):
    """A dictionary from paths to contents; no file has the path of another file's folder."""

    def __init__(self) -> None:
        super().__init__()
        self._folders: set[Parts] = set()

    def put(self, parts: Parts, content: bytes) -> None:
        """Add a file; if its place is taken, put a number into its path, as in `a (2).py`."""
        stem, ending = os.path.splitext(parts[-1])
        for number in count(1):
            mark = f" ({number})" if number > 1 else ""
            for place in ((*parts[:-1], stem + mark + ending), (parts[0] + mark, *parts[1:])):
                above = {place[:length] for length in range(1, len(place))}
                if place not in self and place not in self._folders and not above & self.keys():
                    self[place] = content
                    self._folders |= above
                    return


def _each(
    files: Iterable[tuple[Parts, ArchivedFile]],
    left: _Left,
    said: list[_Remark],
    where: str = "",
    depth: int = _DEPTH,
) -> Iterator[tuple[Parts, dict[Parts, bytes]]]:
    """Yield the path of each file, and a dictionary: the file itself, or a zip file's contents.

    Remarks on refused files are added to `said`, with `where`, the words for the zip file around
    them. Each file reduces the limits in `left`. Zip files in zip files are unpacked to this
    `depth`.
    """
    for parts, file in files:
        if is_junk(parts):
            continue
        try:
            left.take(file.size)
            inner = {parts: file.read()}
        except Unreadable as reason:
            said.append((f"{shown(parts)}{where}", f": {reason}"))
            if left.files < 0:
                return
            continue
        if _is_zip(parts) and depth:
            name, unpacked = shown(parts), _Files()
            try:
                opened = zipfile.ZipFile(BytesIO(inner[parts]))
            except _DAMAGED:
                said.append((name, _BAD_ZIP))
                yield parts, inner
                continue
            with opened:
                archive = _listed(opened, name, _MOST_INSIDE)
                said += [(f"{path} in {name}", f": {why}") for path, why in archive.refused]
                packed = ((one.parts, one) for one in archive.files)
                for _, ones in _each(packed, left, said, f" in {name}", depth - 1):
                    for path, content in ones.items():
                        unpacked.put(path, content)
            below: dict[Parts, bytes] = unpacked
            while all(len(path) > 1 for path in below) and len({path[0] for path in below}) == 1:
                # drop the one folder in which all files lie
                below = {path[1:]: content for path, content in below.items()}
            inner = {(*parts[:-1], *path): one for path, one in below.items()} or inner
        yield parts, inner


def _is_zip(parts: Parts) -> bool:
    return parts[-1].lower().endswith(".zip")


def is_junk(parts: Parts) -> bool:
    """Return true for a path that macOS, Windows or JupyterLab made, and no person."""
    return any(map(_JUNK.fullmatch, parts))


def shown(parts: Parts) -> str:
    """Return a path as text to show: odd characters are escaped, and a long one is cut."""
    text = printable("/".join(parts))
    return text if len(text) <= 120 else f"{text[:60]}…{text[-58:]}"


def _listed(file: zipfile.ZipFile, name: str, most: int) -> Archive:
    """Return the archive in a zip file; its files can be read only while `file` is open."""
    archive = Archive(name)
    for info in file.infolist():
        path = info.filename
        if not info.flag_bits & _UTF_8:
            # some programs write UTF-8 without saying so; `zipfile` then takes it for cp437
            with suppress(UnicodeError):
                path = path.encode("cp437").decode("utf-8")
        path = unicodedata.normalize("NFC", path.replace("\\", "/"))
        parts = tuple(part for part in path.split("/") if part not in ("", "."))
        if path.endswith("/") or not parts or is_junk(parts[:1]):
            continue
        if path.startswith("/") or re.match(r"[A-Za-z]:/", path):
            archive.refused.append((shown(parts), "its path is absolute, so it was refused"))
        elif ".." in parts:
            archive.refused.append((shown(parts), "its path leads out (..), so it was refused"))
        elif len(parts) > _DEEPEST:
            archive.refused.append((shown(parts), "its folders are nested too deeply"))
        elif max(map(len, parts)) > _LONGEST_NAME:
            archive.refused.append((shown(parts), "its name is too long; ask for it with another"))
        elif len(archive.files) == most:
            archive.refused.append((shown(parts), f"more than {most} files are not read"))
            break
        else:
            at = None
            with suppress(ValueError):
                at = datetime(*info.date_time)
            at = at if at and at > _NO_TIME else None
            read = partial(_read, file, info)
            archive.files.append(ArchivedFile(parts, read, info.file_size, at))
    return archive


def _read(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return the content of an entry, or raise `Unreadable` with why it is refused."""
    kind, size = stat.S_IFMT(info.external_attr >> 16), info.file_size
    if kind == stat.S_IFLNK:
        raise Unreadable(_LINK)
    if kind not in (0, stat.S_IFREG):
        raise Unreadable("it is no file and no folder, so it was refused")
    if info.flag_bits & _LOCKED:
        raise Unreadable("it has a password, so it was refused; ask for it without one")
    if size > _LARGEST:
        have, most = size // _MIB, _LARGEST // _MIB
        raise Unreadable(f"it would have {have} MiB, more than {most} are refused")
    try:
        with file.open(info) as entry:
            return entry.read(_LARGEST + 1)[:_LARGEST]
    except _DAMAGED as error:
        raise Unreadable("it is damaged and cannot be unpacked; ask for it again") from error


def _folder(root: Path, name: str) -> Archive:
    """Return the files in a folder as an archive; links are not followed."""

    def read(path: Path) -> bytes:
        if path.is_symlink():
            raise Unreadable(_LINK)
        return read_bytes(path, _LARGEST)

    archive = Archive(name)
    for place, folders, names in os.walk(root):
        folders.sort()
        links = [one for one in folders if Path(place, one).is_symlink()]
        for one in sorted([*names, *links]):  # `os.walk` does not enter links
            path = Path(place, one)
            parts = path.relative_to(root).parts
            if is_junk(parts[:1]):
                continue
            if len(archive.files) == _MOST_FILES:
                archive.refused.append(
                    (shown(parts), f"more than {_MOST_FILES} files are not read")
                )
                return archive
            named = tuple(unicodedata.normalize("NFC", part) for part in parts)
            at = None
            with suppress(OSError, ValueError, OverflowError):
                at = datetime.fromtimestamp(int(path.stat().st_mtime))
            archive.files.append(ArchivedFile(named, partial(read, path), path.lstat().st_size, at))
    return archive


def contents(
    files: Iterable[tuple[Parts, ArchivedFile]], is_by_student: bool
) -> tuple[dict[Parts, bytes], list[str]]:
    """Return a dictionary from paths to contents of one hand-in's files, and sentences on them.

    A zip file is replaced by the files in it. nbgrader's own files, such as `timestamp.txt`, say
    when the hand-in came. So they are left out if a student may have made them: if `is_by_student`
    is true, or if they are in a zip file. Folders with such names are left out, too.
    """
    found, files = _Files(), list(files)
    junk = [parts for parts, _ in files if is_junk(parts)]
    remarks: list[_Remark] = []
    for parts, inner in _each(files, _Left(), remarks):
        if _is_zip(parts) and parts not in inner:
            remarks.append((shown(parts), " was unpacked"))
        elif parts[-1].lower().endswith(_OTHER_ARCHIVES):
            remarks.append((shown(parts), " is no zip file; unpack it yourself"))
        for path, one in inner.items():
            place = tuple(map(_fitting, path))
            nbgraders = [part for part in place if part.casefold() in NBGRADERS_FILES]
            if nbgraders and (is_by_student or _is_zip(parts) or nbgraders != [place[-1]]):
                why = " of the student's was left out; nbgrader writes it"
                remarks.append((shown(path), why))
            else:
                found.put(place, one)
    some = ", ".join(shown(path) for path in list(found or junk)[:_NAMES])
    if junk and not found and not remarks:
        remarks.append((some, ": made by macOS, Windows or JupyterLab; ask for the notebook"))
    if found and not any(".ipynb" in path[-1].lower() for path in found):  # as in `_collect_others`
        remarks.append(("no notebook, only ", some))
    return found, _gathered(remarks)


def _gathered(remarks: Iterable[_Remark]) -> list[str]:
    """Return remarks as sentences; join three or more that differ only in files and numbers."""
    kinds: dict[str, list[_Remark]] = defaultdict(list)
    for name, why in remarks:
        kinds[re.sub(r"\d+", "", why)].append((name, why))
    lines = []
    for ones in kinds.values():
        if len(ones) < _MANY:
            lines += [name + why for name, why in ones]
        else:
            names = ", ".join(name for name, _ in ones[:_NAMES]) + ", …" * (len(ones) > _NAMES)
            lines.append(f"{len(ones)} times: …{ones[0][1]} ({names})")
    return lines


def _fitting(name: str) -> str:
    """Return a file's name, changed so that it can be written and shown anywhere."""
    plain = printable(name).replace("\\", "_")
    if len(plain.encode()) <= _LONGEST:
        return plain
    stem, ending = os.path.splitext(plain)
    ending = ending[:20]
    return stem.encode()[: _LONGEST - len(ending.encode())].decode(errors="ignore") + ending


def files_digest(files: Contents) -> str:
    """Return a digest, a hash of all paths and contents except those of nbgrader's own files."""
    counted = (parts for parts in files if parts[-1] not in NBGRADERS_FILES)
    return digest_of(sorted(("/".join(one), sha256(files[one]).hexdigest()) for one in counted))


def folder_digest(folder: Path) -> str | None:
    """Return the `files_digest` of a folder, or `None` if it is missing or has no files."""
    if not folder.exists():
        return None
    files: dict[Parts, bytes] = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            parts = path.relative_to(folder).parts
            is_usual = path.is_file() and not path.is_symlink()
            files[parts] = path.read_bytes() if is_usual else b"no file"
    return files_digest(files) if files else None
