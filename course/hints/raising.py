"""The hint of a check that wants an error: it is about errors, whatever else is wrong, too."""

import re

from course.answers import Answer
from course.hints.diagnosis import Diagnosis, general
from course.hints.general import Slip
from course.hints.slips.of_errors import of_no_error

ABOUT_ERRORS = re.compile(r"\b(error|raises?|raised)\b")


def about_the_error(diagnosis: Diagnosis | None, name: str, got: Answer) -> Diagnosis | None:
    """Return what to say if a function should have raised an error, and gave this instead.

    It is the diagnosis of the function if that is about errors, or `None` if there is none. If it
    is about something else, it is the general entry that describes this answer.

    >>> said = Diagnosis("never-flipped", "", "At which wall are your tiles?", "", "", "slide")
    >>> about_the_error(said, "slide", Answer([[2]], None, ())).nudge
    'Is there a call for which `slide` has to raise an error?'
    """
    if diagnosis is None or ABOUT_ERRORS.search(f"{diagnosis.title} {diagnosis.nudge}"):
        return diagnosis
    slips = of_no_error(got)
    return general(Slip(slips[0], name)) if slips else diagnosis
