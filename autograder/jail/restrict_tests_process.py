"""Restricts a process that runs tests: it may read files, but write in one folder only."""

import ctypes
import os
import re
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from autograder.jail.inside.isolated_fork import drop_capabilities, refuse
from autograder.jail.session import Limits
from autograder.jail.syscalls import filter_program

MEMORY = 2 * 2**30  # bytes by which the process may grow; numpy can easily make large arrays

_SHARED = re.compile(rb"^(\w+)-(\w+) .w.s", re.MULTILINE)  # of the file of maps, writable
_STATM, _MAPS = Path("/proc/self/statm"), Path("/proc/self/maps")
_SET_DEATH_SIGNAL, _SET_NO_NEW_PRIVILEGES = 1, 38  # of prctl
# System calls of Landlock, in the kernel since 5.13: they have the same numbers on every machine.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_BENEATH, _VERSION = 1, 1
_WRITE, _TRUNCATE = 1 << 1, 1 << 14
_CHANGE = _WRITE | sum(1 << bit for bit in range(4, 13))  # make and remove files of every kind
_SINCE = {2: 1 << 13, 3: _TRUNCATE}  # version: the right it adds (moving, cutting off files)
_libc = ctypes.CDLL(None, use_errno=True)


def end_with(parent: int) -> None:
    """Let this process end when its `parent` ends, even if that is killed by `kill -9`."""
    _libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def limit_resources(limits: Limits) -> None:
    """Limit this process: too much memory raises `MemoryError`, too large a file `OSError`."""
    memory = int(_STATM.read_bytes().split()[0]) * resource.getpagesize() + MEMORY
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_CORE, 0),
    ):
        soft, _ = resource.getrlimit(kind)
        most = most if soft == resource.RLIM_INFINITY else min(most, soft)
        resource.setrlimit(kind, (most, most))


def restrict(folder: Path) -> None:
    """Restrict this process for good: it writes only in `folder`, and starts no process.

    `syscalls.py` lists the system calls that it must not make. Raises `OSError` if the kernel does
    not allow the restriction.
    """
    _libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    version = _libc.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)
    if version > 0:  # the kernel has Landlock, which refuses all changes outside of `folder`
        handled = _CHANGE
        for since, rights in _SINCE.items():
            handled |= rights if version >= since else 0
        rights_of_all = ctypes.byref(ctypes.c_uint64(handled))
        rules = _call(_CREATE, rights_of_all, ctypes.c_size_t(8), 0)
        for path, rights in ((folder, handled), (Path(os.devnull), _WRITE | handled & _TRUNCATE)):
            place = os.open(path, os.O_PATH)
            rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
            _call(_ADD, rules, _BENEATH, rule, 0)
            os.close(place)
        _call(_RESTRICT, rules, 0)
        os.close(rules)
    for begin, end in _SHARED.findall(_MAPS.read_bytes()):
        # memory shared with other processes: it has locks of the grader's workers
        size = int(end, 16) - int(begin, 16)
        _libc.munmap(ctypes.c_void_p(int(begin, 16)), ctypes.c_size_t(size))
    drop_capabilities()
    refuse(filter_program(is_for_tests=True))


def _call(number: int, *arguments: Any) -> int:
    done = int(_libc.syscall(number, *arguments))
    if done < 0:
        raise OSError(ctypes.get_errno(), "Landlock")
    return done
