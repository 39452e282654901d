"""`watch(rotate, board)`: a board, turned four times."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from course.rules import Board
from course.widgets.assets import read
from course.widgets.picture import board_html, is_board, value_html

QUARTERS = 4
NAMES = ("the board", "turned once", "turned twice", "three times", "four times")


class Turns:
    """A board and what a function makes of it when it is called again and again."""

    def __init__(self, turn: Callable[[Any], Any], board: Board) -> None:
        self.steps: list[Any] = [deepcopy(board)]
        while len(self.steps) <= QUARTERS and is_board(self.steps[-1]):
            self.steps.append(deepcopy(turn(deepcopy(self.steps[-1]))))

    def __repr__(self) -> str:
        named = zip(NAMES, self.steps, strict=False)
        return "\n".join(f"{name + ':':<14}{step!r}" for name, step in named)

    def _repr_html_(self) -> str:
        parts = "".join(
            f'<div class="c2048-fact"><div class="c2048-label">{name}</div>{_picture(step)}</div>'
            for name, step in zip(NAMES, self.steps, strict=False)
        )
        style = read("tiles.css", "picture.css")
        return (
            f'<style>{style}</style><div class="c2048 c2048-failure" role="group" '
            f'aria-label="A board, turned">{parts}</div>'
        )


def _picture(step: Any) -> str:
    return board_html(step) if is_board(step) else value_html(step)
