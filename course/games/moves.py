"""One move of a game, compared with the rules, one idea at a time."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from course.answers import same
from course.games.observed import Make, Observed, Start
from course.games.text import shows
from course.rules.board import DIRECTIONS, Board, is_legal, slide, slide_points
from course.rules.over import has_won, is_over

TILES_AT_START = 2


@dataclass(frozen=True)
class Move:
    """One move: the boards before and after, what `move` gave, and the facts before and after.

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

    @property
    def is_legal(self) -> bool:
        """True if the rules allow the move."""
        return is_legal(self.before, self.direction)

    @property
    def slid(self) -> Board:
        """The board after the slide, before a tile is spawned."""
        return slide(self.before, self.direction)

    @property
    def has_slid(self) -> bool:
        """True if every tile of the slid board is still in its place after the move."""
        return [len(row) for row in self.after] == [len(row) for row in self.slid] and all(
            tile in (0, now)
            for row, squares in zip(self.slid, self.after, strict=True)
            for tile, now in zip(row, squares, strict=True)
        )

    @property
    def new_tiles(self) -> list[int]:
        """The tiles on the board that did not come there by the slide, the smallest first."""
        new = Counter(tile for row in self.after for tile in row if tile)
        new.subtract(tile for row in self.slid for tile in row if tile)
        return sorted(new.elements())

    @property
    def gained(self) -> int:
        """The points that the rules give for the slide."""
        return slide_points(self.before, self.direction)


def observed_moves(
    observed: Observed, directions: Sequence[str], reads: Sequence[str] = ()
) -> Iterator[Move]:
    """Play moves, and yield each of them with the named facts before and after it."""
    played = observed.play(directions, reads, at_first=True)
    _, before, facts_before = next(played)
    for direction, (answer, after, facts) in zip(directions, played, strict=True):
        yield Move(direction, before, after, answer, facts_before, facts)
        before, facts_before = after, facts


def play_by_the_rules(
    make: Make,
    start: Start,
    ideas: Sequence[str],
    turns: int,
    seed: int = 1,
    whole: bool = False,
    steps: Sequence[Any] = (),
) -> Observed:
    """Play a game in random directions; raise `GameProblem` if a move breaks the rules.

    `ideas` names what is looked at, out of `IDEAS`; `turns` is how many moves are made at most;
    `steps` are made before. With `whole`, the game must come to its end by then, and not before its
    first move. Returns the observed game.

    >>> from course.rules.game import Game
    >>> is_over(play_by_the_rules(Game, (2, 2), list(IDEAS), 500, whole=True).board())
    True
    """
    observed = Observed(make, start, seed=seed)
    list(observed.take(steps))
    chance = Random(seed)
    reads = {name for idea in ideas for name in IDEAS[idea].reads}
    if whole and is_over(board := observed.board()):
        if len(board) * len(board[0]) <= TILES_AT_START:
            return observed
        raise observed.problem("  the game should not be over before its first move", "game.board")
    directions = [chance.choice(DIRECTIONS) for _ in range(turns)]
    for move in observed_moves(observed, directions, sorted(reads)):
        for idea in ideas:
            said = move_problem(move, idea)
            if said is not None:
                raise observed.problem(said)
        if whole and is_over(move.after):
            return observed
    if whole:
        raise observed.problem("  the game should have come to its end by now")
    return observed


def move_problem(move: Move, idea: str) -> str | None:
    """Return a text on what is wrong with a move as far as one idea of `IDEAS` goes, or `None`."""
    wanted, got = IDEAS[idea].wanted_and_got(move)
    if same(wanted, got):
        return None
    lines = [("before", move.before), ("after", move.after)]
    lines += [(f"expected {idea}", wanted), (f"got {idea}", got)]
    size = max(len(name) for name, _ in lines)
    return "\n".join(f"  {name.ljust(size)}  {value!r}" for name, value in lines)


@dataclass(frozen=True)
class Idea:
    """One idea of a move: the value that the rules want, and the one that the game shows.

    `reads` names the facts that it needs, besides the board.
    """

    wanted_and_got: Callable[[Move], tuple[Any, Any]]
    reads: tuple[str, ...] = ()


def _of_the_tiles(move: Move) -> tuple[Any, Any]:
    in_place = move.has_slid or not move.is_legal
    return "all tiles slid", "all tiles slid" if in_place else "other tiles"


def _of_the_new_tile(move: Move) -> tuple[Any, Any]:
    if not move.is_legal or move.new_tiles in ([2], [4]):
        return None, None
    return "one 2 or 4", move.new_tiles


def _of_an_illegal_move(move: Move) -> tuple[Any, Any]:
    return (None, None) if move.is_legal else (move.before, move.after)


def _of_a_sum(name: str, move: Move) -> tuple[Any, Any]:
    before, after = move.facts_before[name], move.facts_after[name]
    more = move.gained if name == "score" else 1
    if type(before) is not int:
        return "a whole number", before
    return before + (more if move.is_legal else 0), after


def _of_the_text(move: Move) -> tuple[Any, Any]:
    text, score = move.facts_after["text"], move.facts_after["score"]
    wanted = f"a line for each row, with its tiles, and below them the score {score}"
    return (wanted, wanted) if shows(text, move.after, score) else (wanted, text)


IDEAS = {
    "answer": Idea(lambda move: (move.is_legal, move.answer)),
    "slide": Idea(_of_the_tiles),
    "new tile": Idea(_of_the_new_tile),
    "illegal": Idea(_of_an_illegal_move),
    "score": Idea(partial(_of_a_sum, "score"), ("score",)),
    "moves": Idea(partial(_of_a_sum, "moves"), ("moves",)),
    "is_over": Idea(lambda move: (is_over(move.after), move.facts_after["is_over"]), ("is_over",)),
    "has_won": Idea(lambda move: (has_won(move.after), move.facts_after["has_won"]), ("has_won",)),
    "text": Idea(_of_the_text, ("text", "score")),
}
