"""A small class that adds up the points of one player."""

HIGH = 1000


class Score:
    """The points of one player, 0 at the start.

    >>> score = Score()
    >>> score.add(8)
    >>> score.add(4)
    >>> score.total, score.is_high
    (12, False)
    >>> print(score)
    Score: 12
    """

    def __init__(self) -> None:
        self.total = 0

    def add(self, gained: int) -> None:
        """Add the points `gained` to the total."""
        self.total += gained

    @property
    def is_high(self) -> bool:
        """True if the total is 1000 or more."""
        return self.total >= HIGH

    def __str__(self) -> str:
        """Return the score as text, as in `Score: 12`."""
        return f"Score: {self.total}"
