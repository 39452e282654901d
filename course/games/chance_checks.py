"""Checks of how a class of games uses chance, and of the second chance in a class `SpecialGame`.

All random numbers must be drawn from `rng`. To test this, eight games, each with a seed of its own,
are played twice. If a game draws its numbers elsewhere, it is the same both times in less than one
case of 18. The probability that all eight games are the same both times is below 10⁻⁹.
"""

from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any

from course.cases import gone_tiles, is_like_before
from course.cases.rng_objects import is_drawn_again, random_near
from course.function_calls import Tested
from course.games.observed_game import GameProblem, Observed, Start, begin_together, lines_of
from course.games.state_checks import KEPT, hold, readable
from course.rules.board import DIRECTIONS, Board
from course.rules.special_game import CLEARED_TILES, LARGEST_CLEARED, SECOND_CHANCE_COST

AGAIN = range(8)  # seeds
MANY = 5  # kinds of first boards; with more, eight games have not all the same by chance
ONE_TILE = [[0, 0, 0, 8], *([0] * 4 for _ in range(3))]
HIDDEN: tuple[dict[str, Any], ...] = ({}, {"chance": None})  # facts if `rng` is no `Random`
WIDE = [[512, *(2, 4, 8, 16) * 3, 256]]  # the board of a lost game, with a single row


def uses_chance(make: Tested, moves: Sequence[str] = DIRECTIONS * 2) -> None:
    """Raise `GameProblem` with the first of the `chance_faults` of a class, if it has any."""
    for said in chance_faults(make, moves):
        raise GameProblem(said)


def chance_faults(make: Tested, moves: Sequence[str] = DIRECTIONS * 2) -> list[str]:
    """Return sentences on how a class of games uses chance wrongly, found by playing `moves`.

    All chance must come from the `rng` of a game. A game that is made without `rng` must have a new
    `Random` of its own.
    """
    games, again = (boards_by_seed(make, (4, 4), [None, *moves]) for _ in range(2))
    starts = (None, None, None, *[(4, 4)] * 5)
    fresh = [Observed(make, start, seed=None) for start in starts]
    begin_together((game, lines_of([], at_last=["chance"])) for game in fresh)
    # The next number of `rng` must differ, and the first board must depend on the numbers that are
    # drawn. The first boards must differ, too, if there are so many that all of these games never
    # have the same one by chance: some games have few, because they ignore a part of `rng`.
    seen: list[Any] = [readable(game, ["chance"]) for game in fresh]
    if seen[0] in HIDDEN:
        seen = [game.board() for game in fresh]
    rngs = [deepcopy(random_near(share)) for share in (0.05, 0.45, 0.95)]
    drawn = [Observed(make, (4, 4), seed=rng).board() for rng in rngs]
    another = all(any(each != some[0] for each in some) for some in (seen, drawn))
    if len({str(boards[0]) for boards in games}) > MANY:
        first = _boards([Observed(make, start, seed=None) for start in starts], [None])
        another = another and any(boards != first[0] for boards in first)
    has_own = _own_random(make, moves)
    with_one_rng = []
    for rng in map(Random, AGAIN):
        with_one_rng.append([Observed(make, (4, 4), seed=rng).board() for _ in range(2)])
    steps = ["left", {"board": ONE_TILE}, "left"]
    moved_twice = boards_by_seed(make, ONE_TILE, steps) if moves else []
    faults = {
        "two games with equal rng, such as Random(1), must be equal": games == again,
        "games with different rng must not all be equal": any(game != games[0] for game in games),
        "Game() without rng must be another game each time": another,
        "Game() without rng must have a Random of its own": has_own,
        "two games that get one rng, one after the other, must not always be equal": not (
            _is_last_like_first(with_one_rng)
        ),
        "two equal moves of one game must not always bring the same new tile": not (
            _is_last_like_first(moved_twice)
        ),
    }
    return [sentence for sentence, holds in faults.items() if not holds]


def restart_faults(make: Tested) -> list[str]:
    """Return a list with a sentence on how `reset` uses chance wrongly, or an empty list."""
    games, again = (boards_by_seed(make, (4, 4), ["reset", "reset"]) for _ in range(2))
    if _is_last_like_first(games):
        return ["game.reset() must not always bring the same first tiles"]
    if games != again:
        return ["two games with equal rng, such as Random(1), must be equal after reset"]
    return []


