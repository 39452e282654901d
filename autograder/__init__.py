"""A grader for nbgrader courses: students' code runs in a jail, and tests outside if they can."""
