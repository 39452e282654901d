"""The learner's own file `my_2048.py`: its place, and how it is run together with the rules."""

import linecache
import sys
import traceback
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from course import rules
from course.lessons import folder_of_lessons
from course.mine.source_statements import blocks_of
from course.playing.pieces import reference

FILE = "my_2048.py"
# The functions and classes of the course's rules.
PIECES = {name for name in rules.__all__ if isinstance(getattr(rules, name), FunctionType | type)}


def kept_file() -> Path:
    """Return the path of `my_2048.py`, beside the lesson folders, or else in the current folder."""
    return (folder_of_lessons() or Path.cwd()) / FILE


def load(path: Path) -> dict[str, Any]:
    """Run a Python file, and return a dictionary from names to the functions and classes in it.

    Raise `ValueError` if the file cannot be read or run; the message names the line of an error.
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
        raise ValueError(f"{path.name} cannot be read: {error.strerror}.") from error
    linecache.checkcache(str(path))
    try:
        return run(source, str(path))
    except (Exception, SystemExit) as error:
        number = line_of(error, str(path))
        where = f", line {number}" if number else ""
        raise ValueError(f"{path.name}{where}: {said(error)}.") from error


def run(source: str, file: str) -> dict[str, Any]:
    """Run Python source, and return a dictionary from names to the functions and classes in it.

    The source can use copies of the game's rules without importing them. These copies use the
    functions and classes that the source defines. An error that the source raises is not caught.
    """
    world = reference({})
    module = ModuleType(Path(file).stem)
    names = vars(module)
    names |= {name: world[name] for name in ("__builtins__", *rules.__all__)}
    is_known = module.__name__ in sys.modules
    sys.modules.setdefault(module.__name__, module)  # some decorators look the module up here
    try:
        exec(compile(source, file, "exec"), names)  # noqa: S102 — running this source is the job
    finally:
        if not is_known:
            sys.modules.pop(module.__name__, None)
    world |= {name: names[name] for name in PIECES if callable(names.get(name))}
    bound = [name for block in blocks_of(source)[0] for name in sorted(block.names)]
    return {
        name: names[name]
        for name in dict.fromkeys(bound)
        if callable(names.get(name)) and getattr(names[name], "__module__", None) == module.__name__
    }


def line_of(error: BaseException, file: str) -> int:
    """Return the number of the innermost line of `file` that an error comes from; 0 for none."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno or 0
    frames = traceback.extract_tb(error.__traceback__)
    return next((f.lineno or 0 for f in reversed(frames) if f.filename == file), 0)


def said(error: BaseException) -> str:
    """Return the type and the message of an error; leave out a full stop at the end."""
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return type(error).__name__ + (f": {message.rstrip('.')}" if message else "")
