"""Checks of a learner's agents for the duel: their answers, and the number of duels that they win.

An agent is a program that plays the duel; a view is all that it gets to know before it answers.
Luck must not decide the grade of an agent: `README.md` says with what probability it does. Several
agents are asked at once, because that takes only one message if they are in another process.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from course.cases.case_cache import made_once
from course.function_calls import Answer, Tested
from course.plain_errors import error_text
from course.playing import OPPONENTS, Duel, RandomAgent, Reason, public_numbers
from course.playing.duel_engine import Choice, Phase, View, chosen, thought
from course.refusal import lacks, lacks_text
from course.rules.duel import WIDTH, empties, legal_directions, territory

ROUNDS = 30  # in a duel of a check: the board is full long before the last round
SECONDS = 8.0  # of processor time for all agents of a check of duels; `answers_problem` gives half
Contest = tuple[Duel, int, Any]  # a duel, the player that the agent is (1 or -1), its opponent
PHASES: tuple[Phase, Phase] = ("place", "push")
_OPPONENT = {"chance": "an agent that plays by chance", "greedy": "the greedy agent"}
_MOMENT = 0.25  # seconds: one message asks as many agents as can answer in about this time
_FIRST, _MOST = 4, 50  # agents asked by the first message, and by any one message
_GROUP = 5  # duels as the second player that are played between two counts of the wins


class TooSlow(Exception):  # noqa: N818 — it is no error of the course
    """The error raised if agents have used up their time; its text is for the learner."""


class Examiner:
    """An object that makes agents of one class, asks them for answers, and measures their time.

    As soon as these agents together have used more than `seconds` of processor time, its methods
    raise `TooSlow`. This class does not stop an agent that never returns.
    """

    def __init__(self, make: Tested, seconds: float) -> None:
        self._make = make
        self._seconds = seconds
        self._used = defaultdict[str, float](float)
        self._times = Counter[str]()
        self._methods: dict[str, Callable[..., Any]] = {}
        self._alone = set[str]()

    def agents(self, count: int) -> list[Any]:
        """Return `count` new agents; raise any error that the class raises."""
        made = []
        for _ in range(count):
            with self._timed("making one", 1):
                made.append(self._make())
        return made

    def ask(self, phase: Phase, agents: Sequence[Any], views: Sequence[View]) -> list[Answer]:
        """Return each agent's answer to its view. No agent is copied, since agents may remember."""
        answers: list[Answer] = []
        while len(answers) < len(agents):
            at_once = _FIRST
            if self._times[phase]:
                each = self._used[phase] / self._times[phase]
                at_once = max(1, int(_MOMENT / max(each, _MOMENT / _MOST)))  # `each` may be 0 s
            some = slice(len(answers), len(answers) + at_once)
            with self._timed(phase, len(agents[some])):
                answers += self._asked(phase, agents[some], views[some])
        return answers

    def problem(self, phase: Phase, answer: Answer) -> str | None:
        """Return a text on the error that an agent raised, or `None` if it gave an answer."""
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
        if batch is not None and phase not in self._alone:
            answers = list(batch([list(pair) for pair in zip(agents, views, strict=True)]))
            if not isinstance(answers[0].error, TypeError):
                return answers
            self._alone.add(phase)  # a static method takes no agent, so ask each agent by itself
        answers = []
        for agent, view in zip(agents, views, strict=True):
            try:
                answers.append(Answer(getattr(agent, phase)(view), None, ()))
            except (Exception, SystemExit) as error:
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


def answers_problem(make: Tested, phase: Phase, seed: int, games: int) -> str | None:
    """Return a text on the first agent that gives no legal answer, or `None` if each gives one.

    The views are from duels of random moves. Each is passed to a new agent, so that no answer can
    depend on earlier views. If the agents use too much time, the text says so.
    """
    views, examiner = _views(phase, seed, games), Examiner(make, SECONDS / 2)
    try:
        answers = examiner.ask(phase, examiner.agents(len(views)), _views(phase, seed, games))
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


