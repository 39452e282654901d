"""Finding, reading and repairing of a student's notebook, and writing of the graded one."""
