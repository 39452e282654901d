"""Facts about objects: games, agents of the duel, and objects of small classes such as `Score`.

All right classes give equal facts. Since each may draw new tiles in its own way, no fact says on
which square a new tile is. A probe is a call that says what to do with a new object.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from course import games, lessons
from course.cases import gone_tiles, is_like_before
from course.function_calls import call_many
from course.games import GameProblem, Observed
from course.hints.chance_facts import part_of_fours
from course.hints.fact_comparison import NO_BOARD, UNKNOWN, error_fact
from course.hints.slips.of_kinds import of_error
from course.refusal import has_no_text, lacks
from course.rules import legal_directions, legal_squares
from course.rules.board import DIRECTIONS

Make = Callable[..., Any]
Call = tuple[str, tuple[Any, ...]]

READ = ("score", "moves", "is_over", "has_won")
KEPT = ("board", "score", "moves", "chance")
PHASES = ("place", "push")
GAMES = 60  # games whose first tiles are counted


@dataclass(frozen=True)
class Fact:
    """One thing that was observed of an object, such as the score of a game after a move.

    `part` is the exercise that the fact is about, and `label` names the kind of fact. `question` is
    the code that shows the fact, as a learner would type it. No general hint describes a fact with
    an empty `label`: such a fact only helps to distinguish known mistakes.
    """

    part: str
    label: str
    question: str
    value: Any


# One fact, a list of facts about one step of a game, or a list of these for all steps.
Facts = Fact | list[Any]


def values_of(facts: Any) -> Any:
    """Return `facts` with each `Fact` replaced by its value; lists stay lists."""
    if isinstance(facts, Fact):
        return facts.value
    return list(map(values_of, facts)) if type(facts) is list else facts


def told_in(facts: Any) -> Iterator[Fact]:
    """Yield all facts with a label that is not empty, from one fact or nested lists of facts."""
    if isinstance(facts, Fact):
        yield from [facts] if facts.label else []
    elif type(facts) is list:
        for each in facts:
            yield from told_in(each)


@cache
def exercise_of_part(name: str, part: str) -> str:
    """Return the name of the exercise for `part` of the class `name`; `name` if there is none."""
    names = [one.name for one in lessons.exercises_of(name)]
    return f"{name}.{part}" if f"{name}.{part}" in names else name


def game(make: Make, probes: list[Call]) -> list[Facts]:
    """Return the facts about a class such as `Game`: one item for each probe.

    A probe `plays(start, steps, p_four)` plays a game, and `special(…)` plays a game by the special
    rules; the item has the facts after each step. Any other probe names one of the `QUESTIONS`; the
    item is one fact, the answer.
    """
    name = make.__name__
    found: list[Facts] = []
    for kind, arguments in probes:
        if kind in ("plays", "special"):
            start, steps, p_four = arguments
            played = _Play(make, kind == "special", start, p_four)
            found.append(played.facts(steps, has_fours_only=p_four == 1))
        else:
            value = _asked(partial(QUESTIONS[kind], make))
            part = exercise_of_part(name, "reset") if kind == "restarts" else name
            found.append(Fact(part, kind, "", [value] if isinstance(value, dict) else value))
    return found


class _Play:
    """A game that is played to collect facts; `begin` is code that plays all steps so far again."""

    def __init__(self, make: Make, is_special: bool, start: Any, p_four: float) -> None:
        self.name, self.is_special = make.__name__, is_special
        self.play = Observed(make, start, p_four)
        is_board = isinstance(start, list)
        made = f"game.board = {start}" if is_board else f"game = {self.name}{start or ()}"
        self.begin = f"{made}; "

    def facts(self, steps: list[Any], has_fours_only: bool) -> Facts:
        """Play the steps; return a list of facts for the start and for each step.

        An error is a fact, too. If the method of a step is not written yet, this step and all later
        ones are `UNKNOWN`. With `has_fours_only`, one more fact says if all first tiles are 4s.
        """
        try:
            self.play.begun()
        except GameProblem as problem:
            fact = Fact(self.name, "all", f"{self.name}(…)", _error(problem))
            return fact if fact.value == UNKNOWN else [fact]
        facts = self._state(self.name)
        found: list[Facts] = [facts]
        if has_fours_only:
            fours = _asked(lambda: self.play.read("values") == [4])
            found.append(Fact(self.name, "", "", fours))
        for step in steps:
            if isinstance(step, dict):
                part = self.name
                call = "; ".join(f"game.{name} = {value!r}" for name, value in step.items())
            elif step in ("reset", "continue_"):
                part, call = exercise_of_part(self.name, step), f"game.{step}()"
            else:
                part, call = exercise_of_part(self.name, "move"), f"game.move({step!r})"
            question = self.begin + call
            self.begin = f"{question}; "
            facts = self._step(step, part, question) if facts else []
            found.append(facts or Fact(part, "all", question, UNKNOWN))
        return found

    def _fact(self, part: str, label: str, code: str, question: Callable[[], Any]) -> Fact:
        return Fact(part, label, self.begin + code, _asked(question))

    def _step(self, step: Any, part: str, question: str) -> list[Fact]:
        """Take a step; return the facts after it, or `[]` if its method is not written yet."""
        if step in DIRECTIONS:
            try:
                [turn] = games.observed_moves(self.play, [step])
            except GameProblem as problem:
                error = _error(problem)
                return [] if error == UNKNOWN else [Fact(part, "all", question, error)]
            new = "unchanged" if turn.after == turn.before else turn.new_tiles
            labels = ("", "", "") if self.is_special else ("answer", "slid", "new tiles")
            values = (_plain(turn.answer), turn.has_slid, new)
            questions = (question, f"{question}; game.slid", f"{question}; game.new tiles")
            seen = [Fact(part, *each) for each in zip(labels, questions, values, strict=True)]
            return [*seen, *self._reads(part)]
        before = self.play.board() if step == "continue_" else None
        answer = _asked(lambda: self.play.step(step))
        if answer == UNKNOWN:
            return []
        told = Fact(part, "" if isinstance(step, dict) else "answer", question, answer)
        if before is None:
            return [told, *self._state(part)]

        def gone() -> list[Any]:  # how many tiles, and if all other squares are as before
            after = (self.play.board(), 0)
            return [len(gone_tiles(before, after)), is_like_before(before, after)]

        return [told, self._fact(part, "cleared", "game.cleared", gone), *self._reads(part)]

    def _state(self, part: str) -> list[Fact]:
        """Return the facts about the game now; of a special game, only shape and attributes."""
        read = self.play.read
        if self.is_special:
            shape = self._fact(part, "shape", "game.shape", lambda: list(read("shape")))
            return [shape, *self._reads(part)]

        def board() -> list[Any]:
            board = self.play.board()
            # Two tiles cannot fill three rows: if all rows are alike, they are the same list.
            is_alike = len(board) > 2 and any(board[0]) and all(row == board[0] for row in board)
            return [*read("shape"), read("tiles"), *(["rows alike"] if is_alike else [])]

        def text() -> Any:
            shown = read("text")
            return type(shown) is str and games.text_facts(shown, self.play.board(), read("score"))

        of_text = exercise_of_part(self.name, "__str__")
        seen = self._fact(part, "board", "game.board", board)
        return [seen, *self._reads(part), self._fact(of_text, "text", "str(game)", text)]

    def _reads(self, part: str) -> Iterator[Fact]:
        """Yield the facts about the attributes of a game.

        A fact about an attribute that is an exercise itself, such as `has_won`, belongs to this
        exercise; any other fact belongs to `part`. After `continue_` or `reset`, the fact about
        `can_continue` belongs to `part`, too.
        """
        methods = {f"{self.name}.continue_": "chance left", f"{self.name}.reset": "chance back"}
        owned = ("has_won", "can_continue") if self.is_special else ("is_over", "has_won")
        for label in (*READ, "can_continue") if self.is_special else READ:
            own, told = part, label
            if label == "can_continue" and part in methods:
                told = methods[part]
            elif label in owned:
                own = exercise_of_part(self.name, label)
            kept = [partial(self.play.read, name) for name in KEPT if label in owned]
            before = [*map(_asked, kept)]
            fact = self._fact(own, told, f"game.{label}", partial(self.play.read, label))
            if label in owned:
                stays = before == [*map(_asked, kept)]
                yield Fact(own, "only looks", f"{fact.question}; game.board", stays)
            yield fact


def _asked(question: Callable[[], Any]) -> Any:
    try:
        return _plain(question())
    except GameProblem as problem:
        return _error(problem)


def _error(problem: GameProblem) -> Any:
    if problem.is_unwritten:
        return UNKNOWN
    # If no error has caused the problem, the game has no proper board.
    return {"error": error_fact(problem.__cause__) if problem.__cause__ else NO_BOARD}


def _plain(value: Any) -> Any:
    if value is None or type(value) in (bool, int, str, list):
        return value
    if isinstance(value, Exception):  # returned; another process would raise it
        return {"error": f"gives a {type(value).__name__}"}
    return {"a": "method" if callable(value) else "something else"}


def _shared_state(make: Make, **moves: Any) -> list[str]:
    """Return the names of attributes (whole numbers and lists) that two games wrongly share."""
    one = Observed(make, (4, 4))
    return [
        name for name in games.shared_facts(make, **moves)[1] if type(one.read(name)) in (int, list)
    ]


def _own_chances(make: Make) -> list[str]:
    """Return `["shared"]` if a game loses its second chance when another takes one; else `[]`."""
    try:
        games.keeps_chances_apart(make)
    except GameProblem as problem:
        if problem.__cause__ is not None:
            raise
        return ["shared"]
    return []


QUESTIONS: dict[str, Callable[[Make], Any]] = {
    "first_chance": partial(games.chance_faults, moves=()),
    "two_games": partial(_shared_state, moves=()),
    "apart": _shared_state,
    "own_size": lambda make: list(Observed(make, None).read("shape")),
    "first_fours": lambda make: part_of_fours(
        [Observed(make, (4, 4), seed=seed).board() for seed in range(GAMES)]
    ),
    "chance": games.chance_faults,
    "own_chances": _own_chances,
    "clearing": games.clearing_faults,
    "restarts": games.restart_faults,
}


def using(make: Make, probes: list[Call]) -> list[Facts]:
    """Return the facts about a small class such as `Score`: one item for each probe.

    The arguments of a probe are steps with a new object. A step is a list of a method's name and
    its arguments, the name of an attribute to read, or `"str"` for the text of the object. In a
    probe `apart(...)`, only the last step counts: it reads a second object, which is still new.
    """
    name = make.__name__
    mine, found = name.lower(), list[Facts]()
    for kind, steps in probes:
        try:
            thing, other = make(), make()
        except (Exception, SystemExit) as error:
            is_unwritten = isinstance(error, NotImplementedError)
            value = UNKNOWN if is_unwritten else {"error": error_fact(error)}
            found.append(Fact(name, "all", f"{name}()", value))
            continue
        begin, facts = f"{mine} = {name}(); ", list[Facts]()
        for step in steps:
            part, label, asked = step, step, f"{mine}.{step}"
            used = thing if kind == "apart" else other
            if isinstance(step, list):
                part, label = step[0], "answer of a step"
                asked = f"{mine}.{part}({', '.join(map(repr, step[1:]))})"
                used = other
            elif step == "str":
                part, label, asked = "__str__", "a text", f"str({mine})"
            value = _step_value(used, step)
            facts.append(Fact(exercise_of_part(name, part), label, begin + asked, value))
            begin += f"{asked}; " if isinstance(step, list) and kind != "apart" else ""
        found.append(facts[-1:] if kind == "apart" else facts)
    return found


def _step_value(thing: Any, step: Any) -> Any:
    """Return the result of a step as plain data; `UNKNOWN` if its code is not written yet."""
    name = step[0] if isinstance(step, list) else step
    try:
        if isinstance(step, list):
            value = getattr(thing, name)(*step[1:])
        else:
            value = str(thing) if step == "str" else getattr(thing, step)
    except NotImplementedError:
        return UNKNOWN
    except (Exception, SystemExit) as error:
        is_part = isinstance(step, list) or name.startswith(("is_", "has_"))
        return UNKNOWN if is_part and lacks(error, name) else {"error": error_fact(error)}
    if step == "str" and has_no_text(value):
        return UNKNOWN
    if value is None or type(value) in (bool, int, str):
        return value
    return {"a": "method" if callable(value) else "something else"}


def playing(make: Make, probes: list[Call]) -> list[Facts]:
    """Return for each probe (phase, board, player, number) a fact on the answer of a new agent.

    The value is `{"gives": "a legal answer"}` (all legal answers are right), `{"gives a": kind}`,
    or `{"raises": kind, "slips": ids of the general hints for the error}`. If the class lacks the
    method, the value is `UNKNOWN`.
    """
    facts: list[Facts] = []
    for _, (phase, board, player, number) in probes:
        legal: list[Any] = [*legal_directions(board, player)]
        if phase == "place":
            legal = [*legal_squares(board, player, number)]
        view = {"board": board, "player": player, "phase": phase, "legal": legal}
        view |= {"round": 0, "rounds": 1, "numbers": [number], "last": {1: None, -1: None}}
        view |= {"time_left": None, "opponent_time_left": None}
        part = exercise_of_part(make.__name__, phase)
        value: Any = None
        try:
            agent, method = make(), getattr(make, phase)
        except (Exception, SystemExit) as raised:
            error: BaseException | None = raised
            value = UNKNOWN if lacks(raised, phase) else None
        else:
            [(answer, error, *_)] = call_many(method, [(agent, view)])
            value = None if error is not None else _kind_of_answer(answer, phase, legal)
        if value is None and error is not None:
            value = {"raises": type(error).__name__, "slips": of_error(error)}
        facts.append(Fact(part, phase, "", value))
    return facts


def _kind_of_answer(answer: Any, phase: str, legal: list[Any]) -> dict[str, str]:
    if type(answer) in (str, tuple) and answer in legal:
        return {"gives": "a legal answer"}
    if phase == "place" and type(answer) is tuple and len(answer) == 2:
        return {"gives a": "square that is not legal"}
    if type(answer) is list and answer and type(answer[0]) is tuple:
        return {"gives a": "list of squares"}
    if type(answer) is list and [*map(type, answer)] == [int, int]:
        return {"gives a": "square as a list"}
    return {"gives a": type(answer).__name__}