def duels_problem(make: Tested, against: str, games: int, wins: int, seed: int) -> str | None:
    """Return a text on the duels of an agent, or `None` if it wins at least `wins` of them.

    The opponent is `OPPONENTS[against]`. The agent is the first player in every second duel; these
    duels are played first. The others are played in groups, until the agent has won `wins` duels.
    If the agent uses too much time, the text says so.
    """
    duels = [Duel(public_numbers(f"{seed} {game}", ROUNDS)) for game in range(games)]
    opponents = [OPPONENTS[against](seed + game) for game in range(games)]
    played: list[Contest] = list(zip(duels, [1, -1] * games, opponents, strict=False))
    as_second = played[1::2]
    groups = [as_second[at : at + _GROUP] for at in range(0, len(as_second), _GROUP)]
    examiner = Examiner(make, SECONDS)
    told = f"{games} duels against {_OPPONENT[against]}\n  expected  {wins} won, or more\n"
    won = 0
    for group in [played[::2], *groups]:
        try:
            _play(examiner, group)
        except TooSlow as slow:
            return f"{told}  got       {slow}"
        won += sum(duel.winner == player for duel, player, _ in group)
        if won >= wins:
            return None
    drawn = sum(duel.winner == 0 for duel in duels)
    as_first = sum(duel.winner == 1 == player for duel, player, _ in played)
    told += f"  got       {won} won, {drawn} drawn, {games - won - drawn} lost\n"
    told += f"  of those won, {as_first} as the first player and {won - as_first} as the second"
    if as_first > won - as_first == 0:
        told += "\n  does it see the board with the eyes of the second player, too?"
    ended = [duel for duel, player, _ in played if duel.winner == -player]
    if lost := [duel for duel in ended if duel.reason != Reason.TILES]:
        told += f"\n  {len(lost)} of them ended at once: {lost[0].reason}: {lost[0].detail}"
    return told


def _play(examiner: Examiner, contests: list[Contest]) -> None:
    """Play some duels to their ends, side by side, between agents under check and opponents.

    In each duel, the opponent answers until the agent under check must answer. When all duels have
    come to this point, these agents are asked together. Phases without a legal answer are skipped.
    """
    agents = examiner.agents(len(contests))
    while True:
        for duel, player, opponent in contests:
            while not duel.is_over and not (duel.player == player and duel.legal):
                duel.answer(getattr(opponent, duel.phase)(duel.view()) if duel.legal else None)
        pairs = zip(agents, contests, strict=True)
        waiting = [(agent, duel, player) for agent, (duel, player, _) in pairs if not duel.is_over]
        if not waiting:
            return
        turns = {phase: [each for each in waiting if each[1].phase == phase] for phase in PHASES}
        for phase, turn in turns.items():
            views = [duel.view() for _, duel, _ in turn]
            answers = examiner.ask(phase, [agent for agent, _, _ in turn], views)
            for (_, duel, player), answer in zip(turn, answers, strict=True):
                problem = examiner.problem(phase, answer)
                if problem is None:
                    duel.answer(answer.value)
                else:
                    duel.lose(player, Reason.ERROR, problem.strip().removeprefix("got").strip())


@made_once
def _views(phase: Phase, seed: int, games: int) -> list[View]:
    """Return views for a phase: the last view that each player gets in duels of random lengths.

    Both players choose at random. Each view is followed by rare views that are made from it.
    """
    rng, views = Random(f"agents under check {seed}"), list[View]()
    rare = _rare_at_placing if phase == "place" else _rare_at_pushing
    for game in range(games):
        duel = Duel(public_numbers(f"{seed} {game}", rng.randint(1, ROUNDS)))
        by_chance = RandomAgent(game)
        last: dict[int, View] = {}
        while not duel.is_over:
            if duel.phase == phase and duel.legal:
                last[duel.player] = duel.view()
            duel.answer(getattr(by_chance, duel.phase)(duel.view()) if duel.legal else None)
        for view in last.values():
            views += [view, *rare(view)]
    return views


def _rare_at_placing(view: View) -> Iterator[View]:
    """Yield views in which a territory is full; in most of them, just one answer is legal.

    In the first, the player's own territory is full. In the second, all but one square of the other
    territory are full, too. In the third, only the other territory is full.
    """
    player, board = view["player"], view["board"]
    at_home, abroad = empties(board, player), empties(board, -player)
    own: list[Choice] = [square for square in view["legal"] if square in at_home]
    for filled, legal in (
        (at_home, list[Choice](abroad)),
        (at_home + abroad[1:], list[Choice](abroad[:1])),
        (abroad, own),
    ):
        if legal:
            full = [row[:] for row in board]
            for at, (row, column) in enumerate(filled):
                full[row][column] = territory((row, column)) * 2 ** (1 + at % 5)
            yield {**view, "board": full, "legal": legal}


def _rare_at_pushing(view: View) -> Iterator[View]:
    """Yield a view with an opponent far ahead, and a view in which only one push is legal.

    This push leads back to the player's own territory.
    """
    player, board = view["player"], view["board"]
    ahead = [[tile * 64 if tile * player < 0 else tile for tile in row] for row in board]
    if legal := legal_directions(ahead, player):
        yield {**view, "board": ahead, "legal": list[Choice](legal)}
    one_way = [[tile if tile * player < 0 else 0 for tile in row] for row in board]
    abroad = WIDTH // 2 if player == 1 else WIDTH // 2 - 1
    one_way[0][abroad] = player * 4096
    one_way[0][abroad - player] = 0
    yield {**view, "board": one_way, "legal": ["left" if player == 1 else "right"]}
