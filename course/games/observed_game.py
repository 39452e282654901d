"""An observed game: a learner's game is made, played and read, and every step is written down.

A step is a move, a call such as `reset`, or the setting of an attribute. A fact is what is read
from a game: an attribute, the game's text, or something about its board. A line is the code that a
learner would type for a step or a fact; the lines of all steps are the script of the game. A game
may be in another process: then many steps are sent to it in one message.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import Any

from course.answer_comparison import same, wrong_kind
from course.function_calls import Made, ProblemFound, Seeded, Step, Tested, made_many, take_steps
from course.plain_errors import error_text
from course.refusal import has_no_text, lacks, lacks_text
from course.rules.board import Board, is_board

Start = Board | tuple[int, int]  # the board that a game begins with, or its height and width
Line = tuple[str, Step]  # the code as a learner would type it, and the `Step` that it describes

LONGEST_SCRIPT = 8  # lines; of a longer script, the first two and the last two are shown

# Attributes that `__init__` sets. If another one is missing, it is a method or property to write.
STATE = ("board", "score", "moves")
CALLS = ("reset", "continue_")  # steps that are methods without arguments
_RNG = (Random, Seeded)
_OF_BOARD = ("shape", "tiles", "values")
AT_ONCE = 25  # steps in one message, at most
_TOGETHER = 40  # games in one message, at most


class GameProblem(ProblemFound):
    """The error raised if a game does not do what it should.

    Its text is the script so far, and below it a description of the fault. `is_unwritten` is true
    if the class still lacks a method or property, or if the game raises `NotImplementedError`.
    """

    is_unwritten = False


class Observed:
    """A game that is played step by step, and its `script`: the code of the steps so far.

    `start` is the first board, or (height, width), or `None` for a game made without any arguments.
    Without `p_four`, the game uses its own default. `seed` is the seed of the game's `rng`, or the
    `rng` itself, or `None` for a game that gets `None` as its `rng`. Methods raise `GameProblem` if
    the game raises an error, or does not keep the board `start`.

    >>> from course.rules.game import Game
    >>> observed = Observed(Game, [[2, 2]])
    >>> observed.step("left"), observed.read("score")
    (True, 4)
    >>> observed.script
    ['game = Game(1, 2, rng)', 'game.board = [[2, 2]]', "game.move('left')"]
    """

    def __init__(
        self,
        make: Tested,
        start: Start | None,
        p_four: float | None = None,
        seed: int | Random | None = 1,
    ) -> None:
        self.script: list[str] = []
        self.name = getattr(make, "__name__", "Game")
        self._make, self._start = make, start
        self._game: Any = None
        self._begun: tuple[list[Line], Made] | None = None  # the first lines, and their answers
        self._chance: list[Any] = []
        # The lines that set and read the board `start`; none if `start` is no board.
        self._first = [*_doing({"board": start}), _reading("board")] if type(start) is list else []
        self._seen: Board | None = None  # the board about which a fact was read last
        if start is not None:
            height, width = start if isinstance(start, tuple) else (len(start), len(start[0]))
            rng = Seeded(seed) if isinstance(seed, int) else seed
            self._chance = [height, width, rng] + ([] if p_four is None else [p_four])

    def begun(self) -> "Observed":
        """Make the game now, not only when it is first used; return this `Observed`."""
        if not self.script:
            list(self._answers([]))
        return self

    def put(self, name: str, value: Any) -> None:
        """Set an attribute of the game, as `game.score = 8` does."""
        self.step({name: value})

    def step(self, step: Any) -> Any:
        """Take one step, and return what the game's method returned.

        A step is a direction, or a name in `CALLS`, or a dictionary of attributes to set.
        """
        [answer] = self.take([step])
        return answer

    def take(self, steps: Sequence[Any], names: Sequence[str] = ()) -> Iterator[Any]:
        """Take steps, in one message; yield what each method returned, then the facts `names`."""
        answers = self._answers(lines_of(steps, at_last=names))
        for step in steps:
            yield [None, *(next(answers) for _ in _doing(step))][-1]
        for name in names:
            yield self._fact(name, next(answers))

    def play(
        self, steps: Iterable[Any], names: Sequence[str] = (), at_first: bool = False
    ) -> Iterator[tuple[Any, Board, dict[str, Any]]]:
        """Take steps; after each, yield (what its method returned, the board, facts).

        The facts are a dictionary, with the board and the facts `names`. With `at_first`, first
        yield `None`, the board, and the facts before the first step. One message has up to
        `AT_ONCE` steps.
        """
        steps, names = chain([None] if at_first else [], steps), ["board", *names]
        while some := list(islice(steps, AT_ONCE)):
            answers = self._answers(lines_of(some, after_each=names))
            for step in some:
                gave = [None, *(next(answers) for _ in _doing(step))]
                found = {name: self._fact(name, next(answers)) for name in names}
                yield gave[-1], self._checked(found["board"]), found

    def read(self, name: str) -> Any:
        """Return a fact about the game as it is now: an attribute, or one of these five.

        `"text"` is `str(game)`. Three are about the board: `"shape"` is (height, width), `"tiles"`
        is the number of tiles, and `"values"` lists the values of the tiles, each once, the
        smallest first. `"chance"` is the number that `game.rng` would draw next, which changes with
        each draw; it is `None` if `game.rng` is no `Random`.
        """
        return self.facts([name])[name]

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Return a dictionary of the facts with these names; one message asks for all of them."""
        return dict(zip(names, self.take([], names), strict=True))

    def board(self) -> Board:
        """Return the board as it is now; raise `GameProblem` if it is no board."""
        return self._checked(self.read("board"))

    def _answers(self, asked: list[Line]) -> Iterator[Any]:
        """Run some lines of code with the game, and yield the result of each.

        Raise `GameProblem` if the game raises an error. A line that may change the game is added to
        the script when its result is yielded. If the game is not made yet, it is made first.
        """
        if self.script:
            yield from self._told(asked, *take_steps(self._game, [step for _, step in asked]))
            return
        if self._begun is None or self._begun[0] != asked:
            begin_together([(self, asked)])
        assert self._begun is not None
        told = ", ".join("rng" if isinstance(each, _RNG) else str(each) for each in self._chance)
        line = f"game = {self.name}({told})"
        self._game, answers, error = self._begun[1]
        if answers is None and error is not None:
            raise self._stopped(error, line) from error
        self.script.append(line)
        found = self._told([*self._first, *asked], answers or [], error)
        for board in list(islice(found, len(self._first)))[1:]:
            self.expect("board", self._start, self._checked(board))
        yield from found

    def _told(
        self, asked: list[Line], answers: list[Any], error: BaseException | None
    ) -> Iterator[Any]:
        """Yield the answers to the lines `asked`; then raise `GameProblem` if there is an `error`.

        Before the answer to a line that may change the game, the line is added to the script.
        """
        for (line, (kind, *_)), answer in zip(asked, answers, strict=False):
            if kind in ("call", "set"):
                self.script.append(line)
            yield answer
        if error is not None:
            line, (_, *part) = asked[len(answers)]
            raise self._stopped(error, line, *part[:1]) from error

    def _stopped(self, error: BaseException, line: str, part: str = "") -> GameProblem:
        """Return the `GameProblem` for an error at a line that uses the attribute `part`."""
        if part and part not in STATE and lacks(error, part):
            return self.problem(f"  {lacks_text(self.name, part)}", line, is_unwritten=True)
        is_unwritten = isinstance(error, NotImplementedError)
        return self.problem(f"  got       {error_text(error)}", line, is_unwritten=is_unwritten)

    def _fact(self, name: str, answer: Any) -> Any:
        if name == "text" and has_no_text(answer):
            lacking = lacks_text(self.name, "__str__")
            raise self.problem(f"  {lacking}", "str(game)", is_unwritten=True)
        if name == "chance":
            if not isinstance(answer, Random):
                return None
            twin = Random()
            twin.setstate(answer.getstate())
            return twin.random()
        if name not in _OF_BOARD:
            return answer
        self._seen = board = self._checked(answer)
        tiles = [tile for row in board for tile in row if tile]
        of_board = {"tiles": len(tiles), "values": sorted(set(tiles))}
        return of_board.get(name, (len(board), len(board[0])))

    def _checked(self, board: Any) -> Board:
        if not is_board(board):
            said = f"  got       {board!r}\n  a board is a list of rows, each a list of numbers"
            raise self.problem(said, "game.board")
        checked: Board = board
        return checked

    def expect(self, name: str, wanted: Any, got: Any) -> None:
        """Raise `GameProblem` unless `got`, the value of the fact `name`, equals `wanted`."""
        if not same(wanted, got):
            line = _LINES.get(name, f"game.{name}")
            said = f"  expected  {_shown(wanted)}\n  got       {_shown(got)}"
            board = f"  board     {self._seen!r}\n" if name in _OF_BOARD else ""
            kind = wrong_kind(got, wanted) if name not in _OF_BOARD else None
            raise self.problem(board + said + (f"\n  {kind}" if kind else ""), line)

    def problem(self, said: str, *lines: str, is_unwritten: bool = False) -> GameProblem:
        """Return a `GameProblem` whose text is the script so far, then `lines`, then `said`."""
        script = [*self.script, *lines]
        if len(script) > LONGEST_SCRIPT:
            script = [*script[:2], "…", *script[-2:]]
        problem = GameProblem("\n".join([*script, said]))
        problem.is_unwritten = is_unwritten
        return problem


