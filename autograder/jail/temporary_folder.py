"""A temporary folder of the grader, for the files of a jail.

The folder is removed with the jail, or by a later grader if this grader is killed. Its name
`jail-PID-…` has the id of the process that owns it. This process also keeps the folder locked,
because two containers that share one folder for temporary files may have processes with the same
id.
"""

import compileall
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import cache_from_source
from pathlib import Path
from threading import RLock

from autograder.course_adapter import ARENA, files_in_jail, files_of_checks, is_lesson
from autograder.jail.bubblewrap import JailMissing
from autograder.system import is_full
from autograder.system.shutdown import add_last, drop_last

CHECKS = "course.checks"  # in `preload` if an assignment of another course imports `course`
_AUTOGRADER = Path(__file__).parents[1]
_STUB = _AUTOGRADER / "jail" / "inside" / "course_stub"
# `course.mine` has what earlier lessons built: in the jail, always the course's own version
_EARLIER = "from course.rules import *  # the lesson decides which of them exist\n"


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files, path → content, into a new or empty folder; every user may read them."""
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    _open_to_all(folder)


def write_packages(
    lesson_id: str, folder: Path, gives_points: bool = True, has_checks: bool = False
) -> None:
    """Write the packages `course` and `autograder` for the jail of a lesson into a folder.

    `course` has `check`, functions that show nothing, and the rules that earlier lessons built. If
    `gives_points` is false, it has all that checks and hints need, and so the answers. For an
    assignment of another course, it has no rules, and is written only if `has_checks` is true.
    `autograder` has only the programs of the jail.
    """
    files: dict[str, Path | str] = {}
    if lesson_id == ARENA or is_lesson(lesson_id) or has_checks:
        files = {f"course/{path.name}": path for path in _STUB.glob("*.py")}
        files["course/hints/__init__.py"] = files.pop("course/hints.py")
        files["course/mine/__init__.py"] = _EARLIER
        found = files_in_jail(lesson_id) if gives_points else files_of_checks()
        files |= {f"course/{name}": file for name, file in found.items()}
    for place in ("wire", "jail/inside"):
        for path in (_AUTOGRADER / place).glob("*.py"):
            files[f"autograder/{place}/{path.name}"] = path
    files |= {"autograder/__init__.py": "", "autograder/jail/__init__.py": ""}
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, str):
            path.write_text(source, encoding="utf-8")
            continue
        shutil.copy2(source, path)
        compileall.compile_file(source, quiet=2)  # so that no jail has to compile it
        compiled, copy = (Path(cache_from_source(str(one))) for one in (source, path))
        if compiled.exists():
            copy.parent.mkdir(exist_ok=True)
            shutil.copy2(compiled, copy)
    _open_to_all(folder)


def _open_to_all(folder: Path) -> None:
    """Let every user read a folder; set all times in it to zero, except those of Python sources."""
    for path in sorted((folder, *folder.rglob("*")), reverse=True):
        path.chmod(0o755 if path.is_dir() else 0o644)
        if path.suffix != ".py":  # the compiled form of a source is valid for this time only
            os.utime(path, (0, 0))


_OWN = re.compile("jail-([0-9]+)-[0-9a-f]{16}")  # not jail-2024-results
_FULL = (
    "There is no room left in {} for the files of a jail. Make room there, or set TMPDIR to "
    "another folder, then try again."
)


class TemporaryFolder:
    """A folder for temporary files, which a later grader removes if this process is killed."""

    def __init__(self) -> None:
        place = Path(tempfile.gettempdir())
        remove_orphans(place)
        self.path = place / f"jail-{os.getpid()}-{secrets.token_hex(8)}"
        self._lock = -1
        self._busy = RLock()
        add_last(self.remove, partial(self.path.mkdir, 0o700))
        self._lock = os.open(self.path, os.O_RDONLY)
        _lock(self._lock)

    def remove(self) -> None:
        """Remove the folder and all that is in it."""
        drop_last(self.remove)
        with self.writing():
            lock, self._lock = self._lock, -1  # two callers may remove the folder at once
            remove_all(self.path)
            if lock >= 0:
                os.close(lock)

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Yield the path of the folder for a `with` block, in which no other thread removes it.

        Raise `JailMissing` if the disk is full.
        """
        with self._busy:
            try:
                yield self.path
            except OSError as error:
                if is_full(error):
                    raise JailMissing(_FULL.format(self.path.parent)) from error
                raise


def remove_orphans(place: Path) -> None:
    """Remove from the folder `place` all folders of jails whose grader was killed."""
    for folder in place.glob("jail-*"):
        name = _OWN.fullmatch(folder.name)
        if name is None or Path(f"/proc/{name[1]}").exists():
            continue
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                is_ours = os.fstat(lock).st_uid == os.geteuid()
                _lock(lock)
                if is_ours:
                    remove_all(folder)
            finally:
                os.close(lock)


def remove_all(folder: Path) -> None:
    """Remove a folder, even if it is very deep or if its owner may not write in it."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, folder], stderr=subprocess.DEVNULL, check=False)


def _lock(folder: int) -> None:
    """Lock the folder for this process; raise `OSError` if another process has locked it."""
    if sys.platform == "linux":
        import fcntl  # missing on Windows, where this module must still load

        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
