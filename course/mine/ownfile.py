"""A learner's own file: Python source whose functions take their place among the course's rules."""

import linecache
import traceback
from pathlib import Path
from types import FunctionType
from typing import Any

from course import rules
from course.match.reference import reference


def load(path: Path) -> dict[str, Any]:
    """The functions and classes that a Python file defines, by name.

    What the file does not define, it finds among the course's rules; and those in turn use what the
    file defines. Raises `ValueError`, with the line, if the file can not be read or run.
    """
    if path.suffix == ".ipynb":
        raise ValueError(
            f"{path.name} is a notebook. Give a .py file; keep(merge) in the notebook writes one."
        )
    try:
        source = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not a text file in UTF-8.") from error
    except OSError as error:
        raise ValueError(f"{path.name} can not be read: {error.strerror}.") from error
    linecache.checkcache(str(path))
    try:
        return run(source, str(path))
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path.name}{_line(error, str(path))}: {_text(error)}.") from error


def run(source: str, file: str = "my_2048.py") -> dict[str, Any]:
    """The functions and classes that Python source defines, by name; raises what the source raises.

    >>> run("def merge(line): return line")["merge"]([2, 2])
    [2, 2]
    """
    # The rules are copied with one dictionary as their globals. The source runs in it too, so all
    # of them find each other.
    world = reference({})["slide"].__globals__
    own = {name: value for name, value in world.items() if isinstance(value, FunctionType)}
    world["__name__"] = Path(file).stem
    exec(compile(source, file, "exec"), world)  # noqa: S102 — running this source is the job
    for name, value in own.items():
        if world.get(name) is getattr(rules, name, world):  # imported from course.rules once more
            world[name] = value
    return {
        name: value
        for name, value in world.items()
        if callable(value) and getattr(value, "__module__", None) == world["__name__"]
    }


def _line(error: BaseException, file: str) -> str:
    """Where in the file an error arose, as the end of its name."""
    numbers = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == file
    ]
    if isinstance(error, SyntaxError) and error.filename == file:
        numbers.append(error.lineno)
    return f", line {numbers[-1]}" if numbers else ""


def _text(error: BaseException) -> str:
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return type(error).__name__ + (f": {message.rstrip('.')}" if message else "")
