"""Slips: the ids of the general hints in `general.toml` that describe a wrong answer.

Functions return slips in a list; the slip that describes the answer best comes first.
"""

from course.hints.slips.compared_call import AskedCall
from course.hints.slips.of_answers import slips_of, slips_of_all

__all__ = ["AskedCall", "slips_of", "slips_of_all"]
