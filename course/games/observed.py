"""An observed game: one of a learner's class, made, played and read, every step written down."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import partial
from random import Random
from typing import Any

from course.answers import (
    attributes_at_once,
    call_method,
    error_text,
    has_no_text,
    lacks,
    lacks_text,
    same,
)
from course.rules.board import Board
from course.rules.shape import is_board

Make = Callable[..., Any]
Start = Board | tuple[int, int]

LONGEST_SCRIPT = 8  # lines; of a longer one, the first and the last are shown


class GameProblem(Exception):  # noqa: N818 — it is no error of the course
    """A game does not do what it should; `str()` of it is the script so far and what is wrong.

    `is_unwritten` is whether a part of the game is not there yet, or still to be written.
    """

    is_unwritten = False


# What a game remembers, as `__init__` sets it. Everything else is a part of its class.
STATE = ("board", "score", "moves")

CALLS = ("reset", "continue_")  # steps that are methods without arguments


class Observed:
    """One game, played step by step. `script` holds the lines that a learner would type.

    `start` is a board, or (height, width) for the board that the game makes itself, or `None` for
    a game made without any arguments. `seed` is that of the game's rng, or the rng itself; without
    it, the game gets no rng. Without `p_four`, it uses its own. Raises `GameProblem` wherever the
    game raises an error, and where it does not take a board that is set from outside.

    >>> from course.rules.game import Game
    >>> observed = Observed(Game, [[2, 2]])
    >>> observed.step("left"), observed.read("score")
    (True, 4)
    >>> observed.script
    ['game = Game(1, 2, rng)', 'game.board = [[2, 2]]', "game.move('left')"]
    """

    def __init__(
        self,
        make: Make,
        start: Start | None,
        p_four: float | None = None,
        seed: int | Random | None = 1,
    ) -> None:
        self.script: list[str] = []
        self.name = getattr(make, "__name__", "Game")
        if start is None:
            self.game = self._do(f"game = {self.name}()", make)
            return
        height, width = start if isinstance(start, tuple) else (len(start), len(start[0]))
        rng = Random(seed) if isinstance(seed, int) else seed
        chance = () if p_four is None else (p_four,)
        told = ", ".join(["None" if rng is None else "rng", *map(str, chance)])
        made = f"game = {self.name}({height}, {width}, {told})"
        self.game = self._do(made, lambda: make(height, width, rng, *chance))
        if not isinstance(start, tuple):
            self.put("board", start)
            self.expect("board", start, self.board())

    def put(self, name: str, value: Any) -> None:
        """What the game remembers is set from outside."""
        value = deepcopy(value)
        self._do(f"game.{name} = {value}", lambda: setattr(self.game, name, value))

    def step(self, step: Any) -> Any:
        """A move is made, or the game is `"reset"`, or goes on by `"continue_"`.

        A step may also be what is set from outside, as `{"score": 3000}`. Returns what the method
        gave.
        """
        if isinstance(step, dict):
            for name, value in step.items():
                self.put(name, value)
            return None
        if step in CALLS:
            return self._do(f"game.{step}()", lambda: call_method(self.game, step), step)
        move = partial(call_method, self.game, "move", step)
        return self._do(f"game.move({step!r})", move, "move")

    def read(self, name: str) -> Any:
        """A fact about the game as it is now: an attribute, or its `"text"`.

        Of the board: its `"shape"` as (height, width), the number of its `"tiles"`, and their
        `"values"`, each once, the smallest first.
        """
        if name in ("shape", "tiles", "values"):
            board = self.board()
            tiles = [tile for row in board for tile in row if tile]
            of_board = {"tiles": len(tiles), "values": sorted(set(tiles))}
            return of_board.get(name, (len(board), len(board[0])))
        if name == "text":
            return self._text()
        value = self._ask(f"game.{name}", lambda: getattr(self.game, name), name)
        return deepcopy(value) if type(value) is list else value

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Several facts at once."""
        return {name: self.read(name) for name in names}

    def board(self) -> Board:
        """The board as it is now; `GameProblem` if it is none."""
        board: Board = self.read("board")
        if not is_board(board):
            said = f"  got       {board!r}\n  a board is a list of rows, each a list of numbers"
            raise self.problem(said, "game.board")
        return board

    def board_and_facts(self, names: Sequence[str]) -> tuple[Board, dict[str, Any]]:
        """The board and several facts, asked for at once where the game is elsewhere."""
        if "text" not in names:
            # what raises an error or is no board is asked for by itself, which says so
            with suppress(Exception):
                values = attributes_at_once(self.game, ["board", *names])
                if values is not None and is_board(values[0]):
                    return values[0], dict(zip(names, values[1:], strict=True))
        return self.board(), self.facts(names)

    def expect(self, name: str, wanted: Any, got: Any) -> None:
        """A fact is what it should be; raises `GameProblem` if it is not."""
        if not same(wanted, got):
            line = _LINES.get(name, f"game.{name}")
            raise self.problem(f"  expected  {_shown(wanted)}\n  got       {_shown(got)}", line)

    def problem(self, said: str, *lines: str) -> GameProblem:
        """What is wrong, below the script that leads there and perhaps some lines more."""
        script = [*self.script, *lines]
        if len(script) > LONGEST_SCRIPT:
            script = [*script[:2], "…", *script[-2:]]
        return GameProblem("\n".join([*script, said]))

    def _text(self) -> Any:
        text = self._ask("str(game)", lambda: str(self.game))
        if has_no_text(text):
            raise self._unwritten("__str__", "str(game)")
        return text

    def _do(self, line: str, question: Callable[[], Any], part: str = "") -> Any:
        """What the game answers to a line that changes it."""
        answer = self._ask(line, question, part)
        self.script.append(line)
        return answer

    def _ask(self, line: str, question: Callable[[], Any], part: str = "") -> Any:
        """What the game answers to a line; an error of it becomes `GameProblem`.

        `part` is the method or property that the line asks for.
        """
        try:
            return question()
        except Exception as error:
            if part and part not in STATE and lacks(error, part):
                raise self._unwritten(part, line) from error
            problem = self.problem(f"  got       {error_text(error)}", line)
            problem.is_unwritten = isinstance(error, NotImplementedError)
            raise problem from error

    def _unwritten(self, part: str, line: str) -> GameProblem:
        problem = self.problem(f"  {lacks_text(self.name, part)}", line)
        problem.is_unwritten = True
        return problem


