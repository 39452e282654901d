"""Asking agents under check: their answers, and what is wrong if there is no answer."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from course.answers import Answer, error_text, lacks, lacks_text
from course.playing.thinking import thought
from course.playing.view import Phase, View

# Agents in another process are asked several at once: as many as can answer in about this time.
_MOMENT = 0.25  # seconds
_FIRST, _MOST = 4, 50


class TooSlow(Exception):  # noqa: N818 — what becomes of the agent
    """The error raised if an agent has used up its time; its message is for the agent's author."""


class Examiner:
    """A questioner of agents of one class, until they have used up `seconds` together.

    After that, it raises `TooSlow`. An agent that never comes back is not stopped here.

    >>> from course.playing import RandomAgent
    >>> examiner = Examiner(RandomAgent, seconds=5)
    >>> examiner.ask("push", examiner.agents(1), [{"legal": ["up"]}])[0].value
    'up'
    """

    def __init__(self, make: Callable[..., Any], seconds: float) -> None:
        self._make = make
        self._seconds = seconds
        self._used = defaultdict[str, float](float)
        self._times = Counter[str]()
        self._methods: dict[str, Callable[..., Any]] = {}

    def agents(self, count: int) -> list[Any]:
        """Return `count` new agents. Raises `TooSlow`, and what the class raises."""
        made = []
        for _ in range(count):
            with self._timed("making one", 1):
                made.append(self._make())
        return made

    def ask(self, phase: Phase, agents: Sequence[Any], views: Sequence[View]) -> list[Answer]:
        """Return the answer of each agent to its view.

        Each agent itself is asked, and not a copy of it, because it may remember. Raises `TooSlow`.
        """
        answers: list[Answer] = []
        while len(answers) < len(agents):
            some = slice(len(answers), len(answers) + self._at_once(phase))
            with self._timed(phase, len(agents[some])):
                answers += self._asked(phase, agents[some], views[some])
        return answers

    def problem(self, phase: Phase, answer: Answer) -> str | None:
        """Return a text that says why an agent gave no answer, or `None` if it gave one."""
        if answer.error is None:
            return None
        if lacks(answer.error, phase):
            return "  " + lacks_text(getattr(self._make, "__name__", "Agent"), phase)
        return f"  got       {error_text(answer.error)}"

    def _asked(self, phase: Phase, agents: Sequence[Any], views: Sequence[View]) -> list[Answer]:
        try:
            method = self._methods.get(phase) or getattr(self._make, phase)
        except AttributeError as error:
            return [Answer(None, error, ())] * len(views)
        self._methods[phase] = method
        batch = getattr(method, "values_many", None)
        if batch is not None:
            return list(batch([[agent, view] for agent, view in zip(agents, views, strict=True)]))
        return [_answer(method, agent, view) for agent, view in zip(agents, views, strict=True)]

    def _at_once(self, phase: Phase) -> int:
        if not self._times[phase]:
            return _FIRST
        each = max(self._used[phase] / self._times[phase], _MOMENT / _MOST)  # clocks may be coarse
        return max(1, int(_MOMENT / each))

    @contextmanager
    def _timed(self, what: str, times: int) -> Iterator[None]:
        begin = thought()
        yield
        self._used[what] += thought() - begin
        self._times[what] += times
        if sum(self._used.values()) > self._seconds:
            raise TooSlow(self._told())

    def _told(self) -> str:
        what = max(self._used, key=self._used.__getitem__)
        each = self._used[what] / self._times[what]
        told = f"your agent took longer than {self._seconds:g} s"
        return f"{told}: {what} took about {each:.1g} s each time"


def _answer(method: Callable[..., Any], agent: Any, view: View) -> Answer:
    try:
        return Answer(method(agent, view), None, ())
    except Exception as error:
        return Answer(None, error, ())
