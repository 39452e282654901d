"""Slips: the ids of the general hints in `general.toml` that describe a wrong answer.

Functions return slips in a list; the slip that describes the answer best comes first.
"""
