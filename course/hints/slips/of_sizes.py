"""Whether it is the size of a line or of a board that decides what comes out right."""

from collections.abc import Sequence

from course.hints.slips.asked import Asked
from course.hints.slips.of_kinds import kind_of

USUAL = 4  # squares in a line
ENOUGH = 3  # answers, so that it is no chance


def of_sizes(asked: Sequence[Asked]) -> list[str]:
    """What is true if all is right on square boards only, or on lines of four squares only."""
    kinds = {kind_of(each.given[0]) if each.given else "" for each in asked}
    if kinds == {"board"}:
        sizes = [len(each.given[0][0]) - len(each.given[0]) for each in asked]
        return ["square-boards-only"] if _is_right_at_zero(asked, sizes) else []
    if kinds == {"line"}:
        sizes = [len(each.given[0]) - USUAL for each in asked]
        return ["four-squares-only"] if _is_right_at_zero(asked, sizes) else []
    return []


def _is_right_at_zero(asked: Sequence[Asked], sizes: Sequence[int]) -> bool:
    """Whether all calls of size zero are answered rightly, and some of less and of more are not."""
    pairs = list(zip(sizes, (each.is_answered_rightly for each in asked), strict=True))
    usual = [is_right for size, is_right in pairs if size == 0]
    others = [[right for size, right in pairs if size < 0], [r for size, r in pairs if size > 0]]
    is_wrong = all(rights.count(False) >= ENOUGH for rights in others)
    return len(usual) >= ENOUGH and all(usual) and is_wrong
