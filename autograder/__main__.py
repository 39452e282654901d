"""The entry point of the commands `autograder` and `python -m autograder`."""

import gc
import sys

from autograder.system.shutdown import leave, take_signals

# New objects between two garbage collections; many, because imports make objects but no garbage.
_SELDOM = 100_000


def main() -> None:
    """Run the command line; say if a package is missing, or if another one is in the way."""
    take_signals()
    gc.set_threshold(_SELDOM)
    try:
        from autograder.cli import app

        app()
    except SystemExit as end:
        leave(end.code if isinstance(end.code, int) else 0)
    except ImportError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("course", "autograder"):
            file = getattr(sys.modules.get(name), "__file__", None)
            said = f"Another package with the name {name} is in the way ({file}). "
            said += "Install course-2048 in an environment of its own."
        elif isinstance(error, ModuleNotFoundError):
            said = f"{error.name} is missing: pip install 'course-2048[grader]'"
        else:
            raise
        print(said, file=sys.stderr)
        leave(1)


if __name__ == "__main__":
    main()
