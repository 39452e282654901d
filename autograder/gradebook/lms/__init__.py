"""Canvas and Moodle, learning management systems: grades go to them, submissions come from them."""

from autograder.gradebook.lms.export_grades import Canvas, Moodle
from autograder.gradebook.lms.find_sender import FromCourse

__all__ = ["Canvas", "FromCourse", "Moodle"]
