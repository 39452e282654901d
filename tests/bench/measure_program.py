"""Running a program, and printing as JSON its processes' time and the memory of the largest.

The command is `python tests/bench/measure_program.py PROGRAM ARGUMENT…`. A process that outlives
its parent becomes a child of this process, so that the time of jails and kernels counts, too.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
import time
from contextlib import suppress

_SET_SUBREAPER = 36


def main() -> None:
    """Run the program with its output on stderr, then print the measurement on stdout."""
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0)
    begin = time.monotonic()
    program = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)
    _, status, own = os.wait4(program.pid, 0)
    seconds = time.monotonic() - begin
    with suppress(ChildProcessError):
        while True:
            os.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = {"seconds": seconds, "cpu": used.ru_utime + used.ru_stime, "mib": own.ru_maxrss / 1024}
    print(json.dumps({**took, "status": os.waitstatus_to_exitcode(status)}))


if __name__ == "__main__":
    main()
