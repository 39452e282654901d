"""`python -m autograder` is the program `autograder`."""

import atexit
import gc
import os
import sys

_SELDOM = 100_000  # new objects until the garbage collector looks: loading makes many, no garbage
_INTERRUPTED = 130  # as a shell has it


def main() -> None:
    """Runs the command line, or says which packages it needs first."""
    gc.set_threshold(_SELDOM)
    atexit.register(gc.freeze)  # at the end nobody takes apart what was loaded
    try:
        try:
            from autograder.cli import app
        except ModuleNotFoundError as missing:
            sys.exit(f"{missing.name} is missing: pip install 'course-2048[grader]'")
        app()
    except KeyboardInterrupt:
        _leave()
    except SystemExit as end:
        if end.code == _INTERRUPTED:
            _leave()
        raise


def _leave() -> None:
    """At once: workers and jails end with this process, and what they do is not waited for."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
