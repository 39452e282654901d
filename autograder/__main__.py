"""`python -m autograder` is the program `autograder`."""

import atexit
import gc
import sys

_SELDOM = 100_000  # new objects until the garbage collector looks: loading makes many, no garbage


def main() -> None:
    """Runs the command line, or says which packages it needs first."""
    gc.set_threshold(_SELDOM)
    atexit.register(gc.freeze)  # at the end nobody takes apart what was loaded
    try:
        from autograder.cli import app
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is missing: pip install 'course-2048[grader]'")
    app()


if __name__ == "__main__":
    main()
