"""The points of a turn: by the learner's `points`, or by the merges that are seen."""

from course.playing.motion import Motion, squares_from
from course.playing.pieces import Pieces
from course.rules import Board


def points_of(pieces: Pieces, before: Board, slid: Board, direction: str, motion: Motion) -> int:
    """Return the points of a slide. For a right slide, both ways give the points of the rules.

    >>> from course.playing.motion import board_motion
    >>> motion = board_motion([[2, 2, 0]], [[4, 0, 0]], "left")
    >>> points_of(Pieces({}), [[2, 2, 0]], [[4, 0, 0]], "left", motion)
    4
    """
    if slid == before:
        return 0
    if "points" in pieces.given:
        return int(pieces["slide_points"](before, direction))
    return merged_points(slid, direction, motion)


def merged_points(slid: Board, direction: str, motion: Motion) -> int:
    """Return the points of the merges that are seen, in lines whose tiles all came from somewhere.

    One tile that appears may be a spawn. In a line with more of them, or with tiles that are gone,
    what looks like a merge may be chance: such a line scores nothing.
    """
    gone = {square for square, _ in motion.vanished}
    total = 0
    for line in squares_from(direction, len(slid), len(slid[0])):
        if not gone.intersection(line) and len(set(motion.appeared).intersection(line)) <= 1:
            total += sum(slid[row][column] for row, column in set(motion.merged) & set(line))
    return total
