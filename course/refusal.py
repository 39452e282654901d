"""The error for requests that the course refuses, and texts on parts that a class still lacks."""

import re
from typing import Any


class Refusal(ValueError):  # noqa: N818 — nothing is broken: it says what to do
    """The error raised if the course cannot do what a learner asks for; it says what to do next."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows in place of a traceback through the course."""
        return str(self).splitlines()


def lacks(error: BaseException, name: str) -> bool:
    """Return true if an error says that an object has no attribute of that name."""
    return isinstance(error, AttributeError) and f"no attribute '{name}'" in str(error)


def lacks_text(class_name: str, name: str) -> str:
    """Return a text on a method or property that a class written with `add_to` still lacks.

    >>> print(lacks_text("Game", "move"))
    Game has no move yet. Run the cell with `def move` below `@add_to(Game)`. If you have run the \
cell of the class again, run the cells of all its methods again, too.
    """
    return (
        f"{class_name} has no {name} yet. Run the cell with `def {name}` below "
        f"`@add_to({class_name})`. If you have run the cell of the class again, run the cells of "
        "all its methods again, too."
    )


def has_no_text(text: Any) -> bool:
    """Return true if a text is Python's default for an object whose class has no `__str__`."""
    return type(text) is str and bool(re.fullmatch(r"<\S+ object at 0x[0-9a-f]+>", text))
