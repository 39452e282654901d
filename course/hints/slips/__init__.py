"""Slips: a slip is the id of a general hint, a text in `general.toml` that describes wrong answers.

Functions return lists of slips, in which the best description of the answer comes first.
"""
