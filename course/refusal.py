"""What the course can not do for a learner, said in a sentence."""


class Refusal(ValueError):  # noqa: N818 — nothing is broken: it says what to do
    """A wish that can not be fulfilled; `str()` of it says why, and what to do next."""

    def _render_traceback_(self) -> list[str]:
        """IPython shows these lines in place of a traceback through the course's own files."""
        return str(self).splitlines()
