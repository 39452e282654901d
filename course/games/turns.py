"""A turn of a game, held against the rules, one idea at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
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
    script = play.script
    play.script = list(script)
    before = play.board()
    facts_before = {name: play.read(name) for name in reads}
    play.script = script
    answer = play.step(direction)
    script = list(play.script)
    after = play.board()
    turn = Turn(
        direction, before, after, answer, facts_before, {name: play.read(name) for name in reads}
    )
    play.script = script
    return turn


# What each idea of a turn reads, besides the board.
_READS = {
    "score": ("score",),
    "moves": ("moves",),
    "is_over": ("is_over",),
    "has_won": ("has_won",),
}
IDEAS = ("answer", "slide", "new tile", "illegal", "score", "moves", "is_over", "has_won", "text")


def play_by_the_rules(
    make: Make,
    start: Start,
    ideas: Sequence[str],
    turns: int,
    p_four: float = 0.1,
    seed: int = 1,
    whole: bool = False,
) -> Play:
    """A game is played in random directions, and every turn follows the rules.

    `ideas` names what is looked at, out of `IDEAS`; `turns` is how many moves are made at most.
    With `whole`, the game must come to its end by then. Returns the play; raises `GameProblem`.

    >>> from course.rules.game import Game
    >>> is_over(play_by_the_rules(Game, (2, 2), IDEAS, 500, whole=True).board())
    True
    """
    play = Play(make, start, p_four, seed)
    chance = Random(seed)
    reads = [name for idea in ideas for name in _READS.get(idea, ())]
    if "text" in ideas:
        reads += ["text", "score"]
    board = play.board()
    for _ in range(turns):
        if whole and is_over(board):
            return play
        turn = play_turn(play, chance.choice(DIRECTIONS), reads)
        for idea in ideas:
            said = turn_problem(turn, idea, p_four)
            if said is not None:
                raise play.problem(said)
        board = turn.after
    if whole:
        raise play.problem("  the game should have come to its end by now")
    return play


def turn_problem(turn: Turn, idea: str, p_four: float = 0.1) -> str | None:
    """What is wrong with a turn as far as one idea goes, or `None`."""
    wanted, got = _wanted_and_got(turn, idea, p_four)
    if same(wanted, got):
        return None
    board = f"  before    {turn.before!r}\n  after     {turn.after!r}\n"
    if idea == "text":
        return f"{board}  got       {got!r}\n  a line for each row, with its tiles, and the score"
    return f"{board}  expected  {_named(idea, wanted)}\n  got       {_named(idea, got)}"


def _wanted_and_got(turn: Turn, idea: str, p_four: float) -> tuple[Any, Any]:
    before, after, is_played = turn.facts_before, turn.facts_after, turn.is_legal
    if idea == "answer":
        return is_played, turn.answer
    if idea == "slide":
        return True, turn.has_slid or not is_played
    if idea == "new tile":
        possible = [[2]] * (p_four < 1) + [[4]] * (p_four > 0)
        fits = turn.new_tiles if turn.new_tiles in possible else possible[0]
        return (fits, turn.new_tiles) if is_played else (0, 0)
    if idea == "illegal":
        return (0, 0) if is_played else (turn.before, turn.after)
    if idea == "score":
        return _sum(before["score"], turn.gained if is_played else 0), after["score"]
    if idea == "moves":
        return _sum(before["moves"], 1 if is_played else 0), after["moves"]
    if idea == "is_over":
        return is_over(turn.after), after["is_over"]
    if idea == "has_won":
        return has_won(turn.after), after["has_won"]
    text = after["text"]
    return text, text if shows(text, turn.after, after["score"]) else repr(text)


def _sum(before: Any, more: int) -> Any:
    return before + more if type(before) is int else "a number"


def _named(idea: str, value: Any) -> str:
    names = {
        "answer": f"move gives {value!r}",
        "slide": "all tiles slid" if value else "other tiles than after the slide",
        "new tile": f"new tiles: {value!r}",
        "illegal": f"board {value!r}",
    }
    return names.get(idea, f"{idea} {value!r}")