def begin_together(games: Iterable[tuple[Observed, list[Line]]]) -> None:
    """Make games of one class, and run the first lines of each in advance, in a few messages.

    Each `Observed` stores its answers, and uses them if it is asked to run just these lines first.
    """
    games = iter(games)
    while some := list(islice(games, _TOGETHER)):
        plans = [(game._chance, [step for _, step in game._first + lines]) for game, lines in some]
        for (game, lines), made in zip(some, made_many(some[0][0]._make, plans), strict=True):
            game._begun = lines, made


def facts_hold(
    make: Tested,
    starts: Iterable[Start | None],
    steps: Sequence[Any],
    facts: dict[str, Any],
    p_four: float | None = None,
    seed: int = 1,
) -> None:
    """Play one game from each start; raise `GameProblem` if a fact has a wrong value at the end.

    In each game, all `steps` are taken; then the facts are read. `facts` maps the names of facts,
    which `Observed.read` explains, to the right values. One more fact, `"answers"`, is a list: for
    each move or call, what it has to return, or the type of the error that it has to raise. The
    seeds of the games are `seed`, `seed + 1`, and so on.
    """
    games = [Observed(make, start, p_four, number) for number, start in enumerate(starts, seed)]
    names = [name for name in facts if name != "answers"]
    begin_together((game, lines_of(steps, at_last=names)) for game in games)
    for observed in games:
        given: list[Any] = []
        found = observed.take(steps, names)
        while len(given) < len(steps):
            try:
                given.append(next(found))
                if isinstance(given[-1], type):
                    said = f"  gives {given[-1].__name__}; an error must be raised, not given"
                    raise observed.problem(said)
            except GameProblem as problem:
                kinds = [kind for kind in facts.get("answers", ()) if isinstance(kind, type)]
                error = next((kind for kind in kinds if isinstance(problem.__cause__, kind)), None)
                if error is None:
                    raise
                given.append(error)
                found = observed.take(steps[len(given) :], names)
        answers = [answer for answer, step in zip(given, steps, strict=True) if type(step) is str]
        for name, wanted in facts.items():
            observed.expect(name, wanted, answers if name == "answers" else next(found))
        observed.begun()


