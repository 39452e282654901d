"""Notebooks that students handed in: they are found, read, matched with the master, and repaired.

The master is the instructor's copy of a notebook, in `source/`.
"""
