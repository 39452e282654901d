"""Checks of the text `str(game)`: a line for each row of the board, and below them the score."""

import re
from contextlib import suppress
from typing import Any

from course.games.observed import GameProblem, Make, Observed
from course.rules.board import Board


def shows(text: Any, board: Board, score: int) -> bool:
    """Return true if a text has a line for each row of a board, in order, and then the score.

    The line of a row has the tiles of the row, no other numbers, and no letters. An empty square
    may be written as 0, or as anything without digits and letters. The score is on a line below all
    rows.

    >>> shows("2 . 4\\n. . 8\\nScore: 12", [[2, 0, 4], [0, 0, 8]], 12)
    True
    >>> shows("[[2, 0, 4], [0, 0, 8]] 12", [[2, 0, 4], [0, 0, 8]], 12)
    False
    """
    return type(text) is str and all(text_facts(text, board, score))


def text_facts(text: str, board: Board, score: int) -> list[bool]:
    """Return three booleans about the text of a game.

    The first is true if the text has more lines than the board has rows. The second is true if the
    text has a line for each row of the board, in order. The third is true if the score is on a line
    below the last row that was found.

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

    The class need not have a method `move` yet: this function sets the board from outside, and also
    the score, if the game allows that.
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
