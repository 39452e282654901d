"""`python -m course.lite fetch|build|serve`: what `make lite` and `make lite-serve` run."""

import sys
from pathlib import Path

from course.lite.build import build
from course.lite.pyodide_bundle import fetch
from course.lite.serve import serve

FETCHED = Path(".venv/for-lite").resolve()
SITE = Path("site").resolve()

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fetch"]:
            fetch(FETCHED)
        case ["build"]:
            build(FETCHED, SITE)
            print("The site is in the folder site/. `make lite-serve` shows it on this machine.")
        case ["serve"]:
            serve(SITE)
        case _:
            raise SystemExit(__doc__)
