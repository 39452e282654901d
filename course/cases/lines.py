"""Lines to test with, each set about one idea of merging and no other."""

from itertools import groupby, product
from random import Random

from course.cases.case_cache import made_once
from course.rules.line import Line, close_gaps, merge
from course.rules.over import has_pair

SQUARES = (0, 2, 4, 8)


def every_line(length: int, squares: tuple[int, ...] = SQUARES) -> list[Line]:
    """Return all lines of `length` squares that can be made of the numbers in `squares`.

    >>> every_line(2, (0, 2))
    [[0, 0], [0, 2], [2, 0], [2, 2]]
    """
    return [list(line) for line in product(squares, repeat=length)]


def random_lines(rng: Random, count: int, length: int) -> list[Line]:
    """Return `count` random lines of `length` squares in which merges are common."""
    return [[rng.choice(SQUARES) for _ in range(length)] for _ in range(count)]


@made_once
def lines_about(idea: str, length: int = 4, squares: tuple[int, ...] = SQUARES) -> list[Line]:
    """Return all lines of `length` squares that are about one idea of merging and no other.

    `"pair"`: one pair of equal tiles merges. `"gap"`: one pair merges, and empty squares stand
    before a tile. `"two pairs"`: two pairs merge. `"chain"`: one pair merges, and the new tile
    stands beside a tile of its value. `"odd run"`: an odd number of equal tiles, three or more,
    stand side by side, so it matters which of them merge.

    >>> lines_about("chain", 3, (0, 2, 4))
    [[2, 2, 4], [4, 2, 2]]
    """
    return [line for line in every_line(length, squares) if _idea(line) == idea]


def _idea(line: Line) -> str | None:
    """Return the one idea that a line is about, or `None` if it is about none or several."""
    tiles = [tile for tile in line if tile]
    runs = [len(list(run)) for _, run in groupby(tiles)]
    merges = sum(run // 2 for run in runs)
    gap = close_gaps(line) != line
    chain = has_pair(merge(line)) or chained(tiles) != [tile for tile in merge(line) if tile]
    if any(run > 2 and run % 2 for run in runs):
        return None if gap or chain else "odd run"
    if merges == 2:
        return None if gap else "two pairs"
    ideas = {(False, False): "pair", (True, False): "gap", (False, True): "chain"}
    return ideas.get((gap, chain)) if merges == 1 else None


def chained(tiles: Line) -> Line:
    """Return the tiles that a line would have if a merged tile could merge again."""
    stack: Line = []
    for tile in tiles:
        while stack and stack[-1] == tile:
            tile += stack.pop()
        stack.append(tile)
    return stack
