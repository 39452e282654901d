"""The folder in which given cells and tests run: what lies beside the master, and nothing else."""

import ctypes
import importlib
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from autograder.jail.folder import OwnFolder, write_files

_CLONE_FS = 0x200
_own_folder = threading.local()


class Workplace:
    """A new folder for one submission, made where it is first needed; without files, none."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._folder: OwnFolder | None = None

    @contextmanager
    def entered(self, is_needed: bool = True) -> Iterator[None]:
        """In here the files are in the working folder, and modules among them can be imported."""
        if not self._files or not is_needed:
            yield
            return
        if self._folder is None:
            self._folder = OwnFolder()
            write_files(self._files, self._folder.path)
        _keep_to_oneself()
        before, place = os.getcwd(), str(self._folder.path)
        os.chdir(place)
        sys.path.insert(0, place)
        try:
            yield
        finally:
            sys.path.remove(place)
            os.chdir(before)

    def close(self) -> None:
        """Removes the folder; modules from it are loaded anew by the next submission."""
        if self._folder is None:
            return
        place = str(self._folder.path)
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(place + os.sep):
                del sys.modules[name]
        sys.path_importer_cache.pop(place, None)
        importlib.invalidate_caches()
        self._folder.remove()
        self._folder = None


def _keep_to_oneself() -> None:
    """Gives a thread a working folder of its own; else all threads have one together."""
    if threading.current_thread() is threading.main_thread() or hasattr(_own_folder, "is_set"):
        return
    if sys.platform == "linux" and ctypes.CDLL(None).unshare(_CLONE_FS) != 0:
        raise OSError("this thread cannot have a working folder of its own")
    _own_folder.is_set = True