def _is_last_like_first(games: list[list[Board]]) -> bool:
    """Return true if in each game the last board equals the first, although the games differ.

    If the result is true, each last board was made with the same random numbers as the first one.
    """
    return is_drawn_again([boards[0] for boards in games], [boards[-1] for boards in games])


def _own_random(make: Tested, moves: Sequence[str]) -> bool:
    """Return true if a second game, when made and played, does not change the `rng` of the first.

    Return true, too, if the first game has no attribute `rng`, or no `Random` there.
    """
    first = Observed(make, None)
    before = readable(first, ["chance"])
    second = Observed(make, None).begun()
    # Each move starts from a fixed board, because a move from a random board may raise an error.
    list(second.take([step for way in moves for step in ({"board": ONE_TILE}, way)]))
    return before in HIDDEN or before == readable(first, ["chance"])


def boards_by_seed(make: Tested, start: Start, steps: Sequence[Any]) -> list[list[Board]]:
    """Play a game for each seed in `AGAIN`; return the boards of each game, one after each step."""
    return _boards([Observed(make, start, seed=seed) for seed in AGAIN], steps)


def _boards(games: Sequence[Observed], steps: Sequence[Any]) -> list[list[Board]]:
    """Take the same steps in all games; return the boards of each game, one after each step."""
    begin_together((game, lines_of(steps, after_each=["board"])) for game in games)
    return [[board for _, board, _ in game.play(steps)] for game in games]


def goes_on(make: Tested, board: Board, score: int = 3000) -> None:
    """Raise `GameProblem` unless `continue_` works by the rules in a lost game with this board.

    It must clear small tiles, take points from `score`, and change nothing else.

    >>> from course.rules import SpecialGame
    >>> goes_on(SpecialGame, [[512, 2], [4, 256]])
    """
    observed = Observed(make, board)
    observed.put("score", score)
    kept = readable(observed, ["moves", *KEPT])
    observed.expect("continue_()", None, observed.step("continue_"))
    after = observed.board()
    small = sum(0 < tile <= LARGEST_CLEARED for row in board for tile in row)
    gone, wanted = gone_tiles(board, (after, 0)), min(CLEARED_TILES, small)
    said = ""
    if not is_like_before(board, (after, 0)):
        said = "every square should be as it was, or empty now"
    elif len(gone) != wanted:
        said = f"{wanted} tiles should be cleared, and {len(gone)} are"
    elif max(gone, default=0) > LARGEST_CLEARED:
        said = f"a {max(gone)} is cleared, and only tiles of at most {LARGEST_CLEARED} may be"
    if said:
        shown = f"  before    {board!r}\n  after     {after!r}\n  {said}"
        raise observed.problem(shown, "game.board")
    observed.expect("score", score - SECOND_CHANCE_COST, observed.read("score"))
    hold(observed, kept)


def clears_by_rng(make: Tested) -> None:
    """Raise `GameProblem` unless the game's `rng` alone decides which tiles `continue_` clears."""
    for said in clearing_faults(make):
        raise GameProblem(said)


def clearing_faults(make: Tested) -> list[str]:
    """Return sentences on how `continue_` uses random numbers wrongly; none if it is right."""
    played, again = (boards_by_seed(make, WIDE, ["continue_", *DIRECTIONS]) for _ in range(2))
    boards = [game[0] for game in played]
    reset, only_reset = (
        [game[-1] for game in boards_by_seed(make, WIDE, steps)]
        for steps in (["continue_", "reset"], ["reset"])
    )
    faults = {
        "two lost games with equal rng, such as Random(1), must go on with equal boards": (
            played == again
        ),
        "lost games with different rng must not all go on with the same board": any(
            board != boards[0] for board in boards
        ),
        "what a second chance draws from rng must be used up by it": not is_drawn_again(
            reset, only_reset
        ),
    }
    return [sentence for sentence, holds in faults.items() if not holds]


def keeps_chances_apart(make: Tested) -> None:
    """Raise `GameProblem` if a game loses its second chance when another game takes one."""
    first, second = (Observed(make, WIDE, seed=seed).begun() for seed in (1, 2))
    first.step("continue_")
    if second.read("can_continue") is not True:
        said = "  another game has gone on, and now this one has no second chance"
        raise second.problem(said, "game.can_continue")
