"""A name of the course that the notebook does not know yet: which cell brings it."""

from html import escape

from course import HOMES


class Missing:
    """What to do about a name that was not imported; a notebook shows it below the error."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return (
            f"The notebook does not know {self.name} yet. Run the first code cell of this "
            "notebook, the one with: from course import … Then run this cell again."
        )

    def _repr_html_(self) -> str:
        return f'<p style="margin:4px 0"><strong>{escape(repr(self))}</strong></p>'


def missing(error: BaseException | None) -> Missing | None:
    """What to say where an error is about a name that the course would bring; else `None`.

    >>> missing(NameError("name 'check' is not defined", name="check")).name
    'check'
    >>> missing(NameError("name 'merge' is not defined", name="merge")), missing(None)
    (None, None)
    """
    name = error.name if isinstance(error, NameError) else None
    return Missing(name) if name in HOMES else None
