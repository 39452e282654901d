"""The packages that a jail can import: smaller ones than the grader's own, written into a folder.

`course` has `check`, the rules that earlier lessons built, and silent functions in place of all
others. It never has an answer that a student must write, unless the jail gives no points: then
`course` has all that checks and hints need. For an assignment of another course, there is no
`course`. `autograder` has the programs of the jail, and the wire: the form of the messages between
judge and jail.
"""

import compileall
import os
import shutil
from collections.abc import Mapping
from importlib.util import cache_from_source
from pathlib import Path

from autograder.course_adapter import ARENA, files_in_jail, files_of_checks, is_lesson

_AUTOGRADER = Path(__file__).parents[1]
_STUB = _AUTOGRADER / "jail" / "inside" / "course_stub"


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files, path → content, into a new or empty folder; every user may read them."""
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    _open_to_all(folder)


def write_packages(lesson_id: str, folder: Path, gives_points: bool = True) -> None:
    """Write the packages `course` and `autograder` for the jail of a lesson into a folder."""
    has_course = lesson_id == ARENA or is_lesson(lesson_id)
    files: dict[str, Path | str] = {**_course(lesson_id, gives_points)} if has_course else {}
    for place in ("wire", "jail/inside"):
        for path in (_AUTOGRADER / place).glob("*.py"):
            files[f"autograder/{place}/{path.name}"] = path
    files |= {"autograder/__init__.py": "", "autograder/jail/__init__.py": ""}
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, Path):
            _copy(source, path)
        else:
            path.write_text(source, encoding="utf-8")
    _open_to_all(folder)


def _copy(source: Path, path: Path) -> None:
    """Copy a module together with its compiled form, so that no jail has to compile it."""
    shutil.copy2(source, path)
    compileall.compile_file(source, quiet=2)
    compiled, copy = (Path(cache_from_source(str(one))) for one in (source, path))
    if compiled.exists():
        copy.parent.mkdir(exist_ok=True)
        shutil.copy2(compiled, copy)


def _course(lesson_id: str, gives_points: bool) -> dict[str, Path | str]:
    files = {f"course/{path.name}": path for path in _STUB.glob("*.py")}
    for room in ("hints", "mine"):
        files[f"course/{room}/__init__.py"] = files.pop(f"course/{room}.py")
    found = files_in_jail(lesson_id) if gives_points else files_of_checks()
    return files | {f"course/{name}": file for name, file in found.items()}


def _open_to_all(folder: Path) -> None:
    """Let every user read a folder. Set all times in it to zero, except for Python sources."""
    for path in sorted((folder, *folder.rglob("*")), reverse=True):
        path.chmod(0o755 if path.is_dir() else 0o644)
        if path.suffix != ".py":  # the compiled form of a source is valid for this time only
            os.utime(path, (0, 0))
