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
        told = [one for one in self.pieces if one.reason != NOT_KEPT]
        left = [one for one in self.pieces if one.reason == NOT_KEPT]
        rows = [_row([one], one.reason) for one in told]
        if left:
            rows.append(_row(left, "you have not kept these" if len(left) > 1 else NOT_KEPT))
        return card("The pieces of your game", table(rows))


@plainly
def pieces() -> Pieces:
    """Whose the pieces are that this lesson builds on; outside of a lesson, all of them."""
    here = Path.cwd().name
    is_lesson = any(entry.id == here for entry in lessons())
    every = [name for entry in lessons() for name in entry.builds]
    return Pieces([piece(name) for name in (built_before(here) if is_lesson else every)])


def _row(several: list[Piece], reason: str) -> str:
    """Pieces of which the same is to be told."""
    names = ", ".join(f"<code>{escape(one.name)}</code>" for one in several)
    because = cell(f"because {reason}" if reason else "", "why")
    if several[0].is_own:
        return row(names, cell("✓ yours", "done"), because)
    return row(names, cell("the course's", "of"), because)
