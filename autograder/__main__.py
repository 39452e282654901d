"""The program `autograder`, which `python -m autograder` runs."""

import gc
import sys

from autograder.system.shutdown import leave, take_signals

# New objects between two garbage collections: imports make many objects, but no garbage.
_SELDOM = 100_000


def main() -> None:
    """Run the command line. If a package is missing, print how to install it, and exit."""
    take_signals()
    gc.set_threshold(_SELDOM)
    try:
        from autograder.cli import app
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is missing: pip install 'course-2048[grader]'", file=sys.stderr)
        leave(1)
    try:
        app()
    except SystemExit as end:
        leave(end.code if isinstance(end.code, int) else 0)


if __name__ == "__main__":
    main()
