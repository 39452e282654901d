"""Whether a program can perceive nothing but what its functions are given.

Whatever one process does leaves traces that another can look for: counted process ids, times, what
files are in the machine's memory. A program without imports of its own, files, clocks and
introspection can not look. What is not plainly of this kind counts as able to. Such a program needs
nothing of IPython either: Python alone runs it, so what is read here is what runs.
"""

import ast
import copy
import itertools
import math
import random
import re
from collections.abc import Iterable
from functools import lru_cache
from inspect import ismodule

from autograder.course import names_offered
from autograder.notebook.magics import is_ipythons
from autograder.submission import Cell, Kind

_IMPORTED = {
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "dataclasses": {"dataclass"},  # it runs what the name of a `field` says
    "functools": {"cache", "lru_cache", "partial", "reduce"},
    "string": {"ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits"},
    "typing": {"Any", "Callable", "Dict", "Iterable", "List", "Optional", "Sequence", "Tuple"},
}
_WHOLE = {module.__name__: module for module in (copy, itertools, math, random)}
_OF_THE_COURSE = names_offered()
_PRIVATE = {name for module in _WHOLE.values() for name in vars(module) if name[0] == "_"}
_DOORS = {"format_map", "modules", "sys", "types"}
_DOORS |= {name for one in _WHOLE.values() for name, v in vars(one).items() if ismodule(v)}
_DOORS.add("dispatch_table")  # of `copy`: it says which attributes a copy gets
_DEEPCOPY = "deepcopy"  # of two arguments, it takes from the second what the attributes are
_FIELD = re.compile(r"\{[^{}]*[.\[]")  # of a text that is filled in by what an object has inside
# What a frame, a piece of code, a generator has.
_INSIDE = ("ag_", "co_", "cr_", "f_", "gi_", "tb_")
_OF_IPYTHON = ("_ipython_", "_repr_")  # how an object would be shown
_METHODS = {
    f"__{name}__"
    for name in (
        *("init", "str", "repr", "len", "iter", "next", "contains", "getitem", "setitem", "call"),
        *("eq", "ne", "lt", "le", "gt", "ge", "hash", "bool", "add", "name", "doc", "post_init"),
    )
}
# What IPython keeps of earlier cells: `_`, `_3`, `_i`.
_SHOWN_BEFORE = re.compile(r"_{1,3}|_i{0,3}\d*|_[dio]h")
_ASKING = {
    *("breakpoint", "compile", "copyright", "credits", "delattr", "dir", "display", "eval", "exec"),
    *(
        "exit",
        "get_ipython",
        "getattr",
        "globals",
        "help",
        "id",
        "input",
        "license",
        "locals",
        "open",
    ),
    *("quit", "setattr", "type", "vars", "In", "Out"),
}


def is_blind(cells: Iterable[Cell]) -> bool:
    """Whether nothing in the student's cells, and in the given ones beside them, can look around.

    >>> [is_blind([Cell("a", Kind.STUDENT, one)]) for one in ("a = 2", "import os", "%time 1")]
    [True, False, False]
    """
    return all(_is_blind(cell.source) for cell in cells if cell.kind is not Kind.TEST)


@lru_cache(maxsize=1024)
def _is_blind(source: str) -> bool:
    if is_ipythons(source):
        return False
    try:
        nodes = list(ast.walk(ast.parse(source)))
        copying = sum(map(_is_deepcopy, nodes)) - sum(map(_copies_one, nodes))
        return not copying and not any(map(_may_look, nodes))
    except SyntaxError:
        return True  # nothing of it runs
    except (ValueError, MemoryError, RecursionError):
        return False


def _may_look(node: ast.AST) -> bool:
    match node:
        case ast.Import():
            return not {alias.name for alias in node.names} <= _WHOLE.keys()
        case ast.ImportFrom():
            return _may_look_by(node)
        case ast.Attribute(value, attr):
            is_of_a_text = isinstance(value, ast.Constant)
            return attr in _DOORS or _is_inside(attr) or (attr == "format" and not is_of_a_text)
        case ast.Name(name, context):
            is_asked = not isinstance(context, ast.Store) and _is_shown_before(name)
            return name in _ASKING or _is_inside(name) or is_asked
        case ast.AugAssign(ast.Name(name)):
            return _is_shown_before(name)
        case ast.arg(name) | ast.keyword(str(name)) | ast.ExceptHandler(name=str(name)):
            return _is_inside(name)
        case (
            ast.MatchAs(name=str(name))
            | ast.MatchStar(str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            return _is_inside(name)
        case ast.Global(names) | ast.Nonlocal(names):
            return any(map(_is_inside, names))
        case ast.alias(_, str(name)):
            return _is_inside(name)
        case ast.comprehension(is_async=1):
            return True
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name in _ASKING or _is_inside(name)
        case ast.Constant(str(text)):
            return "__" in text.replace("__main__", "") or bool(_FIELD.search(text))
        case ast.MatchClass():
            return bool(node.patterns or node.kwd_patterns)
    return isinstance(node, ast.AsyncFunctionDef | ast.AsyncFor | ast.AsyncWith | ast.Await)


def _may_look_by(node: ast.ImportFrom) -> bool:
    names = {alias.name for alias in node.names}
    if any(_is_inside(name) or name in _DOORS | {"*"} for name in names) or node.level:
        return True
    if node.module in _WHOLE:
        return False
    module = node.module or ""
    return not names <= (_OF_THE_COURSE.get(module) or _IMPORTED.get(module, set()))


def _is_deepcopy(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=name) | ast.Name(name, ast.Load()) | ast.alias(name, str()):
            return name == _DEEPCOPY
    return False


def _copies_one(node: ast.AST) -> bool:
    """Whether `deepcopy` is called as always, with the one thing that is to be copied."""
    match node:
        case ast.Call(function, [one], []):
            return _is_deepcopy(function) and not isinstance(one, ast.Starred)
    return False


def _is_shown_before(name: str) -> bool:
    return bool(_SHOWN_BEFORE.fullmatch(name))


def _is_inside(name: str) -> bool:
    """Whether a name is one that Python keeps for itself; one underscore is everybody's own."""
    is_reserved = name.startswith("__") or name in _PRIVATE
    return name.startswith((*_INSIDE, *_OF_IPYTHON)) or (is_reserved and name not in _METHODS)
