"""What of the course and the grader is on the disk in the jail: never an answer to write.

`course` keeps `check`, the rules that earlier lessons built, and harmless stand-ins for the rest.
`autograder` keeps the warm process and the wire.
"""

import ast
from pathlib import Path

import course
from autograder.jail.rules import rules_for

COURSE = Path(course.__file__).parent
AUTOGRADER = Path(__file__).parents[1]
_STUB = AUTOGRADER / "jail" / "inside" / "course_stub"
_WITHHELD = ("rules", "hints", "lessons", "widgets", "arena")


def write_lesson(lesson_id: str, folder: Path) -> None:
    """Writes the packages `course` and `autograder` as the jail of a lesson offers them."""
    files = {f"course/{path.name}": path.read_text("utf-8") for path in _STUB.glob("*.py")}
    files["course/hints/__init__.py"] = files.pop("course/hints.py")
    files |= {f"course/{name}": text for name, text in _checks().items()}
    files |= {f"course/rules/{name}": text for name, text in rules_for(lesson_id).items()}
    for place in ("wire", "jail/inside"):
        for path in (AUTOGRADER / place).glob("*.py"):
            files[f"autograder/{place}/{path.name}"] = path.read_text("utf-8")
    files |= {"autograder/__init__.py": "", "autograder/jail/__init__.py": ""}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _checks() -> dict[str, str]:
    """The text of `course.checks` and of the modules of `course` that it can not do without."""
    found: dict[str, str] = {}
    missing = ["course.checks"]
    asked = set(missing)
    while missing:
        path = _file_of(missing.pop())
        text = path.read_text("utf-8")
        found[str(path.relative_to(COURSE))] = text
        missing += sorted(_imports(text) - asked)
        asked |= _imports(text)
    return found


def _file_of(module: str) -> Path:
    place = COURSE.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _imports(text: str) -> set[str]:
    """The modules of `course` that a module needs at once, without those that are withheld."""
    modules = {node.module for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)}
    names = {module for module in modules if module and module.startswith("course.")}
    return {name for name in names if name.split(".")[1] not in _WITHHELD}
