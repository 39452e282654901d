"""Runs a program and prints what it took, as JSON: with all processes that it has started.

`python -m autograder.bench.measured PROGRAM ARGUMENT…`. What outlives the process that started it
becomes a child of this one, so nothing that a jail or a kernel has used is left out.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
import time

_SET_SUBREAPER = 36


def main() -> None:
    """Runs the program in this folder; its output goes to stderr."""
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0)
    begin = time.monotonic()
    program = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)
    _, status, own = os.wait4(program.pid, 0)
    took = time.monotonic() - begin
    _wait_for_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        json.dumps(
            {
                "seconds": took,
                "cpu": used.ru_utime + used.ru_stime,
                "mib": own.ru_maxrss / 1024,
                "status": os.waitstatus_to_exitcode(status),
            }
        )
    )


def _wait_for_all() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    main()
