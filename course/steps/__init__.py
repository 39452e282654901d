"""Recordings of one call of a function: each line that runs becomes a step, stored as plain data.

A step says what the line did, and which variables there were; `course.widgets` shows the steps.
"""
