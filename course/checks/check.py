"""Checks: the test cells of the lessons call them.

A function under test may be any callable. If it has a method `call_many`, which takes a list of
argument lists and returns a list of `Answer`, the method gets all calls at once. If a check needs
only the values of the answers, it calls the method `values_many` instead, if there is one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, Literal

from course.answer_comparison import same, same_in_any_order, wrong_kind
from course.checks.failed import HINT, CheckFailed
from course.checks.objects import object_problem
from course.function_calls import (
    Answer,
    Failure,
    NoAnswer,
    ProblemFound,
    Seeded,
    Tested,
    call_many,
    copied,
    first_lines,
)
from course.heard import sounds_like
from course.hints import diagnose
from course.plain_errors import error_text, plainly
from course.refusal import Refusal

MISSING: Any = object()
PRINTED = "\n  something was printed, but nothing was returned"
AGAIN = "\n  the same call gave another answer before: it must depend on nothing but its arguments"
NOT_NEW = "this list was there before the call, or one row stands in it twice; return a new one"
_TWICE = 10  # so many cases are passed twice to a function whose answers must be new lists


class Check:
    """A callable object: `check(...)` checks one call; its methods are more checks.

    A check that passes is silent. A check that fails raises `CheckFailed`, which shows the call,
    what was expected and what came back, in full, and one hint.
    """

    @plainly
    def __call__(
        self,
        function: Tested,
        *arguments: Any,
        gives: Any = MISSING,
        raises: type[Exception] | None = None,
    ) -> None:
        """Check that `function(*arguments)` gives exactly the value `gives`, or raises `raises`.

        Types count: `True` is not `1`. This check does not look for changed arguments:
        `check.unchanged` does. Raise `Refusal` if neither `gives` nor `raises` is passed.

        >>> check(sorted, [2, 1], gives=[1, 2])
        >>> check(int, "two", raises=ValueError)
        >>> check(len, [2, 2], gives=3)
        Traceback (most recent call last):
        course.checks.failed.CheckFailed: len([2, 2])
          expected  3
          got       2
        """
        if gives is MISSING and raises is None:
            call = call_text(function, arguments)
            raise Refusal(f"check needs to know what {call} should give: write check(…, gives=…)")
        self.many(function, [arguments], gives=gives, raises=raises)

    @plainly
    def many(
        self,
        function: Tested,
        cases: Iterable[Any],
        like: Callable[..., Any] | None = None,
        obeys: Callable[..., str | None] | None = None,
        gives: Any = MISSING,
        raises: type[Exception] | None = None,
        alike: Callable[[Any, Any], bool] = same,
    ) -> None:
        """Check one call for each case; a case is a tuple of arguments, or a single argument.

        One of four options says what each call must give. `like` is a function that gives the right
        answer for the same arguments. `obeys` takes the answer and the arguments, changes nothing,
        and returns a sentence on what is wrong, or `None`. `gives` is one value for all calls, and
        `raises` one type of error; a call that must raise it may change no argument. `alike(a, b)`
        is true if two values count as the same. Without `obeys`, the last and the first of three or
        more calls are made again at the end, since an answer must depend on its arguments alone.

        >>> check.many(sorted, [[2, 1], [3, 2, 1]], like=lambda values: sorted(values))
        """
        cases = [*cases]
        count = len(cases)
        cases += [cases[-1], cases[0]] if count > 2 and obeys is None else []
        asked = _asked(function, cases, only_values=raises is None)
        for place, (arguments, answer) in enumerate(asked):
            if like is not None:
                gives = like(*copied(arguments))
            if problem := _answer_problem(arguments, answer, gives, raises, obeys, alike):
                problem += AGAIN if place >= count else ""
                raise _failed(function, Failure(arguments, answer), problem, gives, raises)
            if raises is not None and (problem := _change_problem(arguments, answer)):
                failure = Failure(arguments, answer, is_change=True)
                raise _failed(function, failure, problem, gives, raises)

    @plainly
    def says(self, function: Tested, *arguments: Any, text: str) -> None:
        """Check that `function(*arguments)` gives a text that sounds like `text`.

        Capital letters, blanks and punctuation do not count.

        >>> check.says("{}: {}".format, "Row 1", 2, text="row 1 2.")
        """
        self.many(function, [arguments], gives=text, alike=sounds_like)

    @plainly
    def any_order(self, function: Tested, *arguments: Any, gives: list[Any]) -> None:
        """Check that `function(*arguments)` gives a list with the items of `gives`, in any order.

        >>> check.any_order(list, "ab", gives=["b", "a"])
        """
        self.many(function, [arguments], gives=gives, alike=same_in_any_order)

    @plainly
    def unchanged(
        self, function: Tested, cases: Iterable[Any], new: bool = False, may_raise: bool = False
    ) -> None:
        """Check that the function leaves every argument as it is, whatever it answers.

        Cases are as for `check.many`. An argument that is a `random.Random` may change. With `new`,
        the answer must be a new list: not one that was passed in, not the answer to an earlier
        call, and without one row object in two places. If `may_raise` is false, the check also
        fails if the function raises an error.

        >>> check.unchanged(sorted, [[2, 1]], new=True)
        >>> check.unchanged(sorted, [[2, "1"]], may_raise=True)
        """
        if new:  # the first cases come twice: does the function return one list for both calls?
            cases = list(cases)
            cases = [*cases[:_TWICE], *cases]
        for arguments, answer in _asked(function, cases):
            if not may_raise and (problem := _answer_problem(arguments, answer)):
                raise _failed(function, Failure(arguments, answer), problem)
            problem = _change_problem(arguments, answer)
            if problem is None and new and answer.is_shared:
                problem = f"  got       {answer.value!r}\n  {NOT_NEW}"
            if problem is not None:
                raise _failed(function, Failure(arguments, answer, is_change=True), problem)

    @plainly
    def that(self, holds: bool, sentence: str, of: Tested | None = None) -> None:
        """Check that a condition is true; use this for what no single call can show.

        If it is false, the message is `sentence`, and a hint for `of`, the function or class that
        the check is about.

        >>> check.that(2 + 2 == 4, "two and two are four")
        """
        if not holds:
            raise _told(sentence, of)

    @plainly
    def object(self, make: Tested, *steps: tuple[Any, ...] | dict[str, Any], **facts: Any) -> None:
        """Check that a new object of a class has the attributes `facts` after `steps`.

        A step is a tuple of a method's name and its arguments, or a dictionary of attributes to
        set. The fact `text` is what `str` returns for the object. A failure shows all lines that
        lead to the wrong fact.

        >>> from course.rules import Score
        >>> check.object(Score, ("add", 8), ("add", 4), total=12, text="Score: 12")
        """
        problem = object_problem(make, steps, facts)
        self.that(problem is None, problem or "", of=make)

    @plainly
    def plays(
        self,
        game: Tested,
        start: Any,
        *steps: Any,
        p_four: float | None = None,
        seed: int = 1,
        **facts: Any,
    ) -> None:
        """Check that a game that starts at `start` shows `facts` after `steps`.

        `start` is a board, or (height, width), or `None` for `Game()`. A step is a direction,
        `"reset"`, `"continue_"`, or a dictionary of attributes to set. The game is made with a
        `Random` of this seed, and with `p_four` if it is given. The facts are attributes of the
        game and other facts that `course.games.Observed.read` knows. The fact `answers` is the list
        of what the steps return; if a step raises an error, its answer is the type of the error.

        >>> from course.rules.game import Game
        >>> check.plays(Game, [[2, 2]], "left", "sideways", answers=[True, ValueError], moves=1)
        """
        from course.games import facts_hold

        self.game(game, facts_hold, [start], steps, facts, p_four, seed)

    @plainly
    def plays_many(
        self,
        game: Tested,
        starts: Iterable[Any],
        *steps: Any,
        p_four: float | None = None,
        **facts: Any,
    ) -> None:
        """Check several games as `plays` checks one: one from each of `starts`, with its own seed.

        >>> from course.rules.game import Game
        >>> check.plays_many(Game, [(2, 2), (4, 4)], tiles=2, score=0)
        """
        from course.games import facts_hold

        self.game(game, facts_hold, starts, steps, facts, p_four)

    @plainly
    def turns(
        self, game: Tested, starts: Iterable[Any], *ideas: str, turns: int = 20, **options: Any
    ) -> None:
        """Check that a game from each of `starts`, played in random directions, follows the rules.

        `ideas` name the rules that are checked, such as `"score"`; `course.games.IDEAS` has all
        names. At most `turns` moves are made in each game. The options are those of
        `course.games.play_by_the_rules`.

        >>> from course.rules.game import Game
        >>> check.turns(Game, [(4, 4), [[2, 2, 4]]], "answer", "score")
        """
        from course.games import play_by_the_rules

        self.game(game, play_by_the_rules, starts, ideas, turns, **options)

    @plainly
    def game(self, game: Tested, rule: Callable[..., Any], *arguments: Any, **options: Any) -> None:
        """Check that a class such as `Game` obeys `rule`, a function of `course.games`.

        `rule` gets the class and the other arguments. If it raises `ProblemFound`, the check fails.

        >>> from course.games import stays_apart
        >>> from course.rules.game import Game
        >>> check.game(Game, stays_apart)
        """
        with _diagnosed(game), first_lines():
            rule(game, *arguments, **options)

    @plainly
    def agent(
        self, agent: Tested, phase: Literal["place", "push"], seed: int = 1, games: int = 10
    ) -> None:
        """Check that an agent of the duel gives a legal answer, whatever the board is.

        A failure shows the view: all that the agent was passed.

        >>> from course.playing import GreedyAgent
        >>> check.agent(GreedyAgent, "push")
        """
        from course.checks.agent_checks import answers_problem

        with _diagnosed(agent), first_lines():
            problem = answers_problem(agent, phase, seed, games)
        self.that(problem is None, problem or "", of=agent)

    @plainly
    def duels(self, agent: Tested, against: str, games: int, wins: int, seed: int = 1) -> None:
        """Check that an agent wins at least `wins` of `games` duels.

        `against` names the opponent: `"chance"` or `"greedy"`. The agent is the first player in
        every second duel.

        >>> from course.playing import GreedyAgent
        >>> check.duels(GreedyAgent, against="chance", games=4, wins=3)
        """
        from course.checks.agent_checks import duels_problem

        with _diagnosed(agent), first_lines():
            problem = duels_problem(agent, against, games, wins, seed)
        self.that(problem is None, problem or "", of=agent)


check = Check()


@contextmanager
def _diagnosed(function: Tested) -> Iterator[None]:
    """Raise `CheckFailed` if a block raises `ProblemFound`; add the diagnosis to a `NoAnswer`."""
    try:
        yield
    except ProblemFound as problem:
        raise _told(str(problem), function) from problem
    except NoAnswer as lost:
        with suppress(Exception, SystemExit):
            lost.diagnosis = diagnose(function)
        raise


def _asked(
    function: Tested, cases: Iterable[Any], only_values: bool = False
) -> Iterable[tuple[tuple[Any, ...], Answer]]:
    calls = [case if isinstance(case, tuple) else (case,) for case in cases]
    with _diagnosed(function):
        return zip(calls, call_many(function, calls, only_values=only_values), strict=True)


def _answer_problem(
    arguments: tuple[Any, ...],
    answer: Answer,
    gives: Any = MISSING,
    raises: type[Exception] | None = None,
    obeys: Callable[..., str | None] | None = None,
    alike: Callable[[Any, Any], bool] = same,
) -> str | None:
    """Return the lines that tell what is wrong with an answer, or `None` if it is right."""
    value, error = answer.value, answer.error
    printed = PRINTED if value is None and answer.printed else ""
    if raises is not None:
        if isinstance(error, raises):
            return None
        got = repr(value) if error is None else error_text(error)
        return f"  expected  {raises.__name__}\n  got       {got}"
    if error is not None:
        expected = "" if gives is MISSING else f"  expected  {gives!r}\n"
        return f"{expected}  got       {error_text(error)}"
    if gives is not MISSING and not alike(value, gives):
        kind = wrong_kind(value, gives)
        said = printed or ("" if kind is None else f"\n  {kind}")
        return f"  expected  {gives!r}\n  got       {value!r}{said}"
    if obeys is not None and (sentence := obeys(value, *arguments)) is not None:
        return f"  got       {value!r}{printed}\n  {sentence}"
    return None


def _change_problem(arguments: tuple[Any, ...], answer: Answer) -> str | None:
    """Return the lines that show a changed argument, or `None`. A `Random` may change."""
    for before, after in zip(arguments, answer.arguments, strict=True):
        if not isinstance(before, Random | Seeded) and not same(before, after):
            return (
                "  the list that was passed in must stay as it is\n"
                f"  before    {before!r}\n"
                f"  after     {after!r}"
            )
    return None


def call_text(function: Tested, arguments: Sequence[Any]) -> str:
    """Return a call as a learner would type it.

    >>> call_text(len, ([2, 2],))
    'len([2, 2])'
    """
    shown = ["rng" if isinstance(one, Random | Seeded) else repr(one) for one in arguments]
    return f"{getattr(function, '__name__', 'function')}({', '.join(shown)})"


def _failed(
    function: Tested,
    failure: Failure,
    problem: str,
    gives: Any = MISSING,
    raises: type[Exception] | None = None,
) -> CheckFailed:
    call = call_text(function, failure.given)
    failed = _told(f"{call}\n{problem}", function, failure, wants_error=raises is not None)
    failed.call, failed.arguments, failed.got = call, failure.given, failure.got.value
    failed.expected = None if gives is MISSING else gives
    return failed


def _told(
    message: str, of: Tested | None, failure: Failure | None = None, wants_error: bool = False
) -> CheckFailed:
    diagnosis = None
    with suppress(Exception, SystemExit):  # an odd answer may raise errors wherever it is used
        diagnosis = None if of is None else diagnose(of, failure=failure)
        if wants_error and diagnosis is not None and failure is not None and not failure.is_change:
            # Imported here, because the grader's process for learners' code may lack the hints.
            from course.hints.slips.general_hints import about_the_error

            diagnosis = about_the_error(diagnosis, getattr(of, "__name__", ""), failure.got)
    hint = f"{HINT}{diagnosis.nudge}" if diagnosis is not None else ""
    return CheckFailed(message + hint, diagnosis=diagnosis, of=of)
