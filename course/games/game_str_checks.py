"""Checks of the text `str(game)`: a line for each row of the board, and the score below them."""

import re
from contextlib import suppress
from typing import Any

from course.games.observed import GameProblem, Make, Observed
from course.rules.board import Board


def shows(text: Any, board: Board, score: int) -> bool:
    """Return true if a text has a line for each row of a board, in order, and then the score.

    The line of a row has its tiles, no other number, and no letters; empty squares may look like 0,
    or like anything without digits. The score is on a line below all rows.

    >>> shows("2 . 4\\n. . 8\\nScore: 12", [[2, 0, 4], [0, 0, 8]], 12)
    True
    >>> shows("[[2, 0, 4], [0, 0, 8]] 12", [[2, 0, 4], [0, 0, 8]], 12)
    False
    """
    return type(text) is str and all(text_facts(text, board, score))


def text_facts(text: str, board: Board, score: int) -> list[bool]:
    """Return three flags for a text of a game.

    The first is true if the text has more lines than the board has rows; the second, if the rows of
    the board stand in it in order; the third, if the score stands below them.

    >>> text_facts("[[2, 0, 4], [0, 0, 8]]\\nScore: 12", [[2, 0, 4], [0, 0, 8]], 12)
    [False, False, True]
    """
    lines = text.splitlines()
    below: list[str] = []
    is_long = len(lines) > len(board)
    rows = [[tile for tile in row if tile] for row in board]
    for line in lines:
        if rows and _is_row(line, rows[0]):
            rows.pop(0)
            below = []
        else:
            below.append(line)
    return [is_long, not rows, any(score in _numbers(line) for line in below)]


def tells(make: Make, board: Board, score: int) -> None:
    """Raise `GameProblem` unless the text of a game shows its board and its score.

    The class needs no method `move`: the board is set from outside, and so is the score, if the
    game allows that.
    """
    observed = Observed(make, board)
    with suppress(GameProblem):
        observed.put("score", score)
    score, text = observed.read("score"), observed.read("text")
    if not shows(text, board, score):
        wanted = f"a line for each row, with its tiles, and below them the score {score}"
        raise observed.problem(f"  expected  {wanted}\n  got       {text!r}", "str(game)")


def _is_row(line: str, tiles: list[int]) -> bool:
    has_letters = any(character.isalpha() for character in line)
    return not has_letters and [number for number in _numbers(line) if number] == tiles


def _numbers(line: str) -> list[int]:
    return [int(digits) for digits in re.findall("[0-9]+", line)]
