"""The lessons: their manifest, read from `lessons.toml`, and the folder that they lie in."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MANIFEST = Path(__file__).parent / "lessons.toml"


@dataclass(frozen=True)
class Exercise:
    """One solution cell: the name it defines, its checks (id → points), and three hints.

    The name of a method starts with its class: `Game.move`.
    """

    name: str
    checks: dict[str, int]
    hints: tuple[str, str, str]

    @property
    def cell(self) -> str:
        """The id of the solution cell."""
        return cell_of(self.name)


@dataclass(frozen=True)
class Lesson:
    """One folder in `source/`: what it teaches, needs, builds, and checks.

    `is_extra` is true for a lesson that no later lesson needs, and that may be left out.
    """

    id: str
    title: str
    minutes: int
    objectives: tuple[str, ...]
    prerequisites: tuple[str, ...]
    builds: tuple[str, ...]
    exercises: tuple[Exercise, ...]
    is_extra: bool = False

    @property
    def notebook(self) -> str:
        """The file name of the lesson's notebook: the folder's name without its number.

        >>> lesson("1-merge-a-line").notebook
        'merge-a-line.ipynb'
        """
        return self.id.partition("-")[2] + ".ipynb"

    @property
    def checks(self) -> dict[str, int]:
        """All checks of the lesson in order: id → points."""
        return {check: n for exercise in self.exercises for check, n in exercise.checks.items()}


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons in the order of the course."""
    manifest = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))
    return tuple(_lesson(entry) for entry in manifest["lesson"])


def lesson(lesson_id: str) -> Lesson:
    """Return the lesson with that id.

    Raises `ValueError`, naming all ids, if there is none.

    >>> lesson("1-merge-a-line").title
    'Merge a line'
    """
    for entry in lessons():
        if entry.id == lesson_id:
            return entry
    known = ", ".join(entry.id for entry in lessons())
    raise ValueError(f"there is no lesson {lesson_id!r}; the lessons are {known}")


def built_before(lesson_id: str) -> tuple[str, ...]:
    """The names of `course.rules` that earlier lessons built, in order.

    >>> built_before("1-merge-a-line")
    ()
    """
    stop = lessons().index(lesson(lesson_id))
    return tuple(name for entry in lessons()[:stop] for name in entry.builds)


def exercise(name: str) -> Exercise:
    """Return the exercise that defines that name.

    Raises `ValueError`, listing all exercises, if there is none.
    """
    exercises = [found for entry in lessons() for found in entry.exercises]
    for found in exercises:
        if found.name == name:
            return found
    known = ", ".join(found.name for found in exercises)
    raise ValueError(f"there is no exercise {name!r}; the exercises are {known}")


def folder_of_lessons(folder: Path | None = None) -> Path | None:
    """Return the folder that the lesson folders lie in, or `None`.

    It is the one above `folder` (by default, the current folder), or `folder` itself.
    """
    here = (folder or Path.cwd()).absolute()
    for place in (here.parent, here):
        if any((place / entry.id).is_dir() for entry in lessons()):
            return place
    return None


def cell_of(name: str) -> str:
    """The id of the cell in which an exercise is written: letters, digits, `_` and `-` only.

    >>> cell_of("merge"), cell_of("Game.move"), cell_of("Game.__str__")
    ('merge', 'Game-move', 'Game-str')
    """
    return "-".join(part.strip("_") for part in name.split(".")) if "." in name else name


def definition(cell: str) -> re.Pattern[str]:
    """Return the pattern that finds the solution cell of that id by what the cell defines.

    A search takes time in proportion to the length of the text, whatever the text holds.

    >>> bool(definition("merge").search("def merge(line):"))
    True
    >>> bool(definition("Game-move").search("@add_to(Game)\\ndef move(self, direction):"))
    True
    """
    of_class, _, method = map(re.escape, cell.partition("-"))
    if method:
        added = rf"^[ \t]*+@add_to\([ \t]*+{of_class}[ \t]*+\)[ \t]*+\n(?:[ \t]*+@.*+\n)*+"
        return re.compile(rf"{added}[ \t]*+def[ \t]++_*+{method}_*+\b", re.MULTILINE)
    defined = rf"(?:def|class)[ \t]++{of_class}\b|{of_class}[ \t]*+="
    return re.compile(rf"^[ \t]*+(?:{defined})", re.MULTILINE)


def exercises_of(piece: str) -> list[Exercise]:
    """Return the exercises in which a piece is written: one a function, one per method of a class.

    >>> [exercise.name for exercise in exercises_of("merge")]
    ['merge']
    """
    every = [found for entry in lessons() for found in entry.exercises]
    return [found for found in every if found.name.partition(".")[0] == piece]


def _lesson(entry: dict[str, object]) -> Lesson:
    fields = dict(entry)
    exercises = fields.pop("exercise", [])
    assert isinstance(exercises, list)
    return Lesson(
        **{key: _frozen(value) for key, value in fields.items()},  # type: ignore[arg-type]
        exercises=tuple(
            Exercise(found["name"], dict(found["checks"]), tuple(found["hints"]))
            for found in exercises
        ),
    )


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
