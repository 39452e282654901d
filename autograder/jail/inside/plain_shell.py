"""Runs cells that are nothing but Python, as IPython would, without loading it.

Most students' programs are of this kind: see `judge/blind.py`. IPython takes longer to load than
all else in the jail, and longer to run a small cell than Python itself.
"""

import ast
import io
import linecache
import re
import sys
import tokenize
import traceback
from codeop import Compile
from types import FunctionType, ModuleType
from typing import Any

from autograder.jail.inside.shown import Outputs

_PLAIN = {bool, int, float, complex, str, bytes, type(None)}
_TO_NODES = ast.PyCF_ONLY_AST | Compile().flags  # as IPython parses: a cell may be "incomplete"
_LINE = 75  # characters in which a list stands in one line
_FILE = re.compile(r'^( *)File "([^"/<]+)", line', re.MULTILINE)  # what is no file is a cell
_NO_TOKENS = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)


class PlainShell:
    """A notebook's namespace, and the outputs of the cell that now runs."""

    is_plain = True

    def __init__(self) -> None:
        self.outputs = Outputs()
        self._module = ModuleType("__main__")
        self.user_ns: dict[str, Any] = self._module.__dict__

    def become_main(self) -> None:
        """From now on this is the program that runs."""
        sys.modules["__main__"] = self._module

    def run(self, source: str, name: str = "") -> None:
        """Runs a cell of that name, whatever it raises; shows the value of its last line."""
        linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
        try:
            whole = source if source.endswith("\n") else f"{source}\n"
            nodes = compile(whole, name, "exec", _TO_NODES).body
            last = nodes.pop() if nodes and isinstance(nodes[-1], ast.Expr) else None
            for node in nodes:  # one that can not be compiled does not keep those before it
                exec(compile(ast.Module([node], []), name, "exec"), self.user_ns)  # noqa: S102
            if isinstance(last, ast.Expr):
                code = compile(ast.Expression(last.value), name, "eval")
                self._show(eval(code, self.user_ns), source)
        except BaseException as error:
            self._show_error(error)

    def _show(self, value: Any, source: str) -> None:
        if value is not None and not _is_quiet(source):
            shown = {"text/plain": _text(value)}
            self.outputs.add_data("execute_result", shown, execution_count=None)

    def _show_error(self, error: BaseException) -> None:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_globals is not self.user_ns:
            trace = trace.tb_next
        lines = list(traceback.TracebackException(type(error), error, trace).format())
        text = _FILE.sub(r"\1Cell \2, line", "".join(lines))
        shown = {
            "output_type": "error",
            "ename": type(error).__name__,
            "evalue": _message(error),
            "traceback": text.splitlines(),
        }
        self.outputs.add(shown, len(text))


def _message(error: BaseException) -> str:
    try:
        return str(error)[:10_000]
    except Exception:
        return "its message could not be made"


def _text(value: Any) -> str:
    """A value as IPython shows it, which is only loaded for what Python would show otherwise."""
    kind = type(value)
    if kind in _PLAIN:
        return repr(value)
    if _shows_itself(kind):
        return "\n".join(repr(value).splitlines())
    if kind in (list, tuple) and _is_flat(value) and len(text := repr(value)) <= _LINE:
        return text
    from IPython.lib.pretty import pretty

    return str(pretty(value))  # type: ignore[no-untyped-call]


def _shows_itself(kind: type) -> bool:
    """Whether it is the learner's own program that says what an object looks like."""
    owner = next(base for base in kind.__mro__ if "__repr__" in vars(base))
    return owner.__module__ == "__main__" and type(vars(owner)["__repr__"]) is FunctionType


def _is_flat(value: Any, depth: int = 3) -> bool:
    """Whether a list holds plain values only, or such lists."""
    kinds = set(map(type, value))
    if kinds <= _PLAIN:
        return True
    inner = (part for part in value if type(part) not in _PLAIN)
    is_nested = kinds <= {*_PLAIN, list, tuple} and depth > 0
    return is_nested and all(_is_flat(part, depth - 1) for part in inner)


def _is_quiet(source: str) -> bool:
    """Whether nothing but remarks follows a last semicolon: then the value is not shown."""
    if ";" not in source:
        return False
    found = tokenize.generate_tokens(io.StringIO(source).readline)
    texts = [token.string for token in found if token.type not in _NO_TOKENS]
    return texts[-1] == ";"
