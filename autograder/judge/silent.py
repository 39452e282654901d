"""Whether a cell that has shown nothing shows nothing, whatever came before it."""

import ast
from functools import lru_cache

from autograder.judge.forgetful import is_the_courses
from autograder.submission import Cell, Kind

_PLAIN = frozenset(("bool", "dict", "float", "int", "list", "object", "set", "str", "tuple"))


def is_silent(cell: Cell) -> bool:
    """Whether a cell only defines something, or is the course's own."""
    return is_the_courses(cell.source) if cell.kind is Kind.GIVEN else only_defines(cell.source)


@lru_cache(maxsize=1024)
def only_defines(source: str) -> bool:
    """Whether a cell does nothing but define functions and classes, none of which can fail.

    >>> [only_defines(text) for text in ("def f(x: int, y=2): return x", "if seen: print(seen)")]
    [True, False]
    """
    try:
        return all(map(_defines, ast.parse(source).body))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False


def _defines(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(args=given, returns=returns):
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
            every += filter(None, (given.vararg, given.kwarg))
            told = [returns, *(one.annotation for one in every)]
            defaults = [*given.defaults, *filter(None, given.kw_defaults)]
            is_plain = all(isinstance(one, ast.Constant) for one in defaults)
            return is_plain and all(map(_is_known, told)) and all(map(_adds, node.decorator_list))
        case ast.ClassDef(bases=[], keywords=[], decorator_list=[], body=body):
            return all(map(_defines, body))
        case ast.Expr(ast.Constant(str())) | ast.Pass():
            return True
    return False


def _is_known(annotation: ast.expr | None) -> bool:
    return annotation is None or (isinstance(annotation, ast.Name) and annotation.id in _PLAIN)


def _adds(decorator: ast.expr) -> bool:
    """Whether it is the course's own way to add to a class, or Python's to make a property."""
    match decorator:
        case ast.Name("property") | ast.Call(ast.Name("add_to"), [ast.Name()], []):
            return True
    return False
