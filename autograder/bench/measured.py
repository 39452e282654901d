"""Runs a program and prints, as JSON, what it took, with all processes that it has started.

`python -m autograder.bench.measured PROGRAM ARGUMENT…`. A process that outlives the one that
started it becomes a child of this one, so nothing that a jail or a kernel has used is left out.
"""

import ctypes
import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

_SET_SUBREAPER = 36
_LOOK = 0.25  # seconds


def main() -> None:
    """Run the program in this folder; its output goes to stderr."""
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0)
    begin = time.monotonic()
    program = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)
    memory: list[tuple[float, float]] = []
    is_over = Event()
    watch = Thread(target=_watch, args=(program.pid, begin, memory, is_over))
    watch.start()
    _, status, own = os.wait4(program.pid, 0)
    took = time.monotonic() - begin
    is_over.set()
    watch.join()
    _wait_for_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        json.dumps(
            {
                "seconds": took,
                "cpu": used.ru_utime + used.ru_stime,
                "mib": own.ru_maxrss / 1024,
                "memory": memory,
                "status": os.waitstatus_to_exitcode(status),
            }
        )
    )


def _watch(pid: int, begin: float, memory: list[tuple[float, float]], is_over: Event) -> None:
    """Note the memory of the program's first process: pairs of seconds since the start and MiB."""
    while not is_over.wait(_LOOK):
        try:
            found = re.search(r"VmRSS:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
        except OSError:
            return
        if found:  # none if it has just ended
            memory.append((round(time.monotonic() - begin, 2), int(found[1]) / 1024))


def _wait_for_all() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    main()
