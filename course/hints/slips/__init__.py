"""Slips: a slip is the id of a general hint in `general.toml`, which describes wrong answers.

Functions return a list of slips; the slip that describes the answer best comes first.
"""
