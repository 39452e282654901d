"""A play: one game of a learner's class, made, played and read, and every step written down."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from course.answers import same
from course.rules.board import Board

Make = Callable[..., Any]
Start = Board | tuple[int, int]

LONGEST_SCRIPT = 8  # lines; of a longer one, the first and the last are shown


class GameProblem(Exception):  # noqa: N818 — it is no error of the course
    """A game does not do what it should; `str()` of it is the script so far and what is wrong."""


class Play:
    """One game, played step by step. `script` holds the lines that a learner would type.

    `start` is a board, or (height, width) for the board that the game makes itself, or `None` for
    a game made without any arguments. Raises `GameProblem` wherever the game raises an error.

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

    game: Any

    def __init__(self, make: Make, start: Start | None, p_four: float = 0.1, seed: int = 1) -> None:
        if start is None:
            self.script = ["game = Game()"]
            self.game = self.ask(make)
            return
        height, width = start if isinstance(start, tuple) else (len(start), len(start[0]))
        chance = "" if p_four == 0.1 else f", {p_four}"
        self.script = [f"game = Game({height}, {width}, rng{chance})"]
        self.game = self.ask(lambda: make(height, width, Random(seed), p_four))
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

    def state(self) -> dict[str, Any]:
        """The board, the score and the count of moves as they are now."""
        script = list(self.script)
        state = {"board": self.board(), "score": self.read("score"), "moves": self.read("moves")}
        self.script = script
        return state

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


def tile_count(board: Board) -> int:
    """The number of squares that are not empty.

    >>> tile_count([[2, 0], [4, 0]])
    2
    """
    return sum(1 for row in board for tile in row if tile)


def _is_board(value: Any) -> bool:
    return type(value) is list and bool(value) and all(type(row) is list and row for row in value)
