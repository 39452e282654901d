"""Classes, functions and modules of libraries: they cross by their names, and are found there.

Towards the judge only what is harmless in any hands crosses so: classes that plain values are of,
and modules and functions under the name that the test itself calls them by. A student who gives
another module that name, or changes one, changes nothing outside.
"""

import sys
import types
from contextlib import suppress
from importlib import import_module
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from autograder.wire.frames import WireError

# Classes of these cross as values.
_CLASSES = frozenset(
    (
        *("builtins", "collections", "collections.abc", "datetime", "decimal", "fractions"),
        *("numbers", "random", "types", "uuid", "zoneinfo", "enum", "abc"),
        *("numpy", "pandas"),
    )
)
# Functions of these may also be called with whatever a student answers.
_FUNCTIONS = frozenset(
    (
        *("cmath", "copy", "functools", "itertools", "math", "operator", "random", "statistics"),
        *("string", "numpy", "numpy.linalg", "numpy.testing", "pandas", "pandas.testing"),
        *("collections", "datetime", "decimal", "fractions"),
    )
)
_DANGEROUS = frozenset(("load", "loads", "read_pickle", "fromfile", "memmap", "eval", "type"))
_PRIVATE_HOMES = {
    "pandas._testing.asserters": "pandas.testing",
    "numpy.testing._private.utils": "numpy.testing",
}
ALIASES = {
    "np": ("numpy",),
    "pd": ("pandas",),
    "plt": ("matplotlib.pyplot",),
    "mpl": ("matplotlib",),
    "sp": ("scipy", "sympy"),
    "sns": ("seaborn",),
    "nx": ("networkx",),
    "dt": ("datetime",),
    "la": ("numpy.linalg", "scipy.linalg"),
    "nptest": ("numpy.testing",),
    "npt": ("numpy.testing",),
}
# Classes without a name of their own in Python: those of functions, generators, modules.
_OF_TYPES = {kind: f"types.{name}" for name, kind in vars(types).items() if isinstance(kind, type)}
_OURS = ("course", "autograder", "__main__")


def name_of(value: Any) -> str | None:
    """Where a class or a function of a library is found: `collections.Counter`."""
    if isinstance(value, ModuleType):
        return value.__name__
    if not isinstance(value, type | FunctionType | BuiltinFunctionType) and not _is_ufunc(value):
        return None
    home = getattr(value, "__module__", None) or ("numpy" if _is_ufunc(value) else None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if type(home) is not str or type(name) is not str or home.partition(".")[0] in _OURS:
        return None
    home = _PRIVATE_HOMES.get(home, home)
    if _found(sys.modules.get(home), name) is value:
        return f"{home}.{name}"
    return _OF_TYPES.get(value) if home == "builtins" and isinstance(value, type) else None


def class_name_of(value: Any) -> str | None:
    """Where a class is found that `find_class` would find."""
    if not isinstance(value, type) or value is type:
        return None
    name = name_of(value)
    return name if name is not None and name.rpartition(".")[0] in _CLASSES else None


def find(full_name: str) -> Any:
    """What stands under a name, wherever that is; for names that the judge trusts."""
    home, _, name = full_name.rpartition(".")
    with suppress(ImportError):
        return import_module(full_name)
    return _found(import_module(home), name)


def find_class(full_name: Any) -> Any:
    """A class that may be named by a student's code; raises `WireError` if it is none."""
    home, _, name = _text(full_name).rpartition(".")
    found = _found(import_module(home), name) if home in _CLASSES else None
    if not isinstance(found, type) or found is type:
        raise WireError("there is no such class")
    return found


def find_for(alias: str, full_name: Any) -> Any:
    """What a test means by a name that the student's notebook has for it.

    That is a module that everybody calls so, or what a library has under that very name, if it is
    harmless in any hands. Raises `WireError` else.
    """
    if is_usual(alias, _text(full_name)):
        with suppress(ModuleNotFoundError):
            return import_module(full_name)
    home, _, name = _text(full_name).rpartition(".")
    if name != alias or name in _DANGEROUS or home not in _FUNCTIONS | _CLASSES:
        raise WireError("a name stands for something else")
    found = _found(import_module(home), name)
    if found is None or (home not in _FUNCTIONS and not isinstance(found, type)):
        raise WireError("a name stands for something else")
    return found


def is_usual(alias: str, full_name: str) -> bool:
    """Whether a module is one that everybody calls so.

    >>> is_usual("np", "numpy"), is_usual("pyplot", "matplotlib.pyplot"), is_usual("json", "pickle")
    (True, True, False)
    """
    if full_name.partition(".")[0] in _OURS or full_name.partition(".")[0].startswith("_"):
        return False
    return full_name in ALIASES.get(alias, ()) or full_name.rpartition(".")[2] == alias


def _text(value: Any) -> str:
    if type(value) is not str or len(value) > 100:
        raise WireError("this is no name")
    return value


def _found(module: Any, name: str) -> Any:
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _is_ufunc(value: Any) -> bool:
    kind = type(value)
    return kind.__name__ in ("ufunc", "_ArrayFunctionDispatcher") and kind.__module__ == "numpy"
