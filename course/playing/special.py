"""The special rules in a match: a win by points, one second chance, and a referee for it."""

from typing import Any

from course import rules
from course.playing.fault import Fault
from course.playing.referee import differing
from course.playing.state import State
from course.rules import Board, Square
from course.rules.special import (
    CLEARED_TILES,
    LARGEST_CLEARED,
    SECOND_CHANCE_COST,
    SECOND_CHANCE_TILE,
)
from course.rules.speech import LETTERS

PIECES = frozenset({"has_won_special", "second_chance"})  # the functions that only they have
METHODS = ("can_continue", "continue_")
GOAL = 2048
OFFER = "Second chance: Y takes it, N does not."


def is_special(game: Any) -> bool:
    """Return true if a game follows the special rules, as far as it is written by now.

    >>> is_special(rules.SpecialGame()), is_special(rules.Game())
    (True, False)
    """
    kinds = type(game).__mro__
    named = any(kind.__name__ == "SpecialGame" for kind in kinds)
    return named or any(name in vars(kind) for kind in kinds for name in METHODS)


def may_continue(state: State) -> bool:
    """Return true if the rules allow a second chance now.

    The match must be lost, with a tile of 512 or more, and must not have been continued before.
    """
    largest = max(tile for row in state.board for tile in row)
    return rules.is_over(state.board) and largest >= SECOND_CHANCE_TILE and not state.has_continued


def said_after(before: Board, after: State) -> str:
    """Return what is said after the second chance was taken.

    >>> said_after([[512, 4]], State([[512, 0]], score=952, moves=80))
    'The game goes on. 1 tile is cleared. Score 952, 80 moves'
    """
    count = len(differing(before, after.board))
    cleared = "1 tile is cleared." if count == 1 else f"{count or 'No'} tiles are cleared."
    how = "Game over." if after.is_over else "The game goes on."
    return f"{how} {cleared} {rules.announce_status(after.score, after.moves)}"


def second_chance_faults(before: Board, after: Board, rise: int) -> list[Fault]:
    """Return the faults of a second chance; `rise` is what the score rose by.

    >>> second_chance_faults([[512, 4]], [[512, 0]], -2048)
    []
    >>> [fault.sentence for fault in second_chance_faults([[512, 4]], [[512, 4]], 0)]
    ['0 tiles were cleared. The rules clear 1.', 'The score changed by 0. The rules take 2048.']
    """
    faults = []
    for row, column in _wrongly_cleared(before, after):
        name, was, now = _name(row, column), before[row][column], after[row][column]
        said = f"{name} was {was} and became {now}. Only tiles of at most 128 are cleared."
        faults.append(_fault(said, (row, column)))
    cleared, right = len(differing(before, after)), min(CLEARED_TILES, _small(before))
    if cleared != right:
        faults.append(_fault(f"{cleared} tiles were cleared. The rules clear {right}."))
    if rise != -SECOND_CHANCE_COST:
        faults.append(_fault(f"The score changed by {rise}. The rules take {SECOND_CHANCE_COST}."))
    return faults


def _fault(sentence: str, *squares: Square) -> Fault:
    return Fault(sentence, squares, ("second_chance",))


def _name(row: int, column: int) -> str:
    is_named = column < len(LETTERS)  # columns beyond Z are not
    return rules.name_square(row, column) if is_named else f"board[{row}][{column}]"


def _small(board: Board) -> int:
    return sum(0 < tile <= LARGEST_CLEARED for row in board for tile in row)


def _wrongly_cleared(before: Board, after: Board) -> list[Square]:
    """Return the squares that changed, except tiles of at most 128 that were cleared."""
    return [
        (row, column)
        for row, column in differing(before, after)
        if after[row][column] or before[row][column] > LARGEST_CLEARED
    ]
