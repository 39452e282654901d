"""The package that works with nbgrader: its configuration, its gradebook, its folders.

nbgrader needs setuptools only to unpack archives that were handed in, but always loads it. Loading
takes as long as grading five submissions. So this package puts a placeholder in place of the module
`setuptools.archive_util`. The placeholder loads the real module when an archive is unpacked.

Older configurations of courses import `autograder.gradebook.autograde`, the former name of the
module `autograder.autograde`; a placeholder stands there, too.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

_UNPACKING = "setuptools.archive_util"


class _Later(ModuleType):
    """A placeholder for a module; the real module is loaded when one of its functions is called."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*arguments: Any, **options: Any) -> Any:
            if sys.modules.get(_UNPACKING) is self:
                del sys.modules[_UNPACKING]
            return getattr(import_module(_UNPACKING), name)(*arguments, **options)

        return call


class _Renamed(ModuleType):
    """A placeholder for a module that has another name now; all in it is the real module's."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module("autograder.autograde"), name)


_FORMER = f"{__name__}.autograde"
sys.modules.setdefault(_FORMER, _Renamed(_FORMER))
sys.modules.setdefault(_UNPACKING, _Later(_UNPACKING))
