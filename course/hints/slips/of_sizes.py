"""Slips of size: answers are right for the usual size of a line or board, and for no other."""

from collections.abc import Sequence

from course.hints.slips.asked import Asked
from course.hints.slips.of_kinds import kind_of

USUAL = 4  # squares in a line
ENOUGH = 3  # answers, so that it is hardly by chance


def of_sizes(asked: Sequence[Asked]) -> list[str]:
    """Return the slip if all is right on square boards only, or on lines of four squares only.

    The list is empty if neither is so.
    """
    kinds = {kind_of(each.given[0]) if each.given else "" for each in asked}
    if kinds == {"board"}:
        sizes = [len(each.given[0][0]) - len(each.given[0]) for each in asked]
        return ["square-boards-only"] if _is_right_at_zero(asked, sizes) else []
    if kinds == {"line"}:
        sizes = [len(each.given[0]) - USUAL for each in asked]
        return ["four-squares-only"] if _is_right_at_zero(asked, sizes) else []
    return []


def _is_right_at_zero(asked: Sequence[Asked], sizes: Sequence[int]) -> bool:
    """Return true if all answers of size zero are right, and some below and above it are wrong.

    There must be at least `ENOUGH` answers of size zero, and as many wrong ones below and above.
    """
    pairs = list(zip(sizes, (each.is_answered_rightly for each in asked), strict=True))
    usual = [is_right for size, is_right in pairs if size == 0]
    others = [[right for size, right in pairs if size < 0], [r for size, r in pairs if size > 0]]
    is_wrong = all(rights.count(False) >= ENOUGH for rights in others)
    return len(usual) >= ENOUGH and all(usual) and is_wrong
