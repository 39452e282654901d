"""`python -m course.lite fetch|build|serve`: what `make lite` and `make lite-serve` run."""

import sys
from pathlib import Path

from course.lite.build import build
from course.lite.runtime import fetch

FETCHED = Path(".venv/for-lite")
SITE = Path("site")

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fetch"]:
            fetch(FETCHED)
        case ["build"]:
            build(FETCHED.resolve(), SITE.resolve())
        case _:
            raise SystemExit(__doc__)
