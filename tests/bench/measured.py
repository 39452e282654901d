"""Runs a program and prints, as JSON, what it took, with all processes that it has started.

`python tests/bench/measured.py PROGRAM ARGUMENT…`. A process that outlives the one that started it
becomes a child of this one, so nothing that a jail or a kernel has used is left out.
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
    """Run the program in this folder; its output goes to stderr."""
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
