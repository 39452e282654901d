"""Reasons: why an answer of the rules is what it is, in a sentence or two."""

from typing import Any

from course import rules
from course.playing.motion import Group, line_groups
from course.rules import Board, Line


def why(name: str, arguments: tuple[Any, ...], answer: Any) -> str:
    """Return the reason for what a function of the rules gives; empty if there is no more to say.

    >>> why("merge", ([2, 0, 2, 4],), [4, 4, 0, 0])
    '2 and 2 merge into 4 on square 0. The 4 slides to square 1.'
    >>> why("is_over", ([[2, 0]],), False)
    'board[0][1] is empty, so a move is left.'
    """
    explain = REASONS.get(name)
    return explain(arguments, answer) if explain else ""


def group_words(group: Group, before: Line, after: Line) -> str:
    """Return a sentence on what one tile does, or several tiles that merge.

    >>> group_words(Group((0, 1), 0), [2, 2], [4, 0])
    '2 and 2 merge into 4 on square 0.'
    """
    tiles = [str(before[source]) for source in group.sources]
    if group.target is None:
        return f"The {tiles[0]} is lost."
    place = f"square {group.target}"
    if not tiles:
        return f"A new {after[group.target]} is on {place}. No tile of the line explains it."
    if len(tiles) == 1:
        moves = "stays on" if group.sources[0] == group.target else "slides to"
        return f"The {tiles[0]} {moves} {place}."
    return f"{', '.join(tiles[:-1])} and {tiles[-1]} merge into {after[group.target]} on {place}."


def _line(arguments: tuple[Any, ...], answer: Any) -> str:
    before = arguments[0]
    if before == answer:
        return "Nothing can move."
    return " ".join(group_words(group, before, answer) for group in line_groups(before, answer))


def _slide(arguments: tuple[Any, ...], answer: Any) -> str:
    return f"Every line is merged towards the side that is named: {arguments[1]}."


def _rotate(arguments: tuple[Any, ...], answer: Any) -> str:
    return "A quarter turn clockwise: the left column, read from the bottom, becomes the top row."


def _empty(arguments: tuple[Any, ...], answer: Any) -> str:
    if not answer:
        return "No square holds a 0."
    squares = " and ".join(f"board[{row}][{column}]" for row, column in answer)
    return f"The zeros are {squares}: first the row, then the column, both counted from 0."


def _legal(arguments: tuple[Any, ...], answer: Any) -> str:
    direction = arguments[1]
    if answer:
        return f"Towards {direction}, at least one tile slides or merges."
    return f"Towards {direction}, no tile slides and none merges: the board would stay as it is."


def _over(arguments: tuple[Any, ...], answer: Any) -> str:
    board: Board = arguments[0]
    empty = rules.empty_cells(board)
    if empty:
        return f"board[{empty[0][0]}][{empty[0][1]}] is empty, so a move is left."
    if answer:
        return "No square is empty, and no two neighbours are equal."
    rows = [f"row {number}" for number, row in enumerate(board) if rules.has_pair(row)]
    turned = enumerate(rules.rotate(board))
    columns = [f"column {number}" for number, column in turned if rules.has_pair(column)]
    place = f"{(rows + columns)[0]} (counted from 0)"
    return f"Two equal neighbours in {place} can still merge."


def _won(arguments: tuple[Any, ...], answer: Any) -> str:
    goal = arguments[1] if len(arguments) > 1 else 2048
    largest = max(tile for row in arguments[0] for tile in row)
    return f"The largest tile is {largest}, and {goal} or more wins."


def _pair(arguments: tuple[Any, ...], answer: Any) -> str:
    if answer:
        return "Two tiles that are next to each other are equal."
    return "No two tiles that are next to each other are equal. Empty squares are not tiles."


def _points(arguments: tuple[Any, ...], answer: Any) -> str:
    after = rules.merge(arguments[0])
    made = [
        str(after[group.target])
        for group in line_groups(arguments[0], after)
        if len(group.sources) > 1 and group.target is not None
    ]
    return (
        f"The merges make {' and '.join(made)}." if made else "Nothing merges, nothing is scored."
    )


REASONS = {
    "merge": _line,
    "close_gaps": _line,
    "slide": _slide,
    "slide_by_offsets": _slide,
    "rotate": _rotate,
    "empty_cells": _empty,
    "is_legal": _legal,
    "is_over": _over,
    "has_won": _won,
    "has_pair": _pair,
    "points": _points,
}
