"""The error that says, in a sentence, what the course cannot do for a learner."""


class Refusal(ValueError):  # noqa: N818 — nothing is broken: it says what to do
    """The error raised if the course cannot do what a learner asks for.

    Its text says why, and what to do next.
    """

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows in place of a traceback through the course."""
        return str(self).splitlines()
