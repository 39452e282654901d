"""The files of the course and the grader that are on the disk in the jail.

`course` keeps `check`, the rules that earlier lessons built, and harmless stand-ins for the rest,
never an answer to write; where no points are given, all that checks and hints need. For an
assignment of another course there is none. `autograder` keeps the warm process and the wire.
"""

import compileall
import shutil
from importlib.util import cache_from_source
from pathlib import Path

from autograder.course import ARENA, files_in_jail, files_of_checks, is_lesson
from autograder.jail.folder import open_to_all

AUTOGRADER = Path(__file__).parents[1]
_STUB = AUTOGRADER / "jail" / "inside" / "course_stub"


def write_lesson(lesson_id: str, folder: Path, gives_points: bool = True) -> None:
    """Writes the packages `course` and `autograder` as the jail of a lesson offers them."""
    has_course = lesson_id == ARENA or is_lesson(lesson_id)
    files: dict[str, Path | str] = {**_course(lesson_id, gives_points)} if has_course else {}
    for place in ("wire", "jail/inside"):
        for path in (AUTOGRADER / place).glob("*.py"):
            files[f"autograder/{place}/{path.name}"] = path
    files |= {"autograder/__init__.py": "", "autograder/jail/__init__.py": ""}
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, Path):
            _copy(source, path)
        else:
            path.write_text(source, encoding="utf-8")
    open_to_all(folder)


def _copy(source: Path, path: Path) -> None:
    """Copies a module with what Python has made of it, so that no jail has to compile it."""
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