# A dictionary from facts that are no attributes to what a `GameProblem` shows as their lines.
_LINES = {
    "answers": "What the moves gave:",
    "shape": "The height and width of game.board:",
    "tiles": "The number of tiles on game.board:",
    "values": "The tiles on game.board:",
    "text": "str(game)",
    "chance": "The next game.rng.random():",
}


def lines_of(
    steps: Iterable[Any], after_each: Sequence[str] = (), at_last: Sequence[str] = ()
) -> list[Line]:
    """Return the lines that take steps and read facts: some `after_each` step, others `at_last`."""
    reads = [_reading(name) for name in after_each]
    lines = [line for step in steps for line in (*_doing(step), *reads)]
    return [*lines, *(_reading(name) for name in at_last)]


def _doing(step: Any) -> list[Line]:
    """Return the lines that take a step: one for each attribute to set; none if it is `None`."""
    if isinstance(step, dict):
        return [(f"game.{name} = {value}", ("set", name, value)) for name, value in step.items()]
    if step is None:
        return []
    if step in CALLS:
        return [(f"game.{step}()", ("call", step))]
    return [(f"game.move({step!r})", ("call", "move", step))]


def _reading(name: str) -> Line:
    if name == "text":
        return "str(game)", ("text",)
    name = "board" if name in _OF_BOARD else "rng" if name == "chance" else name
    return f"game.{name}", ("get", name)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return value.__name__ if isinstance(value, type) else repr(value)
