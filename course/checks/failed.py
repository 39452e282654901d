"""The error that a check raises if it fails."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from course.checks.leftover_functions import from_before
from course.hints import Diagnosis

HINT = "\nHint: "  # stands in a message between what went wrong and the hint


class CheckFailed(AssertionError):  # noqa: N818 — learners read this name
    """The error that says that a check failed; `str()` of it gives the whole message.

    Attributes: `call` (the call as text), `expected` and `got` (values, or `None` if the check
    expects no single answer), `arguments` (the values passed in), `diagnosis` (the mistake that the
    function shows, or `None`), `of` (the function or class that was checked, or `None`). `picture`
    is a function that shows the error as a picture in a notebook. The widgets set it, since the
    checks know no widgets.
    """

    picture: ClassVar[Callable[["CheckFailed"], None] | None] = None

    def __init__(
        self,
        message: str,
        *,
        call: str = "",
        arguments: Sequence[Any] = (),
        expected: Any = None,
        got: Any = None,
        diagnosis: Diagnosis | None = None,
        of: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.call = call
        self.arguments = tuple(arguments)
        self.expected = expected
        self.got = got
        self.diagnosis = diagnosis
        self.of = of

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows in place of a traceback; show the picture, if any."""
        if CheckFailed.picture is not None:
            CheckFailed.picture(self)
        return [*str(self).splitlines(), *filter(None, [from_before(self.of)])]
