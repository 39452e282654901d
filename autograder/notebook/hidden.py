"""Hidden tests: the lines between nbgrader's two delimiters, which no student gets to see."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Delimiters:
    """What the first and the last line of a hidden region hold, as nbgrader is configured."""

    begin: str = "BEGIN HIDDEN TESTS"
    end: str = "END HIDDEN TESTS"

    def without_hidden(self, source: str) -> str:
        r"""A source as nbgrader gives it out; where no end is marked, all that follows is hidden.

        >>> Delimiters().without_hidden("a\n### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS\nc")
        'a\nc'
        """
        kept = []
        is_hidden = False
        for line in source.split("\n"):
            if self.begin in line:
                is_hidden = True
            elif self.end in line:
                is_hidden = False
            elif not is_hidden:
                kept.append(line)
        return "\n".join(kept)


NBGRADERS = Delimiters()
