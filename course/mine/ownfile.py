"""A learner's own file: Python source whose functions take their place among the course's rules."""

import linecache
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from course import rules
from course.mine.blocks import blocks_of
from course.mine.world import new_world


def load(path: Path) -> dict[str, Any]:
    """Return the functions and classes that a Python file defines, by name.

    Names that the file does not define are found among the course's rules, and these rules in turn
    use what the file defines. Raises `ValueError`, with the line, if the file cannot be read or
    run.
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


def run(source: str, file: str = "my_2048.py") -> dict[str, Any]:
    """Return the functions and classes that Python source defines; raise what the source raises.

    >>> run("def merge(line): return line")["merge"]([2, 2])
    [2, 2]
    """
    names = namespace(source, file)
    bound = {name: None for block in blocks_of(source)[0] for name in sorted(block.names)}
    return {
        name: names[name]
        for name in bound
        if callable(names.get(name)) and getattr(names[name], "__module__", None) == Path(file).stem
    }


def namespace(source: str, file: str) -> dict[str, Any]:
    """Run Python source among the course's rules, and return all its names.

    The source finds the course's functions and classes, and these use those of the source. Raises
    what the source raises.
    """
    world = new_world()
    copies = {name: world[name] for name in rules.__all__}
    module = ModuleType(Path(file).stem)
    names = vars(module)
    names |= copies
    with _known_as_module(module):
        exec(compile(source, file, "exec"), names)  # noqa: S102 — running this source is the job
    _meet(names, world, copies)
    return names


def _meet(names: dict[str, Any], world: dict[str, Any], copies: dict[str, Any]) -> None:
    """Make the names of the source and the copies of the rules use each other.

    Whatever the source imported from `course.rules` itself is replaced by its copy; for all else,
    the copies use what the source defines.
    """
    classes = {getattr(rules, name): copy for name, copy in copies.items() if _is_class(copy)}
    for name, value in list(names.items()):
        if _is_class(value) and value in classes:
            names[name] = classes[value]
        elif _is_class(value) and value.__module__ == names["__name__"]:
            if any(base in classes for base in value.__bases__):
                value.__bases__ = tuple(classes.get(base, base) for base in value.__bases__)
        elif name in copies and value is getattr(rules, name):
            names[name] = copies[name]
    for name, copy in copies.items():
        if isinstance(copy, FunctionType | type) and callable(names.get(name)):
            world[name] = names[name]


def _is_class(value: Any) -> bool:
    return isinstance(value, type)


@contextmanager
def _known_as_module(module: ModuleType) -> Iterator[None]:
    """Let Python find a module by its name while it is run, because some decorators ask for it."""
    name = module.__name__
    if name in sys.modules:
        yield
        return
    sys.modules[name] = module
    try:
        yield
    finally:
        sys.modules.pop(name, None)


def line_of(error: BaseException, file: str) -> int:
    """Return the number of the line of a file that an error arose in; 0 if it arose elsewhere."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno or 0
    frames = traceback.extract_tb(error.__traceback__)
    return next((f.lineno or 0 for f in reversed(frames) if f.filename == file), 0)


def said(error: BaseException) -> str:
    """Return an error in words, as a part of a sentence."""
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return type(error).__name__ + (f": {message.rstrip('.')}" if message else "")
