"""The memory that all processes of a submission use together, and that the kernel uses for them."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_FILE = 2048  # bytes of the kernel's memory for a file, beside what it holds
_TERMINAL = 2**17
_WORK = "/tmp"
_TERMINALS = "/dev/pts"
_SOCKETS = "/proc/net/sockstat"


def memory_used(first: int | None, buffer: int, most: int) -> int:
    """Return about how many bytes all processes of a submission use together.

    In a jail, its files, sockets and terminals count, too. `first` is the first process of the run
    in the jail, or `None` without a jail. `buffer` is the number of bytes that a socket may hold. A
    quick count comes first. It may be too high, because it counts shared memory for each process.
    Only if it exceeds `most`, a slow and exact count takes its place.
    """
    if first is None:
        processes, kernel = list(descendants()), 0
    else:
        numbers = map(int, filter(str.isdigit, os.listdir("/proc")))
        processes = [pid for pid in numbers if pid != os.getpid()]
        try:
            disk = os.statvfs(f"/proc/{first}/root{_WORK}")
        except OSError:  # the process has just ended, or has no folder yet
            kernel = 0
        else:
            kernel = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
            kernel += (disk.f_files - disk.f_ffree) * _FILE
            kernel += len(os.listdir(_TERMINALS)) * _TERMINAL
            with open(_SOCKETS, "rb", buffering=0) as file:
                kernel += int(file.read(100).split()[2]) * buffer
    resident = kernel + sum(map(_resident, processes))
    return resident if resident <= most else kernel + sum(map(_own, processes))


def descendants(process: int | None = None) -> Iterator[int]:
    """Yield the ids of all living descendants of `process`, by default of this process.

    Its children come first, the eldest before the others. A process that has ended counts as living
    until its parent has waited for it.
    """
    waiting = [process or os.getpid()]
    while waiting:
        children: list[int] = []
        with suppress(OSError):  # it has just ended
            for thread in list(Path(f"/proc/{waiting.pop()}/task").iterdir()):
                children += map(int, (thread / "children").read_text().split())
        yield from children
        waiting += children


def _resident(process: int) -> int:
    """Return the bytes of memory that a process uses, with all that it shares with others."""
    if used := _resident_of(f"/proc/{process}"):
        return used
    # If the first thread has ended, only the other threads still show the memory.
    with suppress(OSError):
        threads = os.listdir(f"/proc/{process}/task")
        return max((_resident_of(f"/proc/{process}/task/{one}") for one in threads), default=0)
    return 0


def _resident_of(place: str) -> int:
    try:
        with open(f"{place}/statm", "rb", buffering=0) as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _own(process: int) -> int:
    """Return the bytes of a process's own memory, plus its part of shared memory.

    Program files and libraries do not count. If the kernel does not give these numbers, return what
    `_resident` returns.
    """
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            lines = [line.split() for line in file]
    except OSError:
        return _resident(process)
    return sum(int(line[1]) * 1024 for line in lines if line[0] in (b"Pss_Anon:", b"Pss_Shmem:"))
