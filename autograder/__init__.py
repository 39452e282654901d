"""A grader for nbgrader courses: students' code runs in a jail, tests outside of it if possible."""
