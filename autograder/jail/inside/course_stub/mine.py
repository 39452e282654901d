"""Functions and classes of earlier lessons: when code is graded, always the course's own."""

from course.rules import *  # noqa: F403 — what of them there is, is for the lesson to say
