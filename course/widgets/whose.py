"""`pieces()`: a small table that says whose each piece of the game is."""

from html import escape
from pathlib import Path

from course.lessons import built_before, lessons
from course.mine.whose import NOT_KEPT, Piece, piece
from course.plainly import plainly
from course.widgets.card import card, cell, row, table


class Pieces:
    """The pieces that a lesson builds on, each the learner's own or the course's."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces

    def __repr__(self) -> str:
        return "\n".join(map(str, self.pieces))

    def _repr_html_(self) -> str:
        rows = map(_row, (one for one in self.pieces if one.reason != NOT_KEPT))
        left = ", ".join(one.name for one in self.pieces if one.reason == NOT_KEPT)
        lent = (
            f'<p class="c2048-why">You have not kept these, so they are the course\'s: {left}.</p>'
        )
        return card("The pieces of your game", table(rows), lent if left else "")


@plainly
def pieces() -> Pieces:
    """Show whose the pieces of the game are: yours, or the course's.

    In a lesson, you see the pieces that it builds on; outside of a lesson, all of them.
    """
    here = Path.cwd().name
    is_lesson = any(entry.id == here for entry in lessons())
    every = [name for entry in lessons() for name in entry.builds]
    return Pieces([piece(name) for name in (built_before(here) if is_lesson else every)])


def _row(one: Piece) -> str:
    whose = cell("✓ yours", "done") if one.is_own else cell("the course's", "of")
    because = f"because {one.reason}" if one.reason else ""
    return row(f"<code>{escape(one.name)}</code>", whose, cell(because, "why"))
