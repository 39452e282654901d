"""Recordings of a run: each line that a function runs is a step, as plain data.

A step says what the line did, and which variables there were; `course.widgets` shows the steps.
"""
