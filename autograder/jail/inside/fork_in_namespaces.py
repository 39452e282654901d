"""Forks a process so that the fork is alone: it sees no other process, and no file of another one.

The kernel gives the fork namespaces of its own, for processes, for mounted files, and for memory
and messages that processes share. So its process id is always 1, its folder is new, and all that it
has started ends with it. It can make no more namespaces, and no system call that the filter
refuses.
"""

import ctypes
import os
import platform
import resource
import signal
import struct

_WORK, _SHARED = "/tmp", "/dev/shm"
_NEW = 0x00020000 | 0x08000000 | 0x10000000 | 0x20000000  # CLONE_NEWNS, NEWIPC, NEWUSER, NEWPID
_CLONE, _CAPSET = {"x86_64": (56, 126), "aarch64": (220, 91)}.get(platform.machine(), (0, 0))
_MOUNT_SETATTR, _AND_BELOW = 442, 0x8000
_READ_ONLY, _NO_SUID, _NO_DEVICES = 1, 2, 4  # of mount
_SET_DUMPABLE, _SET_SECCOMP, _SET_SUBREAPER = 4, 22, 36  # of prctl
_FILTER = 2
_CAPABILITIES = 0x20080522  # the version of the kernel's structure
_FILES = 20_000
_SHARED_SIZE = "size=32m,nr_inodes=1000"

_NOT_ALONE = (
    "the kernel gives no namespaces of its own to what runs in bubblewrap (see the settings "
    "kernel.apparmor_restrict_unprivileged_userns and user.max_user_namespaces)"
)
LIBC = ctypes.PyDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def protect() -> None:
    """Protect this process from being read or traced by its forks, and let it adopt orphans."""
    if hasattr(LIBC, "prctl"):  # on Linux
        LIBC.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
        LIBC.prctl(_SET_SUBREAPER, 1, 0, 0, 0)


def fork_alone(refused: bytes, folder: int) -> int:
    """Fork this process into new namespaces; return the fork's process id, or 0 in the fork.

    `refused` is the filter of system calls, and `folder` the number of bytes that the working
    folder may hold. Raise `OSError` if the kernel does not allow the fork. If the fork cannot be
    confined, it ends.
    """
    user, group = os.getuid(), os.getgid()
    ctypes.pythonapi.PyOS_BeforeFork()
    child = int(LIBC.syscall(*map(ctypes.c_long, (_CLONE, _NEW | signal.SIGCHLD, 0, 0, 0, 0))))
    if child:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        return checked(child)
    try:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        checked(LIBC.prctl(_SET_DUMPABLE, 1, 0, 0, 0))
        for kind, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{kind}", "w") as file:
                file.write(text)
        # Nobody can set the times of files that others see, not even those of /dev/null.
        attributes = struct.pack("QQQQ", _READ_ONLY, 0, 0, 0)
        checked(LIBC.syscall(_MOUNT_SETATTR, -1, b"/", _AND_BELOW, attributes, len(attributes)))
        size = f"mode=0777,size={folder},nr_inodes={_FILES}"
        _mount("tmpfs", _WORK, _NO_SUID | _NO_DEVICES, size)
        if os.path.isdir(_SHARED):  # for locks and queues between processes
            _mount("tmpfs", _SHARED, _NO_SUID | _NO_DEVICES, f"mode=1777,{_SHARED_SIZE}")
        # An empty folder: the old /proc shows other processes, and the kernel allows no new /proc.
        _mount("tmpfs", "/proc", _READ_ONLY | _NO_SUID | _NO_DEVICES, "size=4k,nr_inodes=1")
        os.chdir(_WORK)
        drop_capabilities()
        refuse(refused)
    except BaseException as error:
        os.write(2, f"{_NOT_ALONE}: {error}\n".encode())
        os._exit(1)
    return 0


def lower_limits(limits: dict[int, int]) -> None:
    """Lower the limits of this process's resources for good; leave those that are lower already."""
    for kind, most in limits.items():
        soft, _ = resource.getrlimit(kind)
        most = most if soft == resource.RLIM_INFINITY else min(most, soft)
        resource.setrlimit(kind, (most, most))


def drop_capabilities() -> None:
    """Drop all capabilities of this process for good, even if it is root's, or raise `OSError`."""
    checked(LIBC.syscall(_CAPSET, struct.pack("Ii", _CAPABILITIES, 0), bytes(24)))


def refuse(program: bytes) -> None:
    """Let the kernel filter the system calls of this process for good, or raise `OSError`.

    The process must first have given up the right to gain privileges (`PR_SET_NO_NEW_PRIVS`).
    """
    loaded = _Program(len(program) // 8, program)
    checked(LIBC.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(loaded), 0, 0))


def _mount(kind: str, place: str, flags: int, options: str) -> None:
    checked(LIBC.mount(kind.encode(), place.encode(), kind.encode(), flags, options.encode()))


def checked(result: int) -> int:
    """Return the result of a system call; raise `OSError` if the call has failed."""
    if result < 0:
        raise OSError(number := ctypes.get_errno(), os.strerror(number))
    return result
