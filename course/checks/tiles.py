"""The new tiles of a whole game under test: many are counted, and held to what chance allows.

Three questions, each asked of the first tiles, of those after a reset, and of those of a turn. In
one game: does every square get its share, and every row and column its share of the 2s and of the
4s? So no square is left out, and the tile says nothing about the place. From game to game: are the
first ones not all alike? So a game does not count, or begin its chance again, where it should draw.
And without `p_four`: is a tenth of the tiles a 4?

Never unfair: the counts are held to `course.checks.chance.bounds`. The checks of the lesson hold
less than 100 counts against two bounds each, so the probability that a right game fails one of
them is below 200 × `RISK`, which is below 1 in 100,000. Two tiles on one board never share a
square; that brings the counts closer to their mean than they would be otherwise, never further.
"""

from collections.abc import Sequence
from typing import NamedTuple

from course.checks.chance import FOURS, bounds
from course.games import GameProblem, Make, Observed
from course.rules.board import Board
from course.rules.spawn import empty_cells

BEFORE = [[0, 0, 8], [0, 0, 0], [0, 0, 0]]
AFTER = [[8, 0, 0], [0, 0, 0], [0, 0, 0]]  # slid to the left
TURNS = 200  # one tile each, on eight squares
STARTS = 200  # two tiles each, on sixteen squares
GAMES = 40  # enough that fair coins do not all fall alike


class NewTile(NamedTuple):
    """A tile that was spawned, and where."""

    row: int
    column: int
    tile: int


def first_tiles_come_anywhere(make: Make) -> None:
    """The first tiles of many games come by chance; raises `GameProblem` if they do not.

    >>> from course.rules.game import Game
    >>> first_tiles_come_anywhere(Game)
    """
    boards = [Observed(make, (4, 4), 0.5, seed).board() for seed in range(STARTS)]
    _hold_shares("of the first tiles", boards, [[0] * 4] * 4)


def tiles_after_reset_come_anywhere(make: Make) -> None:
    """A reset draws new tiles from the game's rng; raises `GameProblem` if it does not.

    >>> from course.rules.game import Game
    >>> tiles_after_reset_come_anywhere(Game)
    """
    observed = Observed(make, (4, 4), 0.5)
    boards = [_reset(observed) for _ in range(STARTS)]
    _hold_shares("of the tiles after game.reset()", boards, [[0] * 4] * 4)
    fours = [new.tile == 4 for new in _new_tiles(boards)]
    _hold("with p_four=0.5, after game.reset()", "are 4s", fours, 0.5)
    firsts = [_reset(Observed(make, (4, 4), 0.5, seed)) for seed in range(GAMES)]
    _hold_apart("game.reset()", firsts)
    if firsts[1] != boards[0]:
        raise GameProblem("two games with equal rng, such as Random(1), must be equal after reset")


def tiles_of_turns_come_anywhere(make: Make) -> None:
    """The new tiles of turns come by chance; raises `GameProblem` if they do not.

    >>> from course.rules.game import Game
    >>> tiles_of_turns_come_anywhere(Game)
    """
    observed = Observed(make, (3, 3), 0.5)
    boards = [_turn(observed) for _ in range(TURNS)]
    _hold_shares(f"of the tiles after game.move('left') on {BEFORE}", boards, AFTER)
    firsts = [_turn(Observed(make, (3, 3), 0.5, seed)) for seed in range(GAMES)]
    _hold_apart("game.move('left')", firsts)


def a_tenth_is_four(make: Make, what: str = "start") -> None:
    """Without `p_four`, a game does what it does with `p_four=0.1`; raises `GameProblem` if not.

    So a tenth of the new tiles are 4s. `what` is where they come from: `"start"`, `"reset"` or
    `"move"`. A game that is never the same twice is another idea; of it, the 4s are counted.

    >>> from course.rules.game import Game
    >>> a_tenth_is_four(Game, "move")
    """
    boards, again, told = (_many(make, what, p_four) for p_four in (None, None, 0.1))
    if boards == again != told:
        raise GameProblem("without p_four, the new tiles are others than with p_four=0.1")
    _hold("without p_four,", "are 4s", [new.tile == 4 for new in _new_tiles(boards)], 0.1)


def _many(make: Make, what: str, p_four: float | None) -> list[Board]:
    """Boards with `FOURS` new tiles in all: of many games, or of one game again and again."""
    if what == "start":
        return [Observed(make, (4, 4), p_four, seed).board() for seed in range(FOURS // 2)]
    if what == "reset":
        observed = Observed(make, (4, 4), p_four)
        return [_reset(observed) for _ in range(FOURS // 2)]
    observed = Observed(make, (3, 3), p_four)
    return [_turn(observed) for _ in range(FOURS)]


def _reset(observed: Observed) -> Board:
    observed.step("reset")
    return observed.board()


def _turn(observed: Observed) -> Board:
    observed.put("board", BEFORE)
    observed.step("left")
    return observed.board()


def _new_tiles(boards: Sequence[Board]) -> list[NewTile]:
    """All 2s and 4s of some boards; `GameProblem` if there are hardly any."""
    tiles = [
        NewTile(row, column, tile)
        for board in boards
        for row, squares in enumerate(board)
        for column, tile in enumerate(squares)
        if tile in (2, 4)
    ]
    if len(tiles) < len(boards) // 4:
        raise GameProblem(f"{len(boards)} times a tile should be new; only {len(tiles)} were")
    return tiles


def _hold_shares(what: str, boards: Sequence[Board], before: Board) -> None:
    """Every empty square has its share of the tiles, each row and column that of 2s and of 4s."""
    tiles, empty = _new_tiles(boards), empty_cells(before)
    where = f"with p_four=0.5, {what}"
    for cell in empty:
        hits = [new[:2] == cell for new in tiles]
        _hold(where, f"come to row {cell[0]}, column {cell[1]}", hits, 1 / len(empty))
    for value in (2, 4):
        same = [new for new in tiles if new.tile == value]
        for axis, name in enumerate(("row", "column")):
            for line in sorted({cell[axis] for cell in empty}):
                hits = [new[axis] == line for new in same]
                share = sum(cell[axis] == line for cell in empty) / len(empty)
                _hold(f"{where} that are {value}s", f"come to {name} {line}", hits, share)


def _hold(where: str, what: str, hits: Sequence[bool], share: float) -> None:
    """As many of some tiles do as chance allows, where each does with probability `share`."""
    low, high = bounds(len(hits), share)
    if not low <= sum(hits) <= high:
        raise GameProblem(
            f"{where} {sum(hits)} of {len(hits)} tiles {what}, where {low} to {high} should"
        )


def _hold_apart(what: str, boards: Sequence[Board]) -> None:
    """The first tiles are not at the same place in every game, and not of the same value."""
    tiles = [_new_tiles([board]) for board in boards]
    places = {tuple(new[:2] for new in found) for found in tiles}
    values = {tuple(new.tile for new in found) for found in tiles}
    if len(places) == 1 or len(values) == 1:
        raise GameProblem(f"{what} gives the same new tiles in every game, whatever its rng")
