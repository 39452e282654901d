"""Functions and classes of earlier lessons: when code is graded, always the course's own."""

from course.rules import *  # noqa: F403 — the lesson decides which of them exist
