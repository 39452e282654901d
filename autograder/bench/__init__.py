"""The benchmark: this grader and nbgrader's own, side by side on the same class."""