def facts_hold(
    make: Make,
    start: Start | None,
    steps: Sequence[Any],
    facts: dict[str, Any],
    p_four: float | None = None,
    seed: int = 1,
) -> None:
    """A game shows these facts after these steps; raises `GameProblem` if it does not.

    `facts` are names and values as `Observed.read` gives them; `answers` is the list of what the
    steps gave, an error among them by its type.
    """
    observed = Observed(make, start, p_four, seed)
    given = [_answer(observed, step, facts.get("answers", ())) for step in steps]
    answers = [answer for answer, step in zip(given, steps, strict=True) if type(step) is str]
    for name, wanted in facts.items():
        observed.expect(name, wanted, answers if name == "answers" else observed.read(name))


# How a fact is called where it is no attribute.
_LINES = {
    "answers": "What the moves gave:",
    "shape": "The height and width of game.board:",
    "tiles": "The number of tiles on game.board:",
    "values": "The tiles on game.board:",
    "text": "str(game)",
}


def _answer(observed: Observed, step: Any, wanted: Sequence[Any]) -> Any:
    """What a step gave; an error that is wanted is an answer, too, if it is raised."""
    try:
        given = observed.step(step)
    except GameProblem as problem:
        if type(problem.__cause__) in wanted:
            return type(problem.__cause__)
        raise
    if isinstance(given, type):
        raise observed.problem(f"  gives {given.__name__}; an error must be raised, not given")
    return given


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return value.__name__ if isinstance(value, type) else repr(value)
