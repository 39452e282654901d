"""The only room that knows nbgrader.

nbgrader loads setuptools only to unpack archives that were handed in, which takes as long as
grading five submissions. In this package it is loaded when an archive is unpacked.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

_UNPACKING = "setuptools.archive_util"


class _Later(ModuleType):
    """A stand-in for a module of functions until one of them is called."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*arguments: Any, **options: Any) -> Any:
            if sys.modules.get(_UNPACKING) is self:
                del sys.modules[_UNPACKING]
            return getattr(import_module(_UNPACKING), name)(*arguments, **options)

        return call


sys.modules.setdefault(_UNPACKING, _Later(_UNPACKING))
