"""A second chance under test: which tiles are cleared is counted, and the counts held to bounds.

Six of twelve small tiles are cleared, so a tile is cleared in half of the calls, and two tiles
together in 5 of 22. Calls are independent, so each count is binomial, with the bounds of
`course.checks.chance`. Lesson 7 holds 2 × 12 counts of single tiles and 2 × 11 of pairs against two
bounds each: a right program, whatever its style, fails with a probability below 92 × `RISK`, which
is below 10⁻⁹. The pairs see what single tiles do not: six tiles in a row, begun anywhere.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from course.answers import same
from course.cases import is_like_before
from course.checks.chance import bounds
from course.checks.check import check
from course.plainly import plainly
from course.rules.board import Board, Square

TIMES = 300
PAIRS = 40
SMALL, CLEARED = 12, 6


@plainly
def check_cleared(second_chance: Callable[..., Any], board: Board, seed: int = 1) -> None:
    """Of the twelve small tiles of a board, each is as likely to be cleared as the next.

    And the first of them goes with each other one equally often. Raises `CheckFailed`.

    >>> from course.rules import second_chance
    >>> check_cleared(second_chance, [[512, *(2, 4, 8, 16) * 3]])
    """
    small = [square for square, tile in _tiles(board) if tile <= 128]
    assert len(small) == SMALL
    alone: Counter[Square] = Counter()
    together: Counter[Square] = Counter()
    for after in _boards(second_chance, board, _randoms(TIMES, seed)):
        gone = [(row, column) for row, column in small if not after[row][column]]
        alone.update(gone)
        together.update(gone if small[0] in gone else [])
    pair = CLEARED * (CLEARED - 1) / (SMALL * (SMALL - 1))
    for square in small:
        _hold(second_chance, board, alone[square], CLEARED / SMALL, _place(board, square))
    for square in small[1:]:
        both = f"{_place(board, small[0])} together with {_place(board, square)}"
        _hold(second_chance, board, together[square], pair, both)


def _hold(of: Callable[..., Any], board: Board, count: int, share: float, what: str) -> None:
    low, high = bounds(TIMES, share)
    sentence = (
        f"on the board {board}, {TIMES} second chances clear {what} {count} times, where "
        f"{low} to {high} times would be by chance"
    )
    check.that(low <= count <= high, sentence, of=of)


@plainly
def check_clears_by_rng(
    second_chance: Callable[..., Any], board: Board, pairs: int = PAIRS, seed: int = 1
) -> None:
    """All chance comes from `rng`: the same call with the same `Random` gives the same answer.

    Raises `CheckFailed`.

    >>> from course.rules import second_chance
    >>> check_clears_by_rng(second_chance, [[512, *(2, 4, 8, 16) * 3]])
    """
    randoms = [rng for _ in range(2) for rng in _randoms(pairs, seed)]
    boards = _boards(second_chance, board, randoms)
    for first, second in zip(boards[:pairs], boards[pairs:], strict=True):
        sentence = f"with rng = Random(1), one call gives {first}, the next, just so, {second}"
        check.that(same(first, second), sentence, of=second_chance)


def _tiles(board: Board) -> list[tuple[Square, int]]:
    squares = [(row, column) for row in range(len(board)) for column in range(len(board[0]))]
    return [((row, column), board[row][column]) for row, column in squares if board[row][column]]


def _place(board: Board, square: Square) -> str:
    row, column = square
    return f"the {board[row][column]} in row {row}, column {column}"


def _randoms(count: int, seed: int) -> list[Random]:
    return [Random(seed * 1_000_003 + index) for index in range(count)]


def _boards(second_chance: Callable[..., Any], board: Board, rngs: list[Random]) -> list[Board]:
    """The boards of many answers; `CheckFailed` if one of them is no board and score."""
    boards: list[Board] = []

    def note(answer: Any, *_: Any) -> str | None:
        if not is_like_before(board, answer):
            return "this is not (board, score), with each square as it was, or empty"
        boards.append(answer[0])
        return None

    check.many(second_chance, [(board, 3000, rng) for rng in rngs], obeys=note)
    return boards
