"""Write the tables of known wrong answers into `course/hints/tables/`."""

from autograder.misconceptions.tables import write_tables

for path in write_tables():
    print(path)
