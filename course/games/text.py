"""The text of a game: a line for each row, and the score."""

import re
from typing import Any

from course.rules.board import Board


def shows(text: Any, board: Board, score: int) -> bool:
    """Whether a text has a line for each row of a board, in order, and the score on another line.

    On the line of a row stand its tiles, no other number, and no letters; empty squares may look
    like 0, or like anything without digits.

    >>> shows("2 . 4\\n. . 8\\nScore: 12", [[2, 0, 4], [0, 0, 8]], 12)
    True
    >>> shows("[[2, 0, 4], [0, 0, 8]] 12", [[2, 0, 4], [0, 0, 8]], 12)
    False
    """
    if type(text) is not str:
        return False
    lines, others = text.splitlines(), []
    for row in board:
        tiles = [tile for tile in row if tile]
        while lines and not _is_row(lines[0], tiles):
            others.append(lines.pop(0))
        if not lines:
            return False
        lines.pop(0)
    return any(score in _numbers(line) for line in others + lines)


def _is_row(line: str, tiles: list[int]) -> bool:
    has_letters = any(character.isalpha() for character in line)
    return not has_letters and [number for number in _numbers(line) if number] == tiles


def _numbers(line: str) -> list[int]:
    return [int(digits) for digits in re.findall("[0-9]+", line)]
