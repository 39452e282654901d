"""`pieces()`: a small table that says whose each piece of the game is."""

from html import escape
from pathlib import Path

from course.lessons import built_before, lessons
from course.mine.whose import Piece, piece


class Pieces:
    """The pieces that a lesson builds on, each the learner's own or the course's."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces

    def __repr__(self) -> str:
        return "\n".join(map(str, self.pieces))

    def _repr_html_(self) -> str:
        rows = "".join(map(_row, self.pieces))
        return f'<div style="{_CARD}"><table style="{_TABLE}"><tbody>{rows}</tbody></table></div>'


def pieces() -> Pieces:
    """Whose the pieces are that this lesson builds on; outside of a lesson, all of them."""
    here = Path.cwd().name
    is_lesson = any(entry.id == here for entry in lessons())
    every = [name for entry in lessons() for name in entry.builds]
    return Pieces([piece(name) for name in (built_before(here) if is_lesson else every)])


def _row(one: Piece) -> str:
    whose = "✓ yours" if one.is_own else "the course's"
    return (
        f'<tr style="background:none"><th scope="row" style="{_CELL}"><code>{escape(one.name)}'
        f'</code></th><td style="{_CELL}">{whose}</td>'
        f'<td style="{_CELL}">{escape(one.reason)}</td></tr>'
    )


_CARD = (
    "display:inline-block;padding:8px 14px;border-radius:8px;background:#faf6f0;color:#1b1b1b;"
    "font:14px system-ui,sans-serif;line-height:1.5"
)
_TABLE = "margin:0;border-collapse:separate;border-spacing:2px;color:#1b1b1b"
_CELL = "background:none;border:0;padding:1px 8px;text-align:left;font-size:14px"
