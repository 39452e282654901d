"""The lessons and their exercises, read from `lessons.toml` and the folder `exercises/`."""

import re
import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
AUTHORED = "exercises.json"  # beside a notebook of another course: its own exercises


@dataclass(frozen=True)
class Exercise:
    """An exercise: a cell in which a learner writes a function, a class or a method.

    `name` is the name that the cell defines; for a method, it begins with the class, as
    `Game.move`. `checks` has the points of each check by the check's id. `asks` has a call for each
    hint that asks for something, by the number of the hint: if the answer is right already, the
    hint says nothing new. `is_kept` is false if later lessons do not use what the learner writes
    here.
    """

    name: str
    checks: dict[str, int]
    hints: tuple[str, str, str]
    file: Path
    is_kept: bool = True
    asks: dict[str, str] = field(default_factory=dict)

    @cached_property
    def details(self) -> dict[str, Any]:
        """The whole file of the exercise as a dictionary; `exercises/README.md` explains it."""
        return tomllib.loads(self.file.read_text(encoding="utf-8"))

    @property
    def cell(self) -> str:
        """The id of the cell in which the exercise is solved."""
        return cell_of(self.name)


@dataclass(frozen=True)
class Lesson:
    """A lesson: one folder in `source/`, with its objectives, prerequisites and exercises.

    `minutes` has one number for each sitting. `is_extra` is true for a lesson that no later lesson
    needs, and that may be left out.
    """

    id: str
    title: str
    minutes: tuple[int, ...]
    objectives: tuple[str, ...]
    prerequisites: tuple[str, ...]
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
    def builds(self) -> tuple[str, ...]:
        """The names of functions and classes that learners write here, and later lessons use."""
        kept = (one.name.partition(".")[0] for one in self.exercises if one.is_kept)
        return tuple(dict.fromkeys(kept))

    @property
    def checks(self) -> dict[str, int]:
        """The points of all checks of the lesson, by the ids of the checks, in order."""
        return {check: n for exercise in self.exercises for check, n in exercise.checks.items()}


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in the order of the course.

    Of each exercise's file, only the part above the first TOML table (`[…]`) is read. In a folder
    with exercises of another course, there are none.
    """
    if Path(AUTHORED).is_file():
        return ()
    manifest = tomllib.loads((FOLDER / "lessons.toml").read_text(encoding="utf-8"))
    every = []
    for entry in manifest["lesson"]:
        files = (FOLDER / "exercises" / entry["id"]).glob("*.toml")
        exercises = []
        for file in sorted(files, key=lambda path: int(path.name.partition("-")[0])):
            head = tomllib.loads(file.read_text(encoding="utf-8").partition("\n[")[0])
            exercises.append(Exercise(**{**head, "hints": tuple(head["hints"])}, file=file))
        for key in ("minutes", "objectives", "prerequisites"):
            entry[key] = tuple(entry[key])
        every.append(Lesson(exercises=tuple(exercises), **entry))
    return tuple(every)


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
    """Return the names in `builds` of all lessons before this lesson, in order.

    >>> built_before("1-merge-a-line")
    ()
    """
    stop = lessons().index(lesson(lesson_id))
    return tuple(name for entry in lessons()[:stop] for name in entry.builds)


def exercise(name: str) -> Exercise:
    """Return the exercise that defines that name.

    If there is none, raises `ValueError`, with the names that are like it, or else with all.
    """
    exercises = [found for entry in lessons() for found in entry.exercises]
    for found in exercises:
        if found.name == name:
            return found
    known = [found.name for found in exercises]
    methods = [each for each in known if each.rpartition(".")[2] == name]
    if like := methods or get_close_matches(name, known, 1):
        said = f"did you mean {' or '.join(map(repr, like))}?"
    else:
        said = f"the exercises are {', '.join(known)}"
    raise ValueError(f"there is no exercise {name!r}; {said}")


def folder_of_lessons(folder: Path | None = None) -> Path | None:
    """Return the folder that contains the lesson folders, or `None` if it is not found.

    Two places are searched: the parent of `folder`, and `folder` itself. Without `folder`, the
    current folder is taken.
    """
    here = (folder or Path.cwd()).absolute()
    for place in (here.parent, here):
        if any((place / entry.id).is_dir() for entry in lessons()):
            return place
    return None


def cell_of(name: str) -> str:
    """Return the id of the cell in which the exercise `name` is solved.

    An id has only letters, digits, `_` and `-`.

    >>> cell_of("merge"), cell_of("Game.move"), cell_of("Game.__str__")
    ('merge', 'Game-move', 'Game-str')
    """
    return "-".join(part.strip("_") for part in name.split(".")) if "." in name else name


def definition(cell: str) -> re.Pattern[str]:
    """Return a pattern that finds in a text the definition that the cell with this id must have.

    The time of a search is proportional to the length of the text, whatever the text is.

    >>> bool(definition("merge").search("def merge(line):"))
    True
    >>> bool(definition("Game-move").search("@add_to(Game)\\ndef move(self, direction):"))
    True
    """
    of_class, _, method = map(re.escape, cell.partition("-"))
    if method:
        added = rf"^[ \t]*+@add_to\([ \t]*+{of_class}[ \t]*+\)[ \t]*+\n(?:[ \t]*+@.*+\n)*+"
        return re.compile(rf"{added}[ \t]*+def[ \t]++_*+{method}_*+\b", re.MULTILINE)
    value = rf"{of_class}[ \t]*+(?::[^=\n]*+)?+="  # perhaps with a type, as in `rows: int = 4`
    defined = rf"(?:def|class)[ \t]++{of_class}\b|{value}"
    return re.compile(rf"^[ \t]*+(?:{defined})", re.MULTILINE)


def exercises_of(piece: str) -> list[Exercise]:
    """Return the exercises in which learners write the function or class `piece`.

    A function has one exercise. A class may have several: a method can have one of its own.

    >>> [exercise.name for exercise in exercises_of("merge")]
    ['merge']
    """
    every = [found for entry in lessons() for found in entry.exercises]
    return [found for found in every if found.name.partition(".")[0] == piece]


@dataclass(frozen=True)
class Way:
    """Another right program for an exercise, and a sentence that says what is good about it.

    `program` replaces the whole cell in which the exercise is solved.
    """

    sentence: str
    program: str


@cache
def ways(exercise_name: str) -> tuple[Way, ...]:
    """Return other right programs for an exercise, in the order in which they are to be shown.

    The strip below an exercise shows them beside the learner's own program, as soon as all its
    checks hold. An exercise that has none gives an empty tuple. Only the file of that exercise in
    `exercises/` is read, when it is first asked for.

    Raises `ValueError`, listing all exercises, if there is none with that name.

    >>> found = ways("has_won")[0]
    >>> print(found.program)
    def has_won(board, goal=2048):
        return max(max(row) for row in board) >= goal
    >>> found.sentence.partition(",")[0]
    'Only the largest tile matters'
    >>> ways("winning_tile")
    ()
    """
    written = exercise(exercise_name).details.get("way", [])
    return tuple(Way(way["sentence"], way["program"].strip("\n")) for way in written)
