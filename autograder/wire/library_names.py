"""Classes, functions and modules of libraries: they cross the wire by their full names.

From the jail to the judge, only the classes of plain values cross so, because nobody can do harm
with them. The answer key alone decides to which object of a library a name in a test refers. If a
student gives this name to another module, or changes a module, the test does not notice.
"""

import sys
import types
from contextlib import suppress
from importlib import import_module
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from autograder.wire.frames import WireError

# The modules whose classes may cross from the jail to the judge.
_CLASSES = frozenset(
    (
        *("builtins", "collections", "collections.abc", "datetime", "decimal", "fractions"),
        *("numbers", "random", "types", "uuid", "zoneinfo", "enum", "abc"),
        *("numpy", "pandas"),
    )
)
# These call functions that their arguments name. So if a test passes a student's answer to one of
# them, the answer could make this test pass. Functions that compile text are stopped when they run:
# see `guard_against_code`.
CALLERS = frozenset(
    (
        *("eval", "query", "yaml", "unsafe_load", "jsonpickle", "dictConfig", "fileConfig"),
        *("__import__", "import_module", "subprocess", "system", "popen"),
    )
)
_OF_NUMPY = ("ndarray", "dtype")
_OF_PANDAS = ("DataFrame", "Series", "Index", "RangeIndex", "Timestamp", "Timedelta")
_PRIVATE_HOMES = {
    "pandas._testing.asserters": "pandas.testing",
    "numpy.testing._private.utils": "numpy.testing",
}
# Classes that only the module `types` names: those of functions, generators, modules.
_OF_TYPES = {kind: f"types.{name}" for name, kind in vars(types).items() if isinstance(kind, type)}
_OURS = ("course", "autograder", "__main__")


def name_of(value: Any) -> str | None:
    """Return the full name of a class, function or module of a library, or `None`."""
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
    """Return the full name of a class of plain values, for `find_class`, or `None`."""
    if not isinstance(value, type) or value is type:
        return None
    name = name_of(value)
    home = "" if name is None else name.rpartition(".")[0]
    return name if home in _CLASSES and _is_of_values(value, home) else None


def find(full_name: str) -> Any:
    """Return the object with a full name, from any library; the judge must trust the name."""
    home, _, name = full_name.rpartition(".")
    with suppress(ImportError):
        return import_module(full_name)
    return _found(import_module(home), name)


def is_harmless(full_name: str) -> bool:
    """Return true if no part of a full name is one of the `CALLERS`, which call named functions.

    >>> is_harmless("math.sqrt"), is_harmless("yaml.load"), is_harmless("builtins.eval")
    (True, False, False)
    """
    return CALLERS.isdisjoint(full_name.split("."))


def find_class(full_name: Any) -> Any:
    """Return the class with a full name that came from the jail.

    Raise `WireError` if it is no class of plain values.
    """
    home, _, name = _text(full_name).rpartition(".")
    found = _found(import_module(home), name) if home in _CLASSES else None
    if not isinstance(found, type) or found is type or not _is_of_values(found, home):
        raise WireError("there is no such class")
    return found


def _is_of_values(kind: type, home: str) -> bool:
    """Return true if a class is one of plain values; `numpy.memmap`, which writes files, is not."""
    if home == "numpy":
        return issubclass(kind, import_module(home).generic) or kind.__name__ in _OF_NUMPY
    return home != "pandas" or kind.__name__ in _OF_PANDAS


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
