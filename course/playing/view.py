"""The view that an agent is shown when it is asked: plain data."""

from typing import Literal, TypedDict

from course.rules.board import Board, Square

Phase = Literal["place", "push"]
Choice = Square | str


class View(TypedDict):
    """The view of an agent; the docstring of `course.playing` says what each key holds."""

    board: Board
    player: int
    phase: Phase
    legal: list[Choice]
    round: int
    rounds: int
    numbers: list[int]
    last: dict[int, Choice | None]
    time_left: float | None
    opponent_time_left: float | None
