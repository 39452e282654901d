"""Moves of a learner's game, compared with the rules, one idea (such as the score) at a time."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat, tee
from random import Random
from typing import Any

from course.answer_comparison import same
from course.function_calls import Tested
from course.games.observed_game import AT_ONCE, Observed, Start, begin_together, lines_of
from course.games.state_checks import shows
from course.rules.board import DIRECTIONS, Board, slide, slide_points
from course.rules.over import has_won, is_over

TILES_AT_START = 2
OF_THE_BOARD = ("slide", "new tile", "illegal")  # ideas whose failures show the wanted board

# The ideas: what a move must get right, each with the facts that are read for it besides the board.
IDEAS: dict[str, tuple[str, ...]] = {
    "answer": (),
    **dict.fromkeys(OF_THE_BOARD, ()),
    "score": ("score",),
    "moves": ("moves",),
    "is_over": ("is_over",),
    "has_won": ("has_won",),
    "text": ("text", "score"),
}


@dataclass(frozen=True)
class Move:
    """One move: what `game.move` returned, and the board and facts (score, …) before and after it.

    >>> move = Move("left", [[2, 2]], [[4, 2]], True, {"score": 0}, {"score": 4})
    >>> move.slid, move.new_tiles, move.gained
    ([[4, 0]], [2], 4)
    """

    direction: str
    before: Board
    after: Board
    answer: Any
    facts_before: dict[str, Any]
    facts_after: dict[str, Any]

    @cached_property
    def is_legal(self) -> bool:
        """True if the rules allow the move."""
        return self.slid != self.before

    @cached_property
    def slid(self) -> Board:
        """The board after the slide by the rules, before a tile is spawned."""
        return slide(self.before, self.direction)

    @property
    def has_slid(self) -> bool:
        """True if each tile is where the rules slide it, whatever is on the other squares."""
        return [len(row) for row in self.after] == [len(row) for row in self.slid] and all(
            tile in (0, now)
            for row, squares in zip(self.slid, self.after, strict=True)
            for tile, now in zip(row, squares, strict=True)
        )

    @cached_property
    def new_tiles(self) -> list[int]:
        """The tiles of `after` that are not among the tiles of `slid`, the smallest first."""
        new = Counter(tile for row in self.after for tile in row if tile)
        new.subtract(tile for row in self.slid for tile in row if tile)
        return sorted(new.elements())

    @property
    def gained(self) -> int:
        """The points that the rules give for the slide."""
        return slide_points(self.before, self.direction)


def observed_moves(
    observed: Observed, directions: Iterable[str], reads: Sequence[str] = ()
) -> Iterator[Move]:
    """Play moves, and yield a `Move` for each, with the facts `reads` before and after it."""
    directions, asked = tee(directions)
    played = observed.play(asked, reads, at_first=True)
    _, before, facts_before = next(played)
    for direction, (answer, after, facts) in zip(directions, played, strict=True):
        yield Move(direction, before, after, answer, facts_before, facts)
        before, facts_before = after, facts


def play_by_the_rules(
    make: Tested,
    starts: Iterable[Start],
    ideas: Sequence[str],
    turns: int,
    whole: bool = False,
    steps: Sequence[Any] = (),
) -> list[Observed]:
    """Play games in random directions; raise `GameProblem` if a move breaks the rules.

    From each of `starts`, one game with a seed of its own is played: first `steps`, then at most
    `turns` moves. Each move is compared with the rules in `ideas`, keys of `IDEAS`. With `whole`,
    each game must come to its end within `turns` moves; it may be over before its first move only
    on a board of one or two squares. Return the observed games.
    """
    reads = sorted({name for idea in ideas for name in IDEAS[idea]})
    games = [Observed(make, start, seed=seed) for seed, start in enumerate(starts)]
    if turns < AT_ONCE and not whole and not steps:
        facts = ["board", *reads]
        begin_together(
            (game, lines_of([None, *_directions(seed, turns)], after_each=facts))
            for seed, game in enumerate(games)
        )
    for seed, game in enumerate(games):
        if steps:
            list(game.take(steps))
        if whole and is_over(board := game.board()):
            if len(board) * len(board[0]) <= TILES_AT_START:
                continue
            raise game.problem("  the game should not be over before its first move", "game.board")
        for move in observed_moves(game, _directions(seed, turns), reads):
            for idea in ideas:
                if (said := move_problem(move, idea)) is not None:
                    raise game.problem(said)
            if whole and is_over(move.after):
                break
        else:
            if whole:
                raise game.problem("  the game should have come to its end by now")
    return games


def _directions(seed: int, turns: int) -> Iterator[str]:
    return map(Random(seed).choice, repeat(DIRECTIONS, turns))


def move_problem(move: Move, idea: str) -> str | None:
    """Return a text if a move breaks the rules in `idea`, a key of `IDEAS`; else return `None`."""
    wanted, got = _wanted_and_got(move, idea)
    if same(wanted, got):
        return None
    lines = [("before", repr(move.before))]
    if idea in OF_THE_BOARD:
        of_chance = f"{move.slid!r} and one new 2 or 4"
        board = of_chance if move.is_legal else repr(move.before)
        lines += [("expected", board), ("got", repr(move.after))]
    else:
        lines += [("after", repr(move.after))]
        lines += [(f"expected {idea}", repr(wanted)), (f"got {idea}", repr(got))]
    size = max(len(name) for name, _ in lines)
    said = f"\n  the new tiles: {got}" if idea == "new tile" else ""
    return "\n".join(f"  {name.ljust(size)}  {text}" for name, text in lines) + said


def _wanted_and_got(move: Move, idea: str) -> tuple[Any, Any]:
    """Return the value that the rules want for an idea, such as `"score"`, and the game's value.

    Both are `None` if the idea does not apply to this move. For the idea of the new tile, both are
    `None`, too, if that tile is right.
    """
    facts = move.facts_after
    match idea:
        case "answer":
            return move.is_legal, move.answer
        case "slide":
            in_place = move.has_slid or not move.is_legal
            return "all tiles slid", "all tiles slid" if in_place else "other tiles"
        case "new tile" if move.is_legal and move.new_tiles not in ([2], [4]):
            return "one 2 or 4", move.new_tiles
        case "illegal" if not move.is_legal:
            return move.before, move.after
        case "score" | "moves":
            before, more = move.facts_before[idea], move.gained if idea == "score" else 1
            if type(before) is not int:
                return "a whole number", before
            return before + (more if move.is_legal else 0), facts[idea]
        case "is_over":
            return is_over(move.after), facts[idea]
        case "has_won":
            return has_won(move.after), facts[idea]
        case "text":
            text, score = facts["text"], facts["score"]
            wanted = f"a line for each row, with its tiles, and below them the score {score}"
            return wanted, wanted if shows(text, move.after, score) else text
    return None, None
