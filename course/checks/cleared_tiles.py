"""Checks of a second chance: they count cleared tiles, and compare the counts with bounds.

Six of twelve small tiles are cleared. So each tile is cleared in half of the calls, and each pair
of tiles in 5 of 22. Calls are independent, so each count is binomial. It is compared with `bounds`
of `course.checks.chance`, with a `RISK` of 10⁻¹¹ at either end. One check counts 12 single tiles
and 11 pairs: a right program, whatever its style, fails it with a probability below 2 × 23 × 10⁻¹¹.
Lesson 7 checks two boards: there, a right submission fails with a probability below 9.2 × 10⁻¹⁰.
The pairs show a mistake that single tiles do not show: a program that clears six neighbours,
beginning with a random tile.

Another check tests how many tiles are cleared. So if a program clears more or fewer than six, the
bounds here are those for its own number. If the number differs from call to call, the counts come
closer to their mean, never further from it.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from course.cases import is_like_before
from course.checks.chance import PAIRS, bounds, hold_to_rng, randoms
from course.checks.check import check
from course.plain_errors import plainly
from course.rules.board import Board, Square

Call = tuple[Any, ...]

RISK = 1e-11
TIMES = 300
SMALL = 12


@plainly
def check_cleared(second_chance: Callable[..., Any], board: Board, seed: int = 1) -> None:
    """Check that each of the twelve small tiles of a board is equally likely to be cleared.

    Each pair of the first small tile and another one must be cleared equally often, too. Raises
    `CheckFailed`.

    >>> from course.rules import second_chance
    >>> check_cleared(second_chance, [[512, *(2, 4, 8, 16) * 3]])
    """
    small = [square for square, tile in _tiles(board) if tile <= 128]
    assert len(small) == SMALL
    counts: list[int] = []
    alone: Counter[Square] = Counter()
    together: Counter[Square] = Counter()
    for after in _boards(second_chance, _calls(board, TIMES, seed)):
        gone = [(row, column) for row, column in small if not after[row][column]]
        counts.append(len(gone))
        alone.update(gone)
        together.update(gone if small[0] in gone else [])
    share = sum(counts) / (TIMES * SMALL)
    pair = sum(count * (count - 1) for count in counts) / (TIMES * SMALL * (SMALL - 1))
    for square in small:
        _hold(second_chance, board, alone[square], share, _place(board, square))
    for square in small[1:]:
        both = f"{_place(board, small[0])} together with {_place(board, square)}"
        _hold(second_chance, board, together[square], pair, both)


def _hold(of: Callable[..., Any], board: Board, count: int, share: float, what: str) -> None:
    low, high = bounds(TIMES, share, RISK)
    sentence = (
        f"{TIMES} second chances clear {what} {count} times, where {low} to {high} times would be "
        f"by chance\n  board     {board!r}"
    )
    check.that(low <= count <= high, sentence, of=of)


@plainly
def check_clears_by_rng(second_chance: Callable[..., Any], board: Board, seed: int = 1) -> None:
    """Check that all chance comes from `rng`: equal calls with equal `Random`s give equal answers.

    A call must also use up what it draws: the next call with the same `Random` has to draw anew.
    Raises `CheckFailed`.

    >>> from course.rules import second_chance
    >>> check_clears_by_rng(second_chance, [[512, *(2, 4, 8, 16) * 3]])
    """
    hold_to_rng(second_chance, _calls(board, PAIRS, seed), _boards, range(PAIRS))


def _tiles(board: Board) -> list[tuple[Square, int]]:
    squares = [(row, column) for row in range(len(board)) for column in range(len(board[0]))]
    return [((row, column), board[row][column]) for row, column in squares if board[row][column]]


def _place(board: Board, square: Square) -> str:
    row, column = square
    return f"the {board[row][column]} in row {row}, column {column}"


def _calls(board: Board, count: int, seed: int) -> list[Call]:
    return [(board, 3000, rng) for rng in randoms(count, seed)]


def _boards(second_chance: Callable[..., Any], calls: list[Call]) -> list[Board]:
    """Make many calls, and return the boards of their answers (board, score).

    Raises `CheckFailed` for an answer of another form, and for one in which a square is neither
    empty nor as it was before.
    """
    boards: list[Board] = []

    def note(answer: Any, before: Board, *_: Any) -> str | None:
        if not is_like_before(before, answer):
            return "this is not (board, score), with each square as it was, or empty"
        boards.append(answer[0])
        return None

    check.many(second_chance, calls, obeys=note)
    return boards
