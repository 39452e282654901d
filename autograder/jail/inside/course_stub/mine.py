"""The pieces that earlier lessons built: where code is graded, always the course's."""

from course.rules import *  # noqa: F403 — what of them there is, is for the lesson to say
