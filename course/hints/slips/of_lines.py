"""Slips of lines: what happened to the tiles."""

from collections import Counter
from collections.abc import Iterator

Tiles = list[int]


def of_line(given: Tiles, wanted: Tiles, got: Tiles) -> list[str]:
    """Return the slips of a line of numbers that is not the right one."""
    before, right, after = ([tile for tile in line if tile] for line in (given, wanted, got))
    length = []
    if len(got) < len(wanted):
        length = ["zeros-missing"] if got + [0] * (len(wanted) - len(got)) == wanted else []
        length.append("too-short")
    elif len(got) > len(wanted):
        length = ["zeros-too-many"] if wanted + [0] * (len(got) - len(wanted)) == got else []
        length.append("too-long")
    unchanged = ["stays-as-it-was"] if got == given else []
    if after == right:
        at_the_end = [0] * (len(got) - len(after)) + after
        places = [] if length else ["far-end"] if got == at_the_end else ["gap-left"]
        return length + places + unchanged
    return of_tiles(before, right, after) + length + unchanged


def of_tiles(before: Tiles, right: Tiles, after: Tiles) -> list[str]:
    """Return the slips of the tiles alone, in their order, without the empty squares."""
    groups = _groups(before, after)
    if groups is not None:
        if not all(map(_is_chain, groups)):
            return ["merged-no-pair"]
        if any(len(group) > 2 for group in groups):
            return ["merged-again"]
        return ["other-pairs" if len(after) == len(right) else "merged-too-little"]
    return of_numbers(right, after)


def of_numbers(right: Tiles, after: Tiles) -> list[str]:
    """Return the slips of the tiles, wherever they are."""
    missing, extra = Counter(right) - Counter(after), Counter(after) - Counter(right)
    if not missing and not extra:
        return ["order-changed"]
    sizes, own_sizes = sorted(map(abs, right)), sorted(map(abs, after))
    if sizes == own_sizes:
        return ["owner-changed"]
    if sum(sizes) == sum(own_sizes):
        return ["merged-otherwise"]
    total = "sum-smaller" if sum(own_sizes) < sum(sizes) else "sum-larger"
    if not after:
        return ["no-tiles", total]
    if not extra:
        return ["tile-lost", total]
    if not missing:
        return ["tile-doubled" if set(extra) <= set(right) else "tile-made-up", total]
    return [total]


def _groups(before: Tiles, after: Tiles) -> list[Tiles] | None:
    """Return the neighbours that each tile is the sum of, in order.

    Return `None` if not all tiles are such sums, or if some tiles before are in no sum.

    >>> _groups([2, 2, 4, 8], [4, 12]), _groups([2, 4], [4, 2])
    ([[2, 2], [4, 8]], None)
    """
    rest = iter(before)
    groups = [_taken(rest, tile) for tile in after]
    is_used_up = next(rest, None) is None
    return groups if is_used_up and list(map(sum, groups)) == after else None


def _taken(rest: Iterator[int], tile: int) -> Tiles:
    """Take tiles from the front of the rest until they add up to this tile, and return them.

    Stop, too, if they add up to more, or if none is left.
    """
    group: Tiles = []
    while sum(group) < tile:
        following = next(rest, None)
        if following is None:
            break
        group.append(following)
    return group


def _is_chain(group: Tiles) -> bool:
    """Return true if merging equal neighbours again and again makes one tile of the group.

    >>> _is_chain([2]), _is_chain([4, 2, 2]), _is_chain([2, 4]), _is_chain([2, 2, 2])
    (True, True, False, False)
    """
    stack: Tiles = []
    for tile in group:
        stack.append(tile)
        while len(stack) > 1 and stack[-1] == stack[-2]:
            stack[-2:] = [2 * stack[-1]]
    return len(stack) == 1
