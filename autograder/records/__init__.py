"""The records of a course. The only room that knows nbgrader."""
