"""The way of a notebook file from a student's folder to the judge, and then to `autograded/`."""
