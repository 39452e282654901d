"""Restricts a process that runs tests: it may write in one folder, and read what Python needs."""

import ctypes
import os
import re
import resource
import signal
import site
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path

from autograder.jail.inside.fork_in_namespaces import (
    LIBC,
    checked,
    drop_capabilities,
    lower_limits,
    refuse,
)
from autograder.jail.session import Limits
from autograder.jail.syscalls import filter_program

MEMORY = 2 * 2**30  # bytes by which the process may grow; numpy can easily make large arrays

_SHARED = re.compile(rb"^(\w+)-(\w+) .w.s", re.MULTILINE)  # writable shared memory, in `_MAPS`
_STAT, _STATM, _MAPS = (Path(f"/proc/self/{name}") for name in ("stat", "statm", "maps"))
_SET_DEATH_SIGNAL, _SET_NO_NEW_PRIVILEGES = 1, 38  # of prctl
# System calls of Landlock, in the kernel since 5.13: they have the same numbers on every machine.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_BENEATH, _VERSION = 1, 1
_WRITE, _READ_FILE, _READ, _TRUNCATE = 1 << 1, 1 << 2, 1 << 2 | 1 << 3, 1 << 14
_CHANGE = _WRITE | sum(1 << bit for bit in range(4, 13))  # make and remove files of every kind
_SINCE = {2: 1 << 13, 3: _TRUNCATE}  # version: the right it adds (moving, truncating files)
# What programs read from the system: libraries, its processors and processes, time zones, fonts.
_OF_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/sys", "/proc", "/dev/null", "/dev/zero", "/dev/urandom"),
    *("/etc/localtime", "/etc/timezone", "/etc/ld.so.cache", "/etc/mime.types", "/etc/fonts"),
)


def end_with(parent: int) -> None:
    """Let this process end when its `parent` ends, even if the parent is killed by `kill -9`."""
    LIBC.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def limit_resources(limits: Limits) -> None:
    """Limit this process: too much memory raises `MemoryError`, too large a file `OSError`."""
    memory = int(_STATM.read_bytes().split()[0]) * resource.getpagesize() + MEMORY
    sizes = {resource.RLIMIT_FSIZE: limits.file_size, resource.RLIMIT_CORE: 0}
    lower_limits({resource.RLIMIT_AS: memory, **sizes})


def forget_environment() -> None:
    """Make `/proc/self/environ` show nothing; in this process, the variables keep their values."""
    for name, value in os.environb.items():
        os.putenv(name, value)  # copies the value to another place in memory
    begin, end = _STAT.read_text().rpartition(")")[2].split()[47:49]
    ctypes.memset(int(begin), 0, int(end) - int(begin))


def restrict(folder: Path) -> None:
    """Restrict this process for good: it can write only in `folder`, and start no process.

    It can read only this folder, the folders of Python and its libraries, files of the system, and
    the files of loaded modules. So if a test opens a file that a student's program names, that file
    is never the answer key, the gradebook or another student's work. A kernel without Landlock does
    not restrict reading and writing. `syscalls.py` lists the system calls that the process must not
    make. Raise `OSError` if the kernel does not allow the restriction.
    """
    forget_environment()
    shared = _SHARED.findall(_MAPS.read_bytes())
    LIBC.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    version = LIBC.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)
    if version > 0:  # the kernel has Landlock
        handled = _CHANGE | _READ
        for since, rights in _SINCE.items():
            handled |= rights if version >= since else 0
        rights_of_all = ctypes.byref(ctypes.c_uint64(handled))
        rules = checked(LIBC.syscall(_CREATE, rights_of_all, ctypes.c_size_t(8), 0))
        own = (folder, handled), (Path(os.devnull), _WRITE | _READ_FILE | handled & _TRUNCATE)
        others = ((path, _READ if path.is_dir() else _READ_FILE) for path in readable())
        for path, rights in (*own, *others):
            place = os.open(path, os.O_PATH)
            rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
            checked(LIBC.syscall(_ADD, rules, _BENEATH, rule, 0))
            os.close(place)
        checked(LIBC.syscall(_RESTRICT, rules, 0))
        os.close(rules)
    for begin, end in shared:
        # memory shared with other processes: it has locks of the grader's workers
        size = int(end, 16) - int(begin, 16)
        LIBC.munmap(ctypes.c_void_p(int(begin, 16)), ctypes.c_size_t(size))
    drop_capabilities()
    refuse(filter_program(is_for_tests=True))


def readable() -> tuple[Path, ...]:
    """Return the existing files and folders that the process may read, beside its own folder.

    If the parent calls this once before it forks, the forks find the result in the cache.
    """
    return _places(len(sys.modules))


@lru_cache(maxsize=1)
def _places(_modules: int) -> tuple[Path, ...]:
    """Return the result of `readable`, cached as long as the number of modules stays the same."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    libraries = {
        *map(sysconfig.get_path, names),
        *site.getsitepackages(),
        site.getusersitepackages(),
        *_OF_SYSTEM,
    }
    found = [path for path in map(Path, libraries) if path.exists()]
    known = tuple(f"{place}{os.sep}" for place in libraries)
    loaded = set()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and not file.startswith(known):
            loaded.add(os.path.dirname(file) if hasattr(module, "__path__") else file)
    for place in sorted(loaded):  # a folder comes before all that is in it
        if not place.startswith(known) and os.path.exists(place):
            found.append(Path(place))
            known = (*known, f"{place}{os.sep}")
    return tuple(found)
