"""What of the course and the grader is on the disk in the jail: never an answer to write.

`course` keeps `check`, the rules that earlier lessons built, and harmless stand-ins for the rest;
for an assignment of another course there is none. `autograder` keeps the warm process and the wire.
"""

from pathlib import Path

from autograder.course import files_in_jail, is_lesson
from autograder.jail.folder import open_to_all

AUTOGRADER = Path(__file__).parents[1]
_STUB = AUTOGRADER / "jail" / "inside" / "course_stub"


def write_lesson(lesson_id: str, folder: Path) -> None:
    """Writes the packages `course` and `autograder` as the jail of a lesson offers them."""
    files = _course(lesson_id) if is_lesson(lesson_id) else {}
    for place in ("wire", "wire/kinds", "jail/inside"):
        for path in (AUTOGRADER / place).glob("*.py"):
            files[f"autograder/{place}/{path.name}"] = path.read_text("utf-8")
    files |= {"autograder/__init__.py": "", "autograder/jail/__init__.py": ""}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    open_to_all(folder)


def _course(lesson_id: str) -> dict[str, str]:
    files = {f"course/{path.name}": path.read_text("utf-8") for path in _STUB.glob("*.py")}
    for room in ("hints", "mine"):
        files[f"course/{room}/__init__.py"] = files.pop(f"course/{room}.py")
    return files | {f"course/{name}": text for name, text in files_in_jail(lesson_id).items()}
