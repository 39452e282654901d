"""A grader for nbgrader courses: students' code runs in a jail, tests run outside if possible."""
