"""Functions that find students' notebooks, read them, match them with the master, and repair them.

The master is the instructor's copy of a notebook, in `source/`.
"""
