"""Words in the text of a test for which it must run beside the student's code.

Such a test could pass outside without having seen what it asks for. All others are tried out.
"""

import ast
import builtins
from collections.abc import Collection, Iterator
from typing import Any

from autograder.notebook.magics import as_python, without_magics
from autograder.wire.named import RUNNERS

_SHARED = {
    "inspect": "it looks at the text of the program (inspect)",
    "mock": "it puts a mock in the place of something",
    "patch": "it puts something else in the place of a name (patch)",
    "monkeypatch": "it puts something else in the place of a name (monkeypatch)",
    "redirect_stdout": "it reads what is printed",
    "redirect_stderr": "it reads what is printed",
    "capture_output": "it reads what is printed",
    "capsys": "it reads what is printed",
    "stdout": "it reads what is printed",
    "stdin": "it types for the program",
    "seed": "it seeds the chance that the program uses",
    "set_state": "it sets the chance that the program uses",
    "plt": "it looks at figures",
    "matplotlib": "it looks at figures",
    "gcf": "it looks at figures",
    "gca": "it looks at figures",
    "globals": "it looks at all names of the notebook",
    "locals": "it looks at all names of the notebook",
    "get_ipython": "it talks to the notebook",
    "settrace": "it traces the program",
    "setprofile": "it traces the program",
    "builtins": "it changes what Python itself offers",
    "setrecursionlimit": "it changes how deep Python goes",
    "errstate": "it changes what numpy makes of errors",
    "seterr": "it changes what numpy makes of errors",
    "simplefilter": "it waits for warnings",
    "filterwarnings": "it waits for warnings",
    "assertLogs": "it reads what is logged",
    "assertNoLogs": "it reads what is logged",
    "caplog": "it reads what is logged",
    "chdir": "it changes the working folder",
    "getcontext": "it looks at how numbers are rounded",
    "setcontext": "it changes how numbers are rounded",
    "getstate": "it looks at the chance that the program uses",
    "signal": "it waits for a signal",
    "SIGALRM": "it waits for a signal",
    "Thread": "it calls the program from several threads",
    "active_count": "it counts threads",
    "tracemalloc": "it measures memory",
    "loadTestsFromName": "it looks for tests in the notebook",
    "testmod": "it looks for tests in the notebook",
}
_OF_PYTHON = frozenset(dir(builtins))


def needs_inside(source: str, defined: Collection[str]) -> str:
    """Why a test must run inside, or nothing; `defined` are functions and classes of the student's.

    >>> needs_inside("del merge", {"merge"})
    'it deletes merge (line 1)'
    >>> needs_inside("assert merge([2]) == [2]", {"merge"})
    ''
    >>> needs_inside("assert merge([2) == [2]", {"merge"})
    "it is no Python: closing parenthesis ')' does not match opening parenthesis '[', line 1"
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        return _no_python(source, error)
    return next(_reasons(tree, defined), "")


def _no_python(source: str, error: Exception) -> str:
    """Why a text is not even plain Python: what is not a notebook's own language is a mistake."""
    try:
        ast.parse(as_python(source))
    except (SyntaxError, ValueError):
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        return f"it is no Python: {getattr(error, 'msg', error)}{line}"
    lines = enumerate(map(str.strip, source.splitlines()), 1)
    where = next((f", line {n}" for n, line in lines if line.startswith(("%", "!"))), "")
    return f"it is no plain Python (a magic, a shell command{where})"


def _reasons(tree: ast.Module, defined: Collection[str]) -> Iterator[str]:
    own = {node.id for node in _names(tree, ast.Store)}
    for node in _names(tree, ast.Del):
        if node.id in defined or node.id not in own:
            yield _at(node, f"it deletes {node.id}")
    for node in _names(tree, ast.Store):
        if node.id in defined or node.id in _OF_PYTHON:
            yield _at(node, f"it puts something else in the place of {node.id}")
    imported = {name for node in ast.walk(tree) for name in _imported(node)}
    for attribute in _stored_attributes(tree):
        owner = attribute.value
        if isinstance(owner, ast.Name) and owner.id in imported:
            yield _at(attribute, f"it puts something else in the place of {attribute.attr}")
    for found in ast.walk(tree):
        for name in _mentioned(found):
            if name in _SHARED and not (isinstance(found, ast.Name) and name in own):
                yield _at(found, _SHARED[name])
        if isinstance(found, ast.Attribute) and ast.unparse(found) == "unittest.main":
            yield _at(found, "it looks for tests in the notebook")
    if why := runs_text(tree, defined):
        yield why
    for waiting in _at_top(tree):
        if isinstance(waiting, ast.Await):
            yield _at(waiting, "it waits for something (await)")


def runs_text(tree: ast.AST, defined: Collection[str] = ()) -> str:
    """Why some code must not run outside: it may run what it is answered. Or nothing.

    >>> runs_text(ast.parse("assert eval(repr(dog)).name == 'Rex'"))
    'it may run what the program answers as code: eval (line 1)'
    """
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    harmless = {id(one.func) for one in calls if all(isinstance(a, ast.Constant) for a in one.args)}
    found = (
        (node, name)
        for node in ast.walk(tree)
        for name in _mentioned(node)
        if name in RUNNERS and name not in defined and id(node) not in harmless
    )
    why = "it may run what the program answers as code: {}"
    return next((_at(node, why.format(name)) for node, name in found), "")


def helper_needs_inside(source: str) -> str:
    """Why a given cell must not run outside: a test may call a function of it. Or nothing.

    >>> helper_needs_inside("def value(text):\\n    return eval(text)")
    'it may run what the program answers as code: eval (line 2)'
    """
    try:
        tree = ast.parse(without_magics(source))
    except (SyntaxError, ValueError):
        return ""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    found = (runs_text(node) for node in ast.walk(tree) if isinstance(node, functions))
    return next(filter(None, found), "")


def _at(node: Any, reason: str) -> str:
    return f"{reason} (line {node.lineno})" if hasattr(node, "lineno") else reason


def _names(tree: ast.AST, context: type) -> Iterator[ast.Name]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            yield node


def _mentioned(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    if isinstance(node, ast.alias):
        return tuple(node.name.split("."))
    return tuple((node.module or "").split(".")) if isinstance(node, ast.ImportFrom) else ()


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)


def _stored_attributes(tree: ast.AST) -> Iterator[ast.Attribute]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node


def _at_top(tree: ast.AST) -> Iterator[ast.AST]:
    """All that does not stand in a function."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
            yield from _at_top(node)
