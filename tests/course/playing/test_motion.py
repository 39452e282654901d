"""The motion of a slide: which tile glides where."""

from random import Random

import pytest

from course.playing.motion import board_motion
from course.rules import DIRECTIONS, slide


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_motion_leads_from_one_board_to_the_other(direction: str) -> None:
    rng = Random(direction)
    for _ in range(200):
        before = [[rng.choice([0, 0, 2, 4, 8]) for _ in range(4)] for _ in range(3)]
        after = slide(before, direction)
        motion = board_motion(before, after, direction)
        assert (motion.appeared, motion.vanished) == ([], [])
        assert arrived(motion) == {
            (row, column): tile
            for row, line in enumerate(after)
            for column, tile in enumerate(line)
            if tile
        }


def arrived(motion) -> dict:
    sums: dict = {}
    for _, end, value in motion.glides:
        sums[end] = sums.get(end, 0) + value
    return sums
