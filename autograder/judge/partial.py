"""Partial credit: nbgrader gives a test cell the points that its last value says."""

from math import isfinite

_PLAIN = (int, float)


class TooMuch(ValueError):  # noqa: N818 — said of a value
    """The last value is more than the points of the cell."""

    def __init__(self, most: float) -> None:
        super().__init__(f"the last value of the cell is more than its {most:g} points")


def shown_points(text: str | None, most: float) -> float:
    """The points for what a cell shows as its result; full marks if that is no number from 0 up.

    Raises `TooMuch` for more than there are.

    >>> shown_points("0.5", 2.0), shown_points("'well done'", 2.0), shown_points(None, 2.0)
    (0.5, 2.0, 2.0)
    """
    try:
        points = float(text) if text is not None else most
    except ValueError:
        return most
    if points > most:
        raise TooMuch(most)
    return points if points >= 0 else most


def value_points(value: object, most: float, is_score: bool = False) -> float:
    """Return the points for the last value of a test cell; raises `TooMuch`.

    A value that `is_score`, as the answer key has shown, gives points if it is any finite number
    from 0 up, and else none.

    >>> value_points("well done", 2.0), value_points("well done", 2.0, is_score=True)
    (2.0, 0.0)
    """
    if not is_score:
        return shown_points(repr(value) if type(value) in _PLAIN else None, most)
    try:
        points = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return shown_points(repr(max(points, 0.0)), most) if isfinite(points) else 0.0
