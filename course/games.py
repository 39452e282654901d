"""A game under test: what is done with it is written down, and each turn is held against the rules.

Works with any class `Game`, the learner's own or one that is reached from another process: it is
only made, played, and read; its board is set as a whole.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from course.answers import same
from course.rules.board import DIRECTIONS, QUARTER_TURNS, Board, is_legal, rotate, slide
from course.rules.line import points
from course.rules.over import has_won, is_over

Make = Callable[..., Any]
Start = Board | tuple[int, int]

LONGEST_SCRIPT = 8  # lines; of a longer one, the first and the last are shown


class GameProblem(Exception):  # noqa: N818 — it is no error of the course
    """A game does not do what it should; `str()` of it is the script so far and what is wrong."""


class Play:
    """One game, played step by step. `script` holds the lines that a learner would type.

    `start` is a board, or (height, width) for the board that the game makes itself. Raises
    `GameProblem` wherever the game raises an error.

    >>> from course.rules.game import Game
    >>> play = Play(Game, [[2, 2]])
    >>> play.step("left"), play.read("score")
    (True, 4)
    >>> print("\\n".join(play.script))
    game = Game(1, 2, rng)
    game.board = [[2, 2]]
    game.move('left')
    game.score
    """

    def __init__(self, make: Make, start: Start, p_four: float = 0.1, seed: int = 1) -> None:
        height, width = start if isinstance(start, tuple) else (len(start), len(start[0]))
        chance = "" if p_four == 0.1 else f", {p_four}"
        self.script = [f"game = Game({height}, {width}, rng{chance})"]
        self.p_four = p_four
        self.game: Any = self.ask(lambda: make(height, width, Random(seed), p_four))
        if not isinstance(start, tuple):
            self.script.append(f"game.board = {start}")
            self.ask(lambda: setattr(self.game, "board", deepcopy(start)))

    def step(self, step: Any) -> Any:
        """A move is made, or the game is `"reset"`; returns what the method gave."""
        if step == "reset":
            self.script.append("game.reset()")
            return self.ask(lambda: self.game.reset())
        self.script.append(f"game.move({step!r})")
        return self.ask(lambda: self.game.move(step))

    def read(self, name: str) -> Any:
        """A fact about the game as it is now: an attribute, its `"text"`, or its board's `"tiles"`.

        `"shape"` is (height, width) of the board.
        """
        if name == "text":
            self.script.append("str(game)")
            return self.ask(lambda: str(self.game))
        if name in ("tiles", "shape"):
            board = self.board()
            return tile_count(board) if name == "tiles" else (len(board), len(board[0]))
        self.script.append(f"game.{name}")
        value = self.ask(lambda: getattr(self.game, name))
        return deepcopy(value) if type(value) is list else value

    def board(self) -> Board:
        """The board as it is now; `GameProblem` if it is none."""
        board: Board = self.read("board")
        if not _is_board(board):
            raise self.problem(f"  got       {board!r}\n  a board is a list of rows")
        return board

    def ask(self, question: Callable[[], Any]) -> Any:
        """What the game answers; an error of it becomes `GameProblem`."""
        try:
            return question()
        except Exception as error:
            message = f": {error}" if str(error) else ""
            problem = self.problem(f"  got       {type(error).__name__}{message}")
            raise problem from error

    def problem(self, said: str) -> GameProblem:
        """What is wrong, below the script that leads there."""
        script = self.script
        if len(script) > LONGEST_SCRIPT:
            script = [*script[:2], "…", *script[-2:]]
        return GameProblem("\n".join([*script, said]))


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


def facts_hold(
    make: Make, start: Start, steps: Sequence[Any], p_four: float, facts: dict[str, Any]
) -> None:
    """A game shows these facts after these steps; raises `GameProblem` if it does not.

    `facts` are names and values as `Play.read` gives them; `answers` is the list of what the steps
    gave, an error among them by its type.
    """
    play = Play(make, start, p_four)
    answers = [_answer(play, step, facts.get("answers", ())) for step in steps]
    for name, wanted in facts.items():
        script = list(play.script)
        got = answers if name == "answers" else play.read(name)
        if not same(wanted, got):
            what = f"  {name}\n" if name in ("answers", "tiles", "shape") else ""
            raise play.problem(f"{what}  expected  {wanted!r}\n  got       {got!r}")
        play.script = script


def _answer(play: Play, step: Any, wanted: Sequence[Any]) -> Any:
    """What a step gave; an error that is wanted is an answer, too."""
    try:
        return play.step(step)
    except GameProblem as problem:
        if type(problem.__cause__) in wanted:
            return type(problem.__cause__)
        raise


def shows(text: Any, board: Board, score: int) -> bool:
    """Whether a text has a line for each row of a board, in order, and the score on another line.

    On the line of a row stand its tiles, no other number, and no letters; empty squares may look
    like 0, or like anything without digits.

    >>> shows("2 . 4\\n. . 8\\nScore: 12", [[2, 0, 4], [0, 0, 8]], 12)
    True
    >>> shows("[[2, 0, 4], [0, 0, 8]] 12", [[2, 0, 4], [0, 0, 8]], 12)
    False
    """
    if type(text) is not str:
        return False
    lines, others = text.splitlines(), []
    for row in board:
        tiles = [tile for tile in row if tile]
        while lines and not _is_row(lines[0], tiles):
            others.append(lines.pop(0))
        if not lines:
            return False
        lines.pop(0)
    return any(score in _numbers(line) for line in others + lines)


def _is_row(line: str, tiles: list[int]) -> bool:
    has_letters = any(character.isalpha() for character in line)
    return not has_letters and [number for number in _numbers(line) if number] == tiles


def _numbers(line: str) -> list[int]:
    return [int(digits) for digits in re.findall("[0-9]+", line)]


def tile_count(board: Board) -> int:
    """The number of squares that are not empty.

    >>> tile_count([[2, 0], [4, 0]])
    2
    """
    return sum(1 for row in board for tile in row if tile)


def _is_board(value: Any) -> bool:
    return type(value) is list and bool(value) and all(type(row) is list and row for row in value)
