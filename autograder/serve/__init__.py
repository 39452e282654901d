"""Grading of each hand-in as it comes, by HTTP, by nbgrader's exchange or by a folder."""
