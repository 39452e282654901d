"""Canvas and Moodle, learning management systems: grades go to them, submissions come from them."""

from autograder.gradebook.lms.collect_downloads import FromCourse
from autograder.gradebook.lms.export_grades import Canvas, Moodle

__all__ = ["Canvas", "FromCourse", "Moodle"]
