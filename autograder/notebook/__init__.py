"""The way of a notebook file, from a student's folder to the judge, and back to `autograded/`."""
