"""Hidden tests: the lines between nbgrader's two delimiters, which no student gets to see."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Delimiters:
    """The texts in the first and the last line of a hidden region, as nbgrader is configured."""

    begin: str = "BEGIN HIDDEN TESTS"
    end: str = "END HIDDEN TESTS"

    def without_hidden(self, source: str) -> str:
        r"""Return a source as nbgrader gives it out; without an end mark, all the rest is hidden.

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
