"""Checks of the second chance in a class `SpecialGame`.

By the second chance, a lost game goes on: some tiles are cleared, and points are taken. The checks
compare this with the rules, and find out how the class draws random numbers for it.
"""

from course.cases import gone_tiles, is_like_before
from course.cases.rng_objects import is_drawn_again
from course.games.observed import GameProblem, Make, Observed
from course.games.rng_checks import boards_by_seed
from course.games.state_checks import KEPT, readable
from course.rules.board import Board
from course.rules.special_game import CLEARED_TILES, LARGEST_CLEARED, SECOND_CHANCE_COST

WIDE = [[512, *(2, 4, 8, 16) * 3, 256]]  # the board of a lost game, with a single row


def goes_on(make: Make, board: Board, score: int = 3000, seed: int = 1) -> None:
    """Raise `GameProblem` unless a lost game goes on by the rules.

    `board` and `score` are set from outside; then `continue_` is called. By the rules, it clears
    tiles and takes points, and changes nothing else.

    >>> from course.rules import SpecialGame
    >>> goes_on(SpecialGame, [[512, 2], [4, 256]])
    """
    observed = Observed(make, board, seed=seed)
    observed.put("score", score)
    kept = readable(observed, ["moves", *KEPT])
    observed.expect("continue_()", None, observed.step("continue_"))
    after = observed.board()
    _cleared(observed, board, after)
    observed.expect("score", score - SECOND_CHANCE_COST, observed.read("score"))
    for name, value in kept.items():
        observed.expect(name, value, observed.read(name))


def _cleared(observed: Observed, before: Board, after: Board) -> None:
    small = sum(0 < tile <= LARGEST_CLEARED for row in before for tile in row)
    gone, wanted = gone_tiles(before, (after, 0)), min(CLEARED_TILES, small)
    said = ""
    if not is_like_before(before, (after, 0)):
        said = "every square should be as it was, or empty now"
    elif len(gone) != wanted:
        said = f"{wanted} tiles should be cleared, and {len(gone)} are"
    elif max(gone, default=0) > LARGEST_CLEARED:
        said = f"a {max(gone)} is cleared, and only tiles of at most {LARGEST_CLEARED} may be"
    if said:
        shown = f"  before    {before!r}\n  after     {after!r}\n  {said}"
        raise observed.problem(shown, "game.board")


def clears_by_rng(make: Make) -> None:
    """Raise `GameProblem` unless the game's `rng` alone decides which tiles are cleared."""
    said = clearing_faults(make)
    if said:
        raise GameProblem(said[0])


def clearing_faults(make: Make) -> list[str]:
    """Return a list of sentences on how `continue_` uses random numbers wrongly; it may be empty.

    >>> from course.rules import SpecialGame
    >>> clearing_faults(SpecialGame)
    []
    """
    boards, again, reset, only_reset = (
        [game[-1] for game in boards_by_seed(make, WIDE, steps)]
        for steps in (["continue_"], ["continue_"], ["continue_", "reset"], ["reset"])
    )
    faults = {
        "two lost games with equal rng, such as Random(1), must go on with equal boards": (
            boards == again
        ),
        "lost games with different rng must not all go on with the same board": any(
            board != boards[0] for board in boards
        ),
        "what a second chance draws from rng must be used up by it": not is_drawn_again(
            reset, only_reset
        ),
    }
    return [sentence for sentence, holds in faults.items() if not holds]


def keeps_chances_apart(make: Make) -> None:
    """Raise `GameProblem` if a game that takes its second chance uses up that of another game."""
    first, second = (Observed(make, WIDE, seed=seed).begun() for seed in (1, 2))
    first.step("continue_")
    if second.read("can_continue") is not True:
        said = "  another game has gone on, and now this one has no second chance"
        raise second.problem(said, "game.can_continue")
