"""Finds tests that must run inside of the jail, by reading their source.

A test must run inside if it has a word such as `mock`, for something that exists only in the
student's process; if it may run a student's answer as code; or if it uses names that only the
student's process has. All other tests are tried outside first.
"""

import ast
import builtins
import tomllib
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.grading_data import Cell, CellKind
from autograder.jail.inside.names_in_code import names_of
from autograder.notebook.magics import as_python, is_cell_magic, without_magics
from autograder.wire.library_names import CALLERS

_WORDS = tomllib.loads(Path(__file__).with_name("words_inside.toml").read_text("utf-8"))
_REASONS = {word: why for why, words in _WORDS.items() for word in words}
_OF_PYTHON = frozenset(dir(builtins))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def why_unprotected(source: str, defined: Collection[str]) -> str:
    """Return the reason why a test must run inside, or "" if its text shows no reason.

    `defined` are the names of the functions and classes that the student has to define.

    >>> why_unprotected("del merge", {"merge"})
    'it deletes merge (line 1)'
    >>> why_unprotected("assert merge([2]) == [2]", {"merge"})
    ''
    >>> why_unprotected("assert merge([2) == [2]", {"merge"})
    "it is no Python: closing parenthesis ')' does not match opening parenthesis '[', line 1"
    """
    try:
        return next(_reasons(ast.parse(source), defined), "")
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        why = f"it is no Python: {getattr(error, 'msg', error)}{line}"
    try:
        ast.parse(as_python(source))
    except (SyntaxError, ValueError):
        return why
    lines = enumerate(map(str.strip, source.splitlines()), 1)
    where = next((f", line {n}" for n, line in lines if line.startswith(("%", "!"))), "")
    return f"it is no plain Python (a magic, a shell command{where})"


def _reasons(tree: ast.Module, defined: Collection[str]) -> Iterator[str]:
    nodes = list(ast.walk(tree))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    imports = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    aliases = (alias for node in imports for alias in node.names)
    imported = {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
    for node in names:
        if isinstance(node.ctx, ast.Del) and (node.id in defined or node.id not in own):
            yield _at(node, f"it deletes {node.id}")
        if isinstance(node.ctx, ast.Store) and (node.id in defined or node.id in _OF_PYTHON):
            yield _at(node, f"it puts something else in the place of {node.id}")
        if node.id == "id" and "id" not in own:  # the function, not `dog.id`
            yield _at(node, _REASONS["assertIsNot"])
    for found in nodes:
        if isinstance(found, ast.Attribute):
            owner = getattr(found.value, "id", None)
            if owner in imported and not isinstance(found.ctx, ast.Load):
                yield _at(found, f"it puts something else in the place of {found.attr}")
            if (owner, found.attr) == ("unittest", "main"):
                yield _at(found, "it looks for tests in the notebook")
        for name in _words(found):
            if name in _REASONS and not (isinstance(found, ast.Name) and name in own):
                yield _at(found, _REASONS[name])
    if why := _runs_text(tree, defined):
        yield why
    functions = (node for node in nodes if isinstance(node, _FUNCTIONS))
    later = {part for function in functions for part in ast.walk(function)}
    for waiting in nodes:
        if isinstance(waiting, ast.Await) and waiting not in later:
            yield _at(waiting, "it waits for something (await)")


def why_unlocked(source: str, unlocked: Collection[str]) -> str:
    """Return the reason why a test must run inside if it uses a name in `unlocked`; else "".

    `unlocked` are names that are defined in cells that students may change.

    >>> why_unlocked("assert close(f(3), 6)", {"close"})
    'it uses close, which students may change; lock the cell that defines it'
    """
    with suppress(SyntaxError, ValueError):
        if used := names_of(without_magics(source)).needed & set(unlocked):
            return f"it uses {min(used)}, which students may change; lock the cell that defines it"
    return ""


def _runs_text(tree: ast.AST, defined: Collection[str] = ()) -> str:
    """Return the reason why a test or helper may run a student's answer as code, or ""."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    harmless = {id(one.func) for one in calls if all(isinstance(a, ast.Constant) for a in one.args)}
    found = (
        (node, name)
        for node in ast.walk(tree)
        for name in _words(node)
        if name in CALLERS and name not in defined and id(node) not in harmless
    )
    why = "it may run what the program answers as code: {}"
    return next((_at(node, why.format(name)) for node, name in found), "")


def why_helper_unprotected(source: str) -> str:
    """Return the reason why a given cell must run inside, or "".

    The reason is a function in the cell that may run a student's answer as code, because a test
    could call this function.

    >>> why_helper_unprotected("def value(text):\\n    return eval(text)")
    'it may run what the program answers as code: eval (line 2)'
    """
    with suppress(SyntaxError, ValueError):
        nodes = ast.walk(ast.parse(without_magics(source)))
        found = (_runs_text(node) for node in nodes if isinstance(node, _FUNCTIONS))
        return next(filter(None, found), "")
    return ""


def _at(node: Any, reason: str) -> str:
    return f"{reason} (line {node.lineno})" if hasattr(node, "lineno") else reason


def _words(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    if isinstance(node, ast.alias):
        return tuple(node.name.split("."))
    return tuple((node.module or "").split(".")) if isinstance(node, ast.ImportFrom) else ()


def student_names_in_tests(given: Collection[str], cells: Sequence[Cell]) -> dict[str, str]:
    """Return a dictionary from tests to the reasons why they must run inside.

    These tests use names that only the student's process has. The cells in `given`, which run only
    inside, define them, or other statements derive them from names that these cells define.
    """
    code = [cell for cell in cells if cell.cell_type == "code"]
    found, others = set[str](), set[str]()
    for cell in code:
        bound = {name for node in _body(cell) for name in _bound(node)}
        if cell.id in given:
            found |= bound
        elif cell.kind in (CellKind.GIVEN, CellKind.STUDENT):
            others |= bound
    found -= others
    kinds = (CellKind.GIVEN, CellKind.TEST)
    outside = [cell for cell in code if cell.kind in kinds and cell.id not in given]
    statements = [node for cell in outside for node in _body(cell)]
    before = -1
    while found and len(found) != before:  # until no statement derives more names from those found
        before = len(found)
        for node in statements:
            if found & names_of([node]).needed:
                found |= _bound(node)
    tests = [cell for cell in outside if cell.kind is CellKind.TEST]
    used = {cell.id: found & names_of(_body(cell)).needed for cell in tests}
    return {
        test: f"it uses {min(names)}, which needs a given cell that runs inside only"
        for test, names in used.items()
        if names
    }


def _body(cell: Cell) -> list[ast.stmt]:
    """Return the statements of a cell, without its cell magic; none if the code is no Python."""
    source = cell.source.lstrip().partition("\n")[2] if is_cell_magic(cell.source) else cell.source
    for read in (without_magics, as_python):  # only `as_python` understands `names = !ls`
        with suppress(SyntaxError, ValueError):
            body = ast.parse(read(source)).body
            names_of(body)  # raises if the code cannot be compiled
            return body
    return []


def _bound(node: ast.stmt) -> frozenset[str]:
    """Return the names that a statement defines, except modules, which any process can import."""
    modules = (
        alias for part in ast.walk(node) if isinstance(part, ast.Import) for alias in part.names
    )
    return names_of([node]).bound - {(one.asname or one.name).partition(".")[0] for one in modules}
