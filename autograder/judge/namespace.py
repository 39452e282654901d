"""Runs test cells, which see the names of the given cells and proxies for the student's names.

Given cells are the instructor's code, other than tests. `proxy.py` says what a proxy is.

In a notebook, the student's code may use a name that a test has set. So some lines of a test also
run in the jail: lines that bind a name and use nothing that the student wrote, such as
`import numpy as np` or `rate = 0.2`. Hidden lines never run there. Later tests get these names from
the test that set them, because the student's program could have changed its own.
"""

import ast
import builtins
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from functools import lru_cache
from io import StringIO
from types import CodeType, ModuleType
from typing import Any

from autograder.course_adapter import is_silenced, precompute, silenced
from autograder.grading_data import Cell, CellKind
from autograder.jail.inside.names_in_code import Names, names_of
from autograder.judge.proxy import NAMES, rewritten
from autograder.judge.rebuild_errors import error_text, line_of
from autograder.judge.student_process import Process
from autograder.notebook.magics import without_magics
from autograder.wire import Decoder

_SHARED = (
    *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
)
_OF_PYTHON = frozenset(dir(builtins))
Line = tuple[str, Names]  # its text, or "" if it is no import, assignment or definition; its names


def prepare(cells: Iterable[Cell], files: Iterable[str], cases: str) -> None:
    """Load modules, compile cells and make test cases once, not again in each fork of the grader.

    Modules among `files`, which belong to one assignment, are not loaded. `cases` are as in `Uses`.
    """
    own = frozenset(name.partition("/")[0].partition(".")[0] for name in files)
    kinds = (CellKind.GIVEN, CellKind.TEST)
    for cell in (cell for cell in cells if cell.kind in kinds and not cell.is_inside):
        with suppress(BaseException):  # when the cell runs, its error is reported
            is_test = cell.kind is CellKind.TEST
            source = cell.source if is_test else without_magics(cell.source)
            _load(source, own)
            _compiled(source, cell.id)
            _defined(source)
            _names_without_student(source, frozenset())
    _precompute(cases)


@lru_cache(maxsize=1024)
def _load(source: str, own: frozenset[str]) -> None:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [getattr(node, "module", None), *(alias.name for alias in node.names)]
            if own.isdisjoint(str(name).partition(".")[0] for name in modules):
                with suppress(BaseException), redirect_stdout(StringIO()):
                    code = compile(ast.Module([node], []), "imports", "exec")
                    exec(code, {"__builtins__": _BUILTINS})  # noqa: S102 — the instructor's own


@lru_cache(maxsize=32)
def _precompute(cases: str) -> None:
    if cases:
        precompute(Decoder().decode(json.loads(cases)))


class Namespace:
    """The names that the test cells of one submission see.

    `exercises` are the names that students must define. `imports` are lines that are run first. A
    test cell sees what given cells before it have bound and, of the tests before it, all functions,
    classes and modules, and those variables whose values were made without any name of the
    student's. `broken` is a dictionary from given cells that failed to the reasons.
    """

    def __init__(self, exercises: set[str], imports: str) -> None:
        self._exercises = exercises
        self._names: dict[str, Any] = {"__name__": "__main__", "__builtins__": _BUILTINS}
        self._mentioned: set[str] = set()
        self.broken: dict[str, str] = {}
        for line in imports.splitlines():
            with suppress(Exception):  # a cell that needs this line reports the error
                exec(line, self._names)  # noqa: S102 — the instructor's own text

    def give(self, cell: Cell) -> None:
        """Run a given cell, except for its IPython magics. If it fails, no test below can pass."""
        try:
            code, last, names = _compiled(without_magics(cell.source), cell.id)
            self._mentioned |= names
            exec(code, self._names)  # noqa: S102 — the instructor's own text
            if last is not None:
                eval(last, self._names)
        except BaseException as error:
            line = line_of(error, cell.id)
            self.broken[cell.id] = error_text(error) + (f" (line {line})" if line else "")

    def run(self, cell: Cell, process: Process) -> Any:
        """Run a test cell and return its last value; raise whatever the cell raises."""
        for given, why in self.broken.items():
            raise RuntimeError(f"the given cell {given} failed: {why}")
        code, last, names = _compiled(cell.source, cell.id)
        known = dict(self._names)
        try:
            # Ask for exercises' names, and for those that neither a given cell nor Python binds.
            bound = (self._names.keys() | _BUILTINS.keys()) - self._exercises
            asked = sorted((names | self._mentioned) - bound)
            self._names.update(process.values(asked, self._exercises))
            self._names["__is_same__"] = process.is_same
            is_learning = process.uses.is_learning
            before = process.variables(asked, self._names) if is_learning else {}
            exec(code, self._names)  # noqa: S102 — the instructor's own text
            value = None if last is None else eval(last, self._names)
            after = process.variables(asked, self._names) if before else {}
            for name, texts in before.items():  # texts: the program's value, the test's
                if after.get(name) != texts:
                    process.refuse(f"the variable {name} changes while the test runs")
            return value
        finally:  # keep the test's own names, as `Namespace` says; restore all others
            own = _names_without_student(cell.source, frozenset(known)) - self._exercises
            kept = (_defined(cell.source) | own) & self._names.keys()
            if kept:  # later tests may call these functions, which need names, too
                self._mentioned |= names
            known.update({name: self._names[name] for name in kept})
            self._names.clear()
            self._names.update(known)


