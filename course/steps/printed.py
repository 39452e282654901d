"""What a function prints while it is watched."""

from io import TextIOBase

MOST_PRINTED = 10_000


class Printed(TextIOBase):
    """What was printed, its beginning: an endless loop that prints fills no memory.

    >>> printed = Printed()
    >>> printed.write("moving"), printed.text
    (6, 'moving')
    """

    def __init__(self) -> None:
        self.text = ""

    def write(self, words: str) -> int:
        """The beginning of everything written is kept."""
        self.text += words[: MOST_PRINTED - len(self.text)]
        return len(words)
