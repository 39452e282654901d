"""Finds the names that a piece of code binds, and the names that it needs from elsewhere.

For this, the code is compiled, and its instructions are read in the order in which they run. If an
instruction uses a name that no instruction above has bound, the name must come from elsewhere.
"""

import ast
import dis
from collections.abc import Sequence
from types import CodeType
from typing import NamedTuple

_IS_FUNCTION = 0x1  # CO_OPTIMIZED: the code of a function, which runs later
_OF_PYTHON = frozenset(("__annotations__", "__module__", "__qualname__"))


class Names(NamedTuple):
    """The names that some code binds, and those that it needs from elsewhere."""

    bound: frozenset[str]
    needed: frozenset[str]


def names_of(code: Sequence[ast.stmt] | str) -> Names:
    """Return the `Names` of statements, or of source text; raise `SyntaxError` if it is no Python.

    A function looks up its names when it is called. By then, all statements have bound their names.

    >>> sorted(names_of("n = 2\\ndef f(x): return x * n * rate\\nfor n in f(n): print(n)").needed)
    ['print', 'rate']
    """
    program = code if isinstance(code, str) else ast.Module([*code], [])
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    compiled = compile(program, "cell", "exec", flags, dont_inherit=True)
    bound, needed, functions = set[str](), set[str](), list[CodeType]()
    _read(compiled, frozenset(), bound, needed, functions)
    while functions:
        _read(functions.pop(), bound, set(), needed, functions)
    return Names(frozenset(bound), frozenset(needed - _OF_PYTHON))


def _read(
    code: CodeType,
    known: frozenset[str] | set[str],
    bound: set[str],
    needed: set[str],
    functions: list[CodeType],
) -> None:
    """Read code; add to `bound` the names that it binds, and to `functions` its functions.

    Add to `needed` the names that it uses and that are neither `known` nor bound before.
    """
    for instruction in dis.get_instructions(code):
        name, value = instruction.opname, instruction.argval
        if isinstance(value, CodeType):
            if value.co_flags & _IS_FUNCTION:
                functions.append(value)
            else:  # the body of a class runs at once, with names of its own
                _read(value, {*known, *bound}, set(), needed, functions)
        elif name in ("STORE_NAME", "STORE_GLOBAL", "DELETE_NAME"):
            bound.add(value)
        elif name in ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"):
            needed.update({value} - bound - known)
