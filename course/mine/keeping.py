"""Keeping: what a learner is proud of goes to a file, and later lessons bring it back."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import FunctionType
from typing import Any

from course import rules
from course.lessons import lessons
from course.mine import ownfile
from course.mine.sources import Part, parts_of, put, source_of

FILE = "my_2048.py"
EARLIER = "my_2048_earlier.txt"
STUB = "raise NotImplementedError()"
HEADER = '''"""My 2048. Play it: python -m course play --with my_2048.py"""

import random
from random import Random

from course.rules import *
'''


def keep(piece: Callable[..., Any]) -> None:
    """A function or class is saved to `my_2048.py`, in the place of an earlier one of its name.

    Its own imports, helpers and constants go with it. The file stands beside the lesson folders (or
    in the current folder, where there are none); a version that is replaced is added to
    `my_2048_earlier.txt`. What is not written to its end is not kept, so it never takes the place
    of what is. Raises `ValueError` for what can not be kept.
    """
    _check(piece)
    name, file = piece.__name__, kept_file()
    if STUB in source_of(piece):
        print(f"{name} is not kept, because it still says: {STUB}")
        return
    before = file.read_text(encoding="utf-8") if file.exists() else HEADER
    text, replaced = before, []
    for part in parts_of(piece, without=rules.__all__):
        try:
            text, old = put(text, part)
        except SyntaxError as error:
            raise ValueError(
                f"{FILE} has a mistake in line {error.lineno}, so nothing was changed in it: "
                "mend that line, or move the file away"
            ) from error
        replaced += [Part(part.name, old)] if old else []
    if replaced:
        _remember(file.with_name(EARLIER), replaced)
    _write(file, text)
    print(f"Kept {name} in {FILE}.")


def kept(name: str) -> Any:
    """What was kept under that name; the course's own, where nothing was kept.

    A file that can not be run is said, and the course's own is returned. Raises `ValueError`,
    listing what there is, for a name that neither has.
    """
    file = kept_file()
    mine: dict[str, Any] = {}
    try:
        mine = ownfile.load(file) if file.exists() else {}
    except ValueError as error:
        print(f"{error} Until it is mended, you play with the course's own functions.")
    if name in mine:
        return mine[name]
    own = course_names()
    if name not in own:
        known = ", ".join(sorted({*mine, *own}))
        raise ValueError(f"nothing is kept under the name {name!r}; there are {known}")
    return own[name]


def kept_file(folder: Path | None = None) -> Path:
    """Where kept functions are: beside the lesson folders, or in the folder itself."""
    folder = folder or Path.cwd()
    beside = any((folder.parent / entry.id).is_dir() for entry in lessons())
    return (folder.parent if beside else folder) / FILE


def course_names() -> dict[str, Any]:
    """The functions and classes of the course's rules, by name."""
    every = {name: getattr(rules, name) for name in rules.__all__}
    return {name: value for name, value in every.items() if isinstance(value, FunctionType | type)}


def _check(piece: Callable[..., Any]) -> None:
    name = getattr(piece, "__name__", "")
    if not callable(piece) or not name:
        raise ValueError(f"keep takes a function or a class, as keep(merge), and not {piece!r}")
    if not name.isidentifier():
        raise ValueError("this function has no name: write it with def, then keep it")
    if str(piece.__module__).startswith(rules.__name__):
        raise ValueError(f"this {name} is the course's own: kept({name!r}) always finds it")


def _remember(file: Path, replaced: list[Part]) -> None:
    """What was replaced is added to the end of a file that nobody reads but its owner."""
    when = datetime.now().strftime("%Y-%m-%d %H:%M")
    with file.open("a", encoding="utf-8") as earlier:
        for part in replaced:
            earlier.write(f"# {part.name}, until {when}\n{part.source}\n\n")


def _write(file: Path, text: str) -> None:
    """The file is replaced as a whole, or not at all."""
    new = file.with_name(f".{file.name}.new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, file)
