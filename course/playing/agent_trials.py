"""Agents under check: what they answer, and how many duels they win.

An agent is graded by its strength, so its mistakes must show in what it wins, and luck must not
decide. The numbers of all games are fixed: a deterministic agent always gets the same verdict. But
each agent meets them in its own way, so to each they are as good as random.

Of 20 games against chance, 16 are to be won. An agent that plays by chance itself wins half of
them; the probability that it wins 16 is 0.6 %. One that places at home wins nearly all.

Of 40 games against the greedy agent, 19 are to be won. Between equal agents the first player wins
about 19 of 20, so an agent that is just as strong wins 20 on average. With a probability of 13 %,
bad luck leaves it below 19; this is the price for telling it from weaker ones. The solution of the
lesson wins 91 % as the first player and 24 % as the second (of 200 games): it misses 19 with a
probability of 3 %, and wins 25 of these 40. An agent that takes the first legal direction wins 56 %
and 2 %, and gets to 19 with a probability of 0.5 %. One that always pushes for the first player
wins 18, and none of them as the second: the message says so.
`tests/course/playing/test_agent_trials.py` calculates these numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from course.function_calls import Answer, error_text, lacks, lacks_text
from course.playing import OPPONENTS, Duel, RandomAgent, Reason, public_numbers
from course.playing.duel_phases import Choice, Phase, View, chosen, thought
from course.rules.duel import empties

ROUNDS = 30  # of a duel under check: the board is full long before
SECONDS = 8.0  # of processor time for an agent in all games of a check; half for answers alone
PHASES: tuple[Phase, Phase] = ("place", "push")
_OPPONENT = {"chance": "an agent that plays by chance", "greedy": "the greedy agent"}

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
            at_once = _FIRST
            if self._times[phase]:
                each = self._used[phase] / self._times[phase]
                at_once = max(1, int(_MOMENT / max(each, _MOMENT / _MOST)))  # clocks may be coarse
            some = slice(len(answers), len(answers) + at_once)
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
        answers = []
        for agent, view in zip(agents, views, strict=True):
            try:
                answers.append(Answer(method(agent, view), None, ()))
            except Exception as error:
                answers.append(Answer(None, error, ()))
        return answers

    @contextmanager
    def _timed(self, what: str, times: int) -> Iterator[None]:
        begin = thought()
        yield
        self._used[what] += thought() - begin
        self._times[what] += times
        if sum(self._used.values()) > self._seconds:
            slowest = max(self._used, key=self._used.__getitem__)
            each = self._used[slowest] / self._times[slowest]
            told = f"your agent took longer than {self._seconds:g} s"
            raise TooSlow(f"{told}: {slowest} took about {each:.1g} s each time")


def answers_problem(make: Callable[..., Any], phase: Phase, seed: int, games: int) -> str | None:
    """Return a text on what is wrong with an agent's answers in random games, or `None`.

    A new agent is made for each view, so its answer can depend only on what it is shown.
    """
    views, examiner = _views(phase, seed, games), Examiner(make, SECONDS / 2)
    try:
        answers = examiner.ask(phase, examiner.agents(len(views)), deepcopy(views))
    except TooSlow as slow:
        told = f"agent.{phase}(view), {len(views)} times"
        return f"{told}\n  expected  a legal answer each time\n  got       {slow}"
    for view, answer in zip(views, answers, strict=True):
        problem = examiner.problem(phase, answer)
        if problem is None and chosen(answer.value, view["legal"]) is None:
            problem = f"  expected  one of {view['legal']}\n  got       {answer.value!r}"
        if problem is not None:
            shown = {name: view[name] for name in ("board", "player", "legal")}
            return f"agent.{phase}(view)\n  view      {shown}\n{problem}"
    return None


def duels_problem(
    make: Callable[..., Any], against: str, games: int, wins: int, seed: int
) -> str | None:
    """Return a text on what is wrong if an agent wins too few of its games, or `None`.

    The agent is the first player in every second game. All games are played side by side, so that
    an agent in another process is asked for all of them at once.
    """
    players = [1 if game % 2 == 0 else -1 for game in range(games)]
    duels = [Duel(public_numbers(f"{seed} {game}", ROUNDS)) for game in range(games)]
    told = f"{games} duels against {_OPPONENT[against]}\n  expected  {wins} won, or more\n"
    try:
        _play(make, duels, players, [OPPONENTS[against](seed + game) for game in range(games)])
    except TooSlow as slow:
        return f"{told}  got       {slow}"
    played = list(zip(duels, players, strict=True))
    won = sum(duel.winner == player for duel, player in played)
    if won >= wins:
        return None
    drawn = sum(duel.winner == 0 for duel in duels)
    as_first = sum(duel.winner == 1 == player for duel, player in played)
    told += f"  got       {won} won, {drawn} drawn, {games - won - drawn} lost\n"
    told += f"  of those won, {as_first} as the first player and {won - as_first} as the second"
    if as_first > won - as_first == 0:
        told += "\n  does it see the board with the eyes of the second player, too?"
    ended = [duel for duel, player in played if duel.winner == -player]
    lost = [duel for duel in ended if duel.reason != Reason.TILES]
    if lost:
        told += f"\n  {len(lost)} of them ended at once: {lost[0].reason}: {lost[0].detail}"
    return told


def _play(
    make: Callable[..., Any], duels: list[Duel], players: list[int], opponents: list[Any]
) -> None:
    """Play all duels to their ends: the opponents answer until our agents are asked, all at once.

    Phases without a legal answer are skipped.
    """
    examiner = Examiner(make, SECONDS)
    agents = examiner.agents(len(duels))
    while True:
        for duel, player, opponent in zip(duels, players, opponents, strict=True):
            while not duel.is_over and not (duel.player == player and duel.legal):
                duel.answer(getattr(opponent, duel.phase)(duel.view()) if duel.legal else None)
        waiting = [number for number, duel in enumerate(duels) if not duel.is_over]
        if not waiting:
            return
        turns = {phase: [n for n in waiting if duels[n].phase == phase] for phase in PHASES}
        for phase, turn in turns.items():
            views = [duels[number].view() for number in turn]
            answers = examiner.ask(phase, [agents[number] for number in turn], views)
            for number, answer in zip(turn, answers, strict=True):
                problem = examiner.problem(phase, answer)
                if problem is None:
                    duels[number].answer(answer.value)
                else:
                    said = problem.strip().removeprefix("got").strip()
                    duels[number].lose(players[number], Reason.ERROR, said)


@cache
def _views(phase: Phase, seed: int, games: int) -> tuple[View, ...]:
    """Return the last view that each player gets in random games of different lengths.

    For placing, the same views follow with no empty square at home.
    """
    rng, views = Random(f"agents under check {seed}"), list[View]()
    for game in range(games):
        duel = Duel(public_numbers(f"{seed} {game}", rng.randint(1, ROUNDS)))
        by_chance = RandomAgent(game)
        last: dict[int, View] = {}
        while not duel.is_over:
            if duel.phase == phase and duel.legal:
                last[duel.player] = duel.view()
            duel.answer(getattr(by_chance, duel.phase)(duel.view()) if duel.legal else None)
        views += last.values()
        if phase == "place":
            views += map(_full_at_home, last.values())
    return tuple(views)


def _full_at_home(view: View) -> View:
    """Return a view with no empty square at home, or as it is if nothing would then be legal."""
    player, board = view["player"], [row[:] for row in view["board"]]
    for at, (row, column) in enumerate(empties(board, player)):
        board[row][column] = player * 2 ** (1 + at % 5)
    legal: list[Choice] = [*empties(board, -player)]
    return {**view, "board": board, "legal": legal} if legal else view
