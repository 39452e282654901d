"""A turn of a game, held against the rules, one idea at a time."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from course.answers import same
from course.games.play import Make, Play, Start
from course.games.text import shows
from course.rules.board import DIRECTIONS, QUARTER_TURNS, Board, is_legal, rotate, slide
from course.rules.line import points
from course.rules.over import has_won, is_over


@dataclass(frozen=True)
class Turn:
    """What one move did: the boards before and after, what `move` gave, and facts before and after.

    >>> turn = Turn("left", [[2, 2]], [[4, 2]], True, {"score": 0}, {"score": 4})
    >>> turn.slid, turn.new_tiles, turn.gained
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
        """Whether the rules allow the move."""
        return is_legal(self.before, self.direction)

    @property
    def slid(self) -> Board:
        """The board after the slide, before a tile is spawned."""
        return slide(self.before, self.direction)

    @property
    def has_slid(self) -> bool:
        """Whether every tile of the slid board is where it belongs."""
        return [len(row) for row in self.after] == [len(row) for row in self.slid] and all(
            tile in (0, now)
            for row, squares in zip(self.slid, self.after, strict=True)
            for tile, now in zip(row, squares, strict=True)
        )

    @property
    def new_tiles(self) -> list[int]:
        """The tiles that are on the board and did not come there by the slide."""
        new = Counter(tile for row in self.after for tile in row if tile)
        new.subtract(tile for row in self.slid for tile in row if tile)
        return sorted(new.elements())

    @property
    def gained(self) -> int:
        """The points that the rules give for the slide."""
        lines = self.before
        for _ in range(QUARTER_TURNS[self.direction]):
            lines = rotate(lines)
        return sum(points(line) for line in lines)


def play_turn(play: Play, direction: str, reads: Sequence[str] = ()) -> Turn:
    """One move is played, and the facts that are named are read before and after it."""
    before, facts_before = play.board(), play.facts(reads)
    answer = play.step(direction)
    after, facts_after = play.board(), play.facts(reads)
    return Turn(direction, before, after, answer, facts_before, facts_after)


def play_by_the_rules(
    make: Make,
    start: Start,
    ideas: Sequence[str],
    turns: int,
    seed: int = 1,
    whole: bool = False,
) -> Play:
    """A game is played in random directions, and every turn follows the rules.

    `ideas` names what is looked at, out of `IDEAS`; `turns` is how many moves are made at most.
    With `whole`, the game must come to its end by then. Returns the play; raises `GameProblem`.

    >>> from course.rules.game import Game
    >>> is_over(play_by_the_rules(Game, (2, 2), list(IDEAS), 500, whole=True).board())
    True
    """
    play = Play(make, start, seed=seed)
    chance = Random(seed)
    reads = {name for idea in ideas for name in IDEAS[idea].reads}
    board = play.board()
    for _ in range(turns):
        if whole and is_over(board):
            return play
        turn = play_turn(play, chance.choice(DIRECTIONS), sorted(reads))
        for idea in ideas:
            said = turn_problem(turn, idea)
            if said is not None:
                raise play.problem(said)
        board = turn.after
    if whole:
        raise play.problem("  the game should have come to its end by now")
    return play


def turn_problem(turn: Turn, idea: str) -> str | None:
    """What is wrong with a turn as far as one idea of `IDEAS` goes, or `None`."""
    wanted, got = IDEAS[idea].wanted_and_got(turn)
    if same(wanted, got):
        return None
    lines = [("before", turn.before), ("after", turn.after)]
    lines += [(f"expected {idea}", wanted), (f"got {idea}", got)]
    size = max(len(name) for name, _ in lines)
    return "\n".join(f"  {name.ljust(size)}  {value!r}" for name, value in lines)


@dataclass(frozen=True)
class Idea:
    """One idea of a turn: the value that the rules want, and the one that the game shows.

    `reads` are the facts that it needs, besides the board.
    """

    wanted_and_got: Callable[[Turn], tuple[Any, Any]]
    reads: tuple[str, ...] = ()


def _of_the_tiles(turn: Turn) -> tuple[Any, Any]:
    in_place = turn.has_slid or not turn.is_legal
    return "all tiles slid", "all tiles slid" if in_place else "other tiles"


def _of_the_new_tile(turn: Turn) -> tuple[Any, Any]:
    if not turn.is_legal or turn.new_tiles in ([2], [4]):
        return None, None
    return "one 2 or 4", turn.new_tiles


def _of_an_illegal_move(turn: Turn) -> tuple[Any, Any]:
    return (None, None) if turn.is_legal else (turn.before, turn.after)


def _of_a_sum(name: str, turn: Turn) -> tuple[Any, Any]:
    before, after = turn.facts_before[name], turn.facts_after[name]
    more = turn.gained if name == "score" else 1
    if type(before) is not int:
        return "a whole number", before
    return before + (more if turn.is_legal else 0), after


def _of_the_text(turn: Turn) -> tuple[Any, Any]:
    text, score = turn.facts_after["text"], turn.facts_after["score"]
    wanted = f"a line for each row, with its tiles, and below them the score {score}"
    return (wanted, wanted) if shows(text, turn.after, score) else (wanted, text)


IDEAS = {
    "answer": Idea(lambda turn: (turn.is_legal, turn.answer)),
    "slide": Idea(_of_the_tiles),
    "new tile": Idea(_of_the_new_tile),
    "illegal": Idea(_of_an_illegal_move),
    "score": Idea(partial(_of_a_sum, "score"), ("score",)),
    "moves": Idea(partial(_of_a_sum, "moves"), ("moves",)),
    "is_over": Idea(lambda turn: (is_over(turn.after), turn.facts_after["is_over"]), ("is_over",)),
    "has_won": Idea(lambda turn: (has_won(turn.after), turn.facts_after["has_won"]), ("has_won",)),
    "text": Idea(_of_the_text, ("text", "score")),
}