def shared_lines(cells: Sequence[Cell]) -> dict[str, str]:
    """Return a dictionary from tests to their lines that also run in the student's process.

    These lines bind a name, and use nothing that the student wrote.

    >>> test = Cell("f-right", CellKind.TEST, "rate = 2\\nwant = f(3)\\nassert want == 6")
    >>> shared_lines((Cell("f", CellKind.STUDENT, "def f(x): return x * rate"), test))
    {'f-right': 'rate = 2'}
    """
    known, found = set(_OF_PYTHON), {}
    for cell in cells:
        if cell.kind is CellKind.GIVEN:
            known.update(*(names.bound for _, names in _lines(cell.source)))
        elif cell.kind is CellKind.TEST:
            lines = _alone(_lines(cell.shown), known)
            known.update(*(names.bound for _, names in lines))
            if lines:
                found[cell.id] = "\n".join(text for text, _ in lines)
    return found


@lru_cache(maxsize=1024)
def _names_without_student(source: str, known: frozenset[str]) -> frozenset[str]:
    lines = _alone(_lines(source), _OF_PYTHON | known)
    return frozenset().union(*(names.bound for _, names in lines))


def _alone(lines: Sequence[Line], known: Collection[str]) -> Sequence[Line]:
    """Return the lines that need only `known` names, and names bound by such lines above them.

    If several lines bind the same name and one of these lines is left out, all of them are.
    """
    unfit: set[str] = set()
    while True:
        there, kept = set(known) - unfit, []
        for text, names in lines:
            if text and names.needed <= there and unfit.isdisjoint(names.bound):
                there |= names.bound
                kept.append((text, names))
            else:
                unfit |= names.bound
        if all(unfit.isdisjoint(names.bound) for _, names in kept):
            return kept


@lru_cache(maxsize=1024)
def _lines(source: str) -> tuple[Line, ...]:
    """Return a `Line` for each statement of a cell that binds names; none if it is no Python."""
    try:
        body = ast.parse(without_magics(source)).body
        lines = [(node, names_of([node])) for node in body]
    except (SyntaxError, ValueError):
        return ()
    return tuple(
        (ast.unparse(node) if isinstance(node, _SHARED) else "", names)
        for node, names in lines
        if names.bound
    )


@lru_cache(maxsize=1024)
def _compiled(source: str, name: str) -> tuple[CodeType, CodeType | None, frozenset[str]]:
    """Return a cell's code, the code of its last value or `None`, and the names that it needs.

    As in a notebook, a semicolon at the end of the cell hides the last value.
    """
    tree = ast.parse(source, name)
    names = names_of(tree.body).needed
    tree = rewritten(tree)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = compile(ast.Expression(tree.body.pop().value), name, "eval")  # type: ignore[attr-defined]
    return compile(tree, name, "exec"), last, names


@lru_cache(maxsize=1024)
def _defined(source: str) -> frozenset[str]:
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    return names_of([node for node in ast.parse(source).body if isinstance(node, kinds)]).bound


def _import(
    name: str,
    names: Mapping[str, Any] | None = None,
    local: Mapping[str, Any] | None = None,
    wanted: tuple[str, ...] = (),
    level: int = 0,
) -> Any:
    """Import as Python does, but let the functions of `course` show nothing.

    In place of `course.mine`, the functions that a learner built, import `course.rules`: no score
    may depend on earlier lessons.
    """
    if name == "course.mine":
        return builtins.__import__("course.rules", names, local, wanted, level)
    if name != "course" or not wanted:
        return builtins.__import__(name, names, local, wanted, level)
    modules = tuple(one for one in wanted if not is_silenced(one))
    builtins.__import__(name, names, local, modules, level)
    quiet = ModuleType("course")
    quiet.__getattr__ = silenced  # type: ignore[method-assign]
    return quiet


# What a test prints is not shown: it reports a wrong answer by raising an error.
_BUILTINS = {**vars(builtins), "__import__": _import, "print": lambda *_, **__: None, **NAMES}
