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
`tests/course/playing/test_trials.py` calculates these numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from course.playing import Duel, GreedyAgent, RandomAgent, Reason, public_numbers
from course.playing.asking import Examiner, TooSlow
from course.playing.view import Choice, Phase, View
from course.rules.duel import empties

ROUNDS = 30  # of a duel under check: the board is full long before
SECONDS = 8.0  # of processor time for an agent in all games of a check; half for answers alone
PHASES: tuple[Phase, Phase] = ("place", "push")
OPPONENTS: dict[str, Callable[[int], Any]] = {
    "chance": RandomAgent,
    "greedy": lambda seed: GreedyAgent(),
}


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
        if problem is None and not _is_one_of(answer.value, view["legal"]):
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
    won = sum(duel.winner == player for duel, player in zip(duels, players, strict=True))
    if won >= wins:
        return None
    drawn = sum(duel.winner == 0 for duel in duels)
    as_first = sum(duel.winner == 1 == player for duel, player in zip(duels, players, strict=True))
    told += f"  got       {won} won, {drawn} drawn, {games - won - drawn} lost\n"
    told += f"  of those won, {as_first} as the first player and {won - as_first} as the second"
    if as_first > won - as_first == 0:
        told += "\n  does it see the board with the eyes of the second player, too?"
    lost = [
        duel
        for duel, player in zip(duels, players, strict=True)
        if duel.winner == -player and duel.reason != Reason.TILES
    ]
    if lost:
        told += f"\n  {len(lost)} of them ended at once: {lost[0].reason}: {lost[0].detail}"
    return told


_OPPONENT = {"chance": "an agent that plays by chance", "greedy": "the greedy agent"}


def _play(
    make: Callable[..., Any], duels: list[Duel], players: list[int], opponents: list[Any]
) -> None:
    examiner = Examiner(make, SECONDS)
    agents = examiner.agents(len(duels))
    while True:
        for duel, player, opponent in zip(duels, players, opponents, strict=True):
            _go_on(duel, player, opponent)
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


def _go_on(duel: Duel, player: int, opponent: Any) -> None:
    """Let the opponent answer, and skip phases without a legal answer, until our agent is asked."""
    while not duel.is_over and not (duel.player == player and duel.legal):
        if not duel.legal:
            duel.answer(None)
        else:
            duel.answer(getattr(opponent, duel.phase)(duel.view()))


def _is_one_of(value: Any, legal: Sequence[Any]) -> bool:
    exact = type(value) is str or (type(value) is tuple and {*map(type, value)} <= {int})
    return exact and value in legal


@cache
def _views(phase: Phase, seed: int, games: int) -> tuple[View, ...]:
    """Return the last view that each player gets in random games of different lengths.

    For placing, the same views follow with no empty square at home.
    """
    return tuple(_seen(phase, seed, games))


def _seen(phase: Phase, seed: int, games: int) -> Iterator[View]:
    rng = Random(f"agents under check {seed}")
    for game in range(games):
        duel, by_chance = (
            Duel(public_numbers(f"{seed} {game}", rng.randint(1, ROUNDS))),
            RandomAgent(game),
        )
        last: dict[int, View] = {}
        while not duel.is_over:
            if duel.phase == phase and duel.legal:
                last[duel.player] = duel.view()
            duel.answer(getattr(by_chance, duel.phase)(duel.view()) if duel.legal else None)
        yield from last.values()
        if phase == "place":
            yield from map(_full_at_home, last.values())


def _full_at_home(view: View) -> View:
    """Return a view with no empty square at home, or as it is if nothing would then be legal."""
    player, board = view["player"], [row[:] for row in view["board"]]
    for at, (row, column) in enumerate(empties(board, player)):
        board[row][column] = player * 2 ** (1 + at % 5)
    legal: list[Choice] = [*empties(board, -player)]
    return {**view, "board": board, "legal": legal} if legal else view
