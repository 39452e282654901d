"""`python -m course.lab RELEASE MINE`: what `make lab` runs."""

import sys

from course.lab.start import main

if __name__ == "__main__":
    main(*sys.argv[1:])
