"""Item analysis: the difficulty of each check, and how well it tells strong from weak students."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import correlation, mean

from autograder.gradebook.read_grades import ClassGrades, GradedCell, Mark, StudentGrades

_FEW = 10  # students; for fewer, no correlation is given
_OPEN = "It is not protected: it runs beside the students' code, which may change what comes out."
_LOW, _EASY, _HARD = 0.1, 0.95, 0.2


@dataclass(frozen=True)
class Item:
    """The analysis of one graded cell: `passed` of `count` students have all its points.

    `difficulty` is the mean share of the cell's points that students have; 1 means that everybody
    has all of them. `discrimination` is the correlation of the cell's points with the points of all
    other cells together, or `None` if it cannot be computed. `is_protected` is false if the cell's
    test runs beside the students' code, which may change the outcome.
    """

    asked: GradedCell
    passed: int
    count: int
    difficulty: float
    discrimination: float | None
    is_protected: bool = True

    @property
    def remark(self) -> str:
        """A remark on what the instructor should look at, or an empty text."""
        return " ".join(filter(None, ["" if self.is_protected else _OPEN, self._judgement]))

    @property
    def _judgement(self) -> str:
        if self.count < _FEW:
            return ""
        if self.discrimination is not None and self.discrimination < _LOW:
            return "Weak and strong students do alike here: does it ask what it should?"
        if self.difficulty < _HARD:
            return "Hard: most students lose it."
        return "Easy: it tells little." if self.difficulty > _EASY else ""


def items_of(book: ClassGrades) -> list[Item]:
    """Return the analysis of every graded cell.

    Only submissions that could be read are counted. If a person must still grade a cell of a
    submission, the submission is not counted for this cell.
    """
    graded = [one for one in book.students if one.marks and one.notes.is_readable]
    unprotected = {
        key
        for one in graded
        for key, remark in one.notes.remarks.items()
        if not remark.is_protected
    }
    return [
        replace(_item(asked, graded), is_protected=asked.key not in unprotected)
        for asked in book.asked
    ]


def _item(asked: GradedCell, graded: Sequence[StudentGrades]) -> Item:
    done = [one for one in graded if not one.marks.get(asked.key, Mark(0.0, waits=True)).waits]
    mine = [one.marks[asked.key].score for one in done]
    rest = [
        sum(mark.score for mark in one.marks.values()) - score
        for one, score in zip(done, mine, strict=True)
    ]
    shares = [score / asked.points for score in mine] if asked.points else []
    return Item(
        asked,
        sum(share >= 1 for share in shares),
        len(done),
        mean(shares) if shares else 0.0,
        _correlation(mine, rest),
    )


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the correlation of two lists, or `None` if they are short, or if one is constant.

    >>> _correlation([0] * 5 + [1] * 5, [1] * 5 + [8] * 5)
    1.0
    """
    is_told = len(first) >= _FEW and len(set(first)) > 1 and len(set(second)) > 1
    return round(correlation(first, second), 2) if is_told else None
