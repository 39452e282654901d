"""The output of a function while it is watched."""

from io import TextIOBase

MOST_PRINTED = 10_000


class Printed(TextIOBase):
    """The beginning of what was printed: an endless loop that prints does not fill the memory.

    >>> printed = Printed()
    >>> printed.write("moving"), printed.text
    (6, 'moving')
    """

    def __init__(self) -> None:
        self.text = ""

    def write(self, words: str) -> int:
        """Keep the beginning of everything that was written."""
        self.text += words[: MOST_PRINTED - len(self.text)]
        return len(words)
