"""Drawing in the browser: values that are boards, and the motion of tiles between them."""

from typing import Any

from course.playing.motion import board_motion
from course.rules.shape import is_board, is_line

OF_A_LINE = ("merge", "close_gaps")
OF_A_BOARD = ("slide", "slide_by_offsets")


def drawn(value: Any) -> Any:
    """Return a board as it is, a line as a board of one row, and `None` for any other value.

    >>> drawn([2, 0]), drawn("left")
    ([[2, 0]], None)
    """
    return [value] if is_line(value) else value if is_board(value) else None


def call_motion(name: str, arguments: Any, answer: Any) -> dict[str, Any] | None:
    """Return the motion of the tiles in a call; `None` if the function is none that moves tiles.

    The tiles go from the function's first argument to its answer.

    >>> call_motion("merge", ([0, 2],), [2, 0])["glides"]
    [[0, 1, 0, 0, 2]]
    """
    if name in OF_A_LINE:
        return board_motion([arguments[0]], [answer], "left").as_json()
    if name in OF_A_BOARD:
        return board_motion(arguments[0], answer, arguments[1]).as_json()
    return None
