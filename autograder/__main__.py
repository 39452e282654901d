"""`python -m autograder` is the program `autograder`."""

import sys


def main() -> None:
    """Runs the command line, or says which packages it needs first."""
    try:
        from autograder.cli import app
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is missing: pip install 'course-2048[grader]'")
    app()


if __name__ == "__main__":
    main()
