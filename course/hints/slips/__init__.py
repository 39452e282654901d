"""Slips: the ids of the general entries that describe a wrong answer, the closest one first."""

from course.hints.slips.asked import Asked
from course.hints.slips.of_answers import slips_of, slips_of_all

__all__ = ["Asked", "slips_of", "slips_of_all"]
