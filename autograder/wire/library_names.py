"""Classes, functions and modules of libraries: they cross the wire by their full names.

The judge sends such names to the jail, and takes none from the jail: the answer key alone decides
to which object of a library a name in a test refers, such as `np`. So a test does not notice if a
student's program gives this name to another module, or changes a module.
"""

import sys
from contextlib import suppress
from importlib import import_module
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

# Functions that run or call what a text in their arguments says. If a test passes a student's
# answer to one of them, the answer could make this test pass. Functions that compile text are also
# stopped when they run: see `guard_against_code`.
CALLERS = frozenset(
    (
        *("eval", "query", "yaml", "unsafe_load", "jsonpickle", "dictConfig", "fileConfig"),
        *("__import__", "import_module", "subprocess", "system", "popen"),
    )
)
_FUNCTIONS_OF_NUMPY = ("ufunc", "_ArrayFunctionDispatcher")
_OURS = ("course", "autograder", "__main__")


def name_of(value: Any) -> str | None:
    """Return the full name of a class, function or module of a library; `None` for other values."""
    if isinstance(value, ModuleType):
        return value.__name__
    kind = type(value)
    is_ufunc = kind.__module__ == "numpy" and kind.__name__ in _FUNCTIONS_OF_NUMPY
    if not isinstance(value, type | FunctionType | BuiltinFunctionType) and not is_ufunc:
        return None
    home = getattr(value, "__module__", None) or ("numpy" if is_ufunc else None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if type(home) is not str or type(name) is not str or home.partition(".")[0] in _OURS:
        return None
    return f"{home}.{name}" if _found(sys.modules.get(home), name) is value else None


def find(full_name: str) -> Any:
    """Import the object with a full name and return it; the caller must trust the name."""
    home, _, name = full_name.rpartition(".")
    with suppress(ImportError):
        return import_module(full_name)
    return _found(import_module(home), name)


def is_harmless(full_name: str) -> bool:
    """Return true if no part of a full name is in `CALLERS`, which run or call what a text says.

    >>> is_harmless("math.sqrt"), is_harmless("yaml.load"), is_harmless("builtins.eval")
    (True, False, False)
    """
    return CALLERS.isdisjoint(full_name.split("."))


def _found(module: Any, name: str) -> Any:
    for part in name.split("."):
        module = getattr(module, part, None)
    return module
