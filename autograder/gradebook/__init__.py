"""The package that works with nbgrader: its configuration, its gradebook, its folders.

nbgrader always imports `setuptools.archive_util`, although it needs this module only to unpack
archives that were handed in. The import takes as long as grading five submissions. So this package
puts a placeholder into `sys.modules`, which imports the real module when nbgrader calls one of its
functions. A second placeholder makes `autograder.autograde` importable under its former name,
`autograder.gradebook.autograde`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_UNPACKING, _FORMER = "setuptools.archive_util", f"{__name__}.autograde"


class _Placeholder(ModuleType):
    """A stand-in for another module, which is imported only when something in it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self.__name__ == _FORMER:
            return getattr(import_module("autograder.autograde"), name)

        def call(*arguments: Any, **options: Any) -> Any:
            if sys.modules.get(_UNPACKING) is self:
                del sys.modules[_UNPACKING]
            return getattr(import_module(_UNPACKING), name)(*arguments, **options)

        return call


for _name in (_UNPACKING, _FORMER):
    sys.modules.setdefault(_name, _Placeholder(_name))
