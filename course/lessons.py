"""The lessons and their exercises, read from `lessons.toml` and the folder `exercises/`."""

import re
import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
AUTHORED = "exercises.json"  # the file beside a notebook of another course, with its exercises


@dataclass(frozen=True)
class Exercise:
    """An exercise: a cell in which a learner writes a function, a class or a method.

    `name` is what the cell defines, as `merge` or `Game.move`. `checks` maps the id of each check
    to its points. `asks` maps the numbers of some hints to calls: a hint is left out if the
    learner's code already gives the right answer to its call. `is_kept` is false if later lessons
    do not use what the cell defines.
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
        try:
            return tomllib.loads(self.file.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{self.file}: {error}") from None

    @property
    def cell(self) -> str:
        """The id of the cell in which the exercise is solved."""
        return cell_of(self.name)


@dataclass(frozen=True)
class Lesson:
    """A lesson: one folder in `source/`.

    `minutes` has one number for each part that is done at one sitting. `is_extra` is true for a
    lesson that no later lesson needs.
    """

    id: str
    title: str
    minutes: tuple[int, ...]
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
        """The names of the functions and classes of this lesson that are used in later lessons."""
        kept = (one.name.partition(".")[0] for one in self.exercises if one.is_kept)
        return tuple(dict.fromkeys(kept))

    @property
    def checks(self) -> dict[str, int]:
        """A dictionary from the ids of all checks of the lesson, in order, to their points."""
        return {check: n for exercise in self.exercises for check, n in exercise.checks.items()}


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in order; none if the current folder has exercises of another course.

    Of each exercise's file, only the part above the first TOML table (`[…]`) is read.
    """
    if Path(AUTHORED).is_file():
        return ()
    manifest = tomllib.loads((FOLDER / "lessons.toml").read_text(encoding="utf-8"))
    every = []
    for entry in manifest["lesson"]:
        files = (FOLDER / "exercises" / entry["id"]).glob("*.toml")
        exercises = []
        for file in sorted(files, key=lambda path: int(path.name.partition("-")[0])):
            try:
                head = tomllib.loads(file.read_text(encoding="utf-8").partition("\n[")[0])
                exercises.append(Exercise(**{**head, "hints": tuple(head["hints"])}, file=file))
            except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
                why = f"{error} is missing" if type(error) is KeyError else error
                raise ValueError(
                    f"{file}: {why}. Its form is explained in exercises/README.md."
                ) from None
        minutes = tuple(entry.pop("minutes"))
        every.append(Lesson(minutes=minutes, exercises=tuple(exercises), **entry))
    return tuple(every)


def lesson(lesson_id: str) -> Lesson:
    """Return the lesson with that id; raise `ValueError`, naming all ids, if there is none."""
    for entry in lessons():
        if entry.id == lesson_id:
            return entry
    known = ", ".join(entry.id for entry in lessons())
    raise ValueError(f"there is no lesson {lesson_id!r}; the lessons are {known}")


def built_before(lesson_id: str) -> tuple[str, ...]:
    """Return the names in `Lesson.builds` of all lessons before a lesson, in order."""
    stop = lessons().index(lesson(lesson_id))
    return tuple(name for entry in lessons()[:stop] for name in entry.builds)


def exercise(name: str) -> Exercise:
    """Return the exercise that defines `name`, such as `merge` or `Game.move`.

    If there is none, raise `ValueError` with the names of similar exercises, or of all exercises.
    """
    known = {found.name: found for entry in lessons() for found in entry.exercises}
    if name in known:
        return known[name]
    methods = [each for each in known if each.rpartition(".")[2] == name]
    if like := methods or get_close_matches(name, known, 1):
        said = f"did you mean {' or '.join(map(repr, like))}?"
    else:
        said = f"the exercises are {', '.join(known)}"
    raise ValueError(f"there is no exercise {name!r}; {said}")


def folder_of_lessons(folder: Path | None = None) -> Path | None:
    """Return the folder that holds the folders of lessons, or `None` if it is not found.

    The parent of `folder`, by default the current folder, is tried first, then `folder` itself.
    """
    here = (folder or Path.cwd()).absolute()
    for place in (here.parent, here):
        if any((place / entry.id).is_dir() for entry in lessons()):
            return place
    return None


def cell_of(name: str) -> str:
    """Return the id of the cell in which an exercise is solved: letters, digits, `_` and `-` only.

    >>> cell_of("merge"), cell_of("Game.move"), cell_of("Game.__str__")
    ('merge', 'Game-move', 'Game-str')
    """
    return "-".join(part.strip("_") for part in name.split(".")) if "." in name else name


def definition(cell: str) -> re.Pattern[str]:
    """Return a pattern for the definition that the cell with the id `cell` must contain.

    A search takes time proportional to the length of the text, whatever the text is.
    """
    of_class, _, method = map(re.escape, cell.partition("-"))
    if method:
        added = rf"^[ \t]*+@add_to\([ \t]*+{of_class}[ \t]*+\)[ \t]*+\n(?:[ \t]*+@.*+\n)*+"
        return re.compile(rf"{added}[ \t]*+def[ \t]++_*+{method}_*+\b", re.MULTILINE)
    value = rf"{of_class}[ \t]*+(?::[^=\n]*+)?+="  # perhaps with a type, as in `rows: int = 4`
    defined = rf"(?:def|class)[ \t]++{of_class}\b|{value}"
    return re.compile(rf"^[ \t]*+(?:{defined})", re.MULTILINE)


def exercises_of(piece: str) -> list[Exercise]:
    """Return the exercises that define the function or class `piece`, or one of its methods."""
    every = [found for entry in lessons() for found in entry.exercises]
    return [found for found in every if found.name.partition(".")[0] == piece]


class Way(NamedTuple):
    """A right program for a whole cell, and a sentence that says what is good about it."""

    sentence: str
    program: str


@cache
def ways(exercise_name: str) -> tuple[Way, ...]:
    """Return right programs for an exercise, which learners see once their own is right.

    >>> ways("has_won")[0].program.splitlines()[1]
    '    return max(max(row) for row in board) >= goal'
    >>> ways("winning_tile")
    ()
    """
    written = exercise(exercise_name).details.get("way", [])
    return tuple(Way(way["sentence"], way["program"].strip("\n")) for way in written)
