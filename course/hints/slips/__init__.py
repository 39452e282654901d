"""Slips: the ids of the general entries that describe a wrong answer, the closest one first."""

from course.hints.slips.asked import AskedCall
from course.hints.slips.of_answers import slips_of, slips_of_all

__all__ = ["AskedCall", "slips_of", "slips_of_all"]
