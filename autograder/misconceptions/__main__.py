"""Write the tables of known wrong answers into `course/hints/`."""

from autograder.misconceptions.tables import write_tables

for path in write_tables():
    print(path)
