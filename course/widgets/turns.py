"""`watch(rotate, board)`: a board, turned four times."""

from collections.abc import Callable
from html import escape
from typing import Any

from course.match.calls import Stuck, Tail, call, copies
from course.rules import Board
from course.rules.shape import is_board
from course.widgets.assets import read
from course.widgets.picture import board_html, value_html

QUARTERS = 4
NAMES = ("the board", "turned once", "turned twice", "three times", "four times")


class Turns:
    """A board and what a function makes of it when it is called again and again.

    `trouble` is set where the function raised an error: the steps end there.
    """

    def __init__(self, turn: Callable[[Any], Any], board: Board) -> None:
        self.steps: list[Any] = list(copies((board,)))
        self.printed = Tail()
        self.trouble: Stuck | None = None
        try:
            while len(self.steps) <= QUARTERS and is_board(self.steps[-1]):
                answer = call("rotate", turn, copies((self.steps[-1],)), self.printed)
                self.steps.append(answer)
        except Stuck as trouble:
            self.trouble = trouble

    def __repr__(self) -> str:
        named = zip(NAMES, self.steps, strict=False)
        lines = [f"{name + ':':<14}{step!r}" for name, step in named]
        if self.trouble is not None:
            lines += [str(line) for line in (self.trouble, self.trouble.code) if str(line)]
        return "\n".join(lines + self.printed.lines())

    def _repr_html_(self) -> str:
        parts = "".join(
            f'<div class="c2048-fact"><div class="c2048-label">{name}</div>{_picture(step)}</div>'
            for name, step in zip(NAMES, self.steps, strict=False)
        )
        style = read("widgets.css", "picture.css")
        return (
            f'<style>{style}</style><div class="c2048"><div class="c2048-failure" role="group" '
            f'aria-label="A board, turned">{parts}</div>{self._note()}</div>'
        )

    def _note(self) -> str:
        """What went wrong, and what was printed, as the other widgets show it."""
        parts, printed = [], "\n".join(self.printed.lines())
        if self.trouble is not None:
            parts += [_paragraph(self.trouble.title, "c2048-title"), _paragraph(self.trouble.text)]
            parts += [_code(self.trouble.code)] if self.trouble.code else []
        if printed:
            parts += [_paragraph("Your code printed:"), _code(printed)]
        kind = "printed" if self.trouble is None else "stuck"
        note = f'<div class="c2048-note" data-kind="{kind}">{"".join(parts)}</div>'
        return note if parts else ""


def _paragraph(text: str, kind: str = "") -> str:
    return f'<p class="{kind}">{escape(text)}</p>'


def _code(text: str) -> str:
    return f'<pre class="c2048-code">{escape(text)}</pre>'


def _picture(step: Any) -> str:
    return board_html(step) if is_board(step) else value_html(step)
