"""Grading: the student's code and the tests never share a process."""
