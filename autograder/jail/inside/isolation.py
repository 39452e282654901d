"""Forks a process that is alone: it sees no other process, no other files, and no trace of them.

The kernel gives it namespaces of its own for processes, files, and what they have in common; so its
number is always 1, its folder is new, and with it ends all that it has started. It has no right to
make such a thing again, nor to do what the filter refuses.
"""

import ctypes
import os
import platform
import signal
import struct
from typing import Any

_WORK = "/tmp"
_NEW = 0x00020000 | 0x08000000 | 0x10000000 | 0x20000000  # CLONE_NEWNS, NEWIPC, NEWUSER, NEWPID
_CLONE, _CAPSET = {"x86_64": (56, 126), "aarch64": (220, 91)}.get(platform.machine(), (0, 0))
_READ_ONLY, _NO_SUID, _NO_DEVICES = 1, 2, 4  # of mount
_SET_DUMPABLE, _SET_SECCOMP, _SET_SUBREAPER = 4, 22, 36  # of prctl
_FILTER = 2
_CAPABILITIES = 0x20080522  # the version of the kernel's structure
_FILES = 20_000

_NOT_ALONE = (
    "the kernel gives no namespaces of its own to what runs in bubblewrap (see the settings "
    "kernel.apparmor_restrict_unprivileged_userns and user.max_user_namespaces)"
)
_libc = ctypes.PyDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def protect() -> None:
    """Nothing that is forked from here can read or trace this process; it takes in orphans."""
    if hasattr(_libc, "prctl"):  # on Linux
        _libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
        _libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0)


def fork_alone(refused: bytes, folder: int) -> int:
    """Return the number of a new process, and 0 in it, where everything that lasts is its own.

    `refused` is the filter of calls to the kernel, `folder` the bytes that its folder may hold.
    Raises `OSError` where the kernel does not allow it.
    """
    user, group = os.getuid(), os.getgid()
    ctypes.pythonapi.PyOS_BeforeFork()
    child = int(_libc.syscall(*map(ctypes.c_long, (_CLONE, _NEW | signal.SIGCHLD, 0, 0, 0, 0))))
    if child:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        if child < 0:
            raise _error()
        return child
    try:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        _do(_libc.prctl(_SET_DUMPABLE, 1, 0, 0, 0))
        for kind, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{kind}", "w") as file:
                file.write(text)
        size = f"mode=0777,size={folder},nr_inodes={_FILES}"
        _mount("tmpfs", _WORK, _NO_SUID | _NO_DEVICES, size)
        # the old one tells what has been started; a new one may only stand where all of it is seen
        _mount("tmpfs", "/proc", _READ_ONLY | _NO_SUID | _NO_DEVICES, "size=4k,nr_inodes=1")
        os.chdir(_WORK)
        drop_capabilities()
        refuse(refused)
    except BaseException as error:
        os.write(2, f"{_NOT_ALONE}: {error}\n".encode())
        os._exit(1)
    return 0


def drop_capabilities() -> None:
    """From now on this process, even root's, may do no more than any other; raises `OSError`."""
    _do(_libc.syscall(_CAPSET, struct.pack("Ii", _CAPABILITIES, 0), bytes(24)))


def refuse(program: bytes) -> None:
    """From now on the kernel refuses this process the calls of a filter; raises `OSError`.

    The process has no privileges, or must be unable to get new ones.
    """
    loaded = _Program(len(program) // 8, program)
    _do(_libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(loaded), 0, 0))


def _mount(kind: str, place: str, flags: int, options: str) -> None:
    _do(_libc.mount(kind.encode(), place.encode(), kind.encode(), flags, options.encode()))


def _do(result: Any) -> None:
    if result != 0:
        raise _error()


def _error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
