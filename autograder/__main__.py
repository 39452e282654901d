"""`python -m autograder` is the program `autograder`."""

from autograder.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
