"""Checks of a learner's agents: legal answers, duels to win, and the influence of luck."""

import sys
from itertools import product
from math import comb
from time import process_time

import pytest

from course import rules
from course.checks import CheckFailed, agent_checks, check
from course.checks.agent_checks import PHASES, answers_problem, duels_problem
from course.playing import GreedyAgent, LookAheadAgent, RandomAgent
from course.playing.agents import worth
from course.rules import Agent, push
from course.rules.duel import empties
from tests.parametrize_marks import some_in_every_run


def after(view, way):
    return push(view["board"], view["player"], way)


class ForTheFirst(Agent):
    """An agent that pushes as if it were always the first player."""

    def push(self, view):
        return max(view["legal"], key=lambda way: worth(after(view, way), 1))


class FirstLegal(Agent):
    """An agent that chooses the first legal direction."""

    def push(self, view):
        return view["legal"][0]


class Chance(RandomAgent):
    """An agent that plays by chance, always with the same seed."""

    def __init__(self):
        super().__init__(7)


def test_our_own_agents_answer_legally_wherever_they_are_asked():
    for make, phase in product((Agent, FirstLegal, RandomAgent, GreedyAgent), PHASES):
        assert answers_problem(make, phase, 1, 10) is None
    assert answers_problem(LookAheadAgent, "push", 1, 2) is None


def test_an_agent_is_asked_where_its_own_territory_is_full_and_may_spoil_its_view():
    asked = []

    class Spoils(Agent):
        def place(self, view):
            asked.append(empties(view["board"], view["player"]))
            answer = view["legal"].pop()
            view.clear()
            return answer

    assert answers_problem(Spoils, "place", 1, 10) is None
    assert answers_problem(Spoils, "place", 1, 10) is None
    assert [] in asked
    assert any(asked)


def test_an_agent_is_asked_with_one_legal_answer_and_far_behind():
    class StartsLow(Agent):
        def push(self, view):
            good = [way for way in view["legal"] if worth(after(view, way), view["player"]) > -1000]
            return good[0] if good else None

    class TakesTheSecond(Agent):
        def place(self, view):
            return view["legal"][1]

    assert "got       None" in answers_problem(StartsLow, "push", 1, 10)
    assert "IndexError" in answers_problem(TakesTheSecond, "place", 1, 10)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda view: None, "got       None"),
        (lambda view: [*view["legal"][0]], "got       ["),
        (lambda view: (9, 9), "got       (9, 9)"),
        (lambda view: (True, False), "got       (True, False)"),
        (lambda view: view["nothing"], "KeyError"),
        (lambda view: sys.exit(), "got       SystemExit"),
    ],
)
def test_an_answer_that_is_not_legal_is_shown_with_its_view(answer, said):
    class Odd(Agent):
        def place(self, view):
            return answer(view)

    with pytest.raises(CheckFailed) as failed:
        check.agent(Odd, "place")
    assert str(failed.value).startswith("agent.place(view)\n  view      {'board': ")
    assert said in str(failed.value)


def slow_in(part: str) -> type:
    """Return a class of agents whose method `part` is slow."""

    def slow(self, *given):
        end = process_time() + 0.02
        while process_time() < end:
            pass
        return getattr(rules.Agent, part)(self, *given)

    return type("Agent", (Agent,), {part: slow})


@pytest.mark.parametrize(
    ("part", "what"),
    some_in_every_run(
        {"place": ("place", "place"), "push": ("push", "push"), "init": ("__init__", "making one")},
        ["init"],
    ),
)
def test_an_agent_that_takes_too_long_is_ended_and_told_so(monkeypatch, part, what):
    monkeypatch.setattr(agent_checks, "SECONDS", 0.3)
    said = rf"your agent took longer than 0\.%d s: {what} took about 0\.\d+ s each time"
    with pytest.raises(CheckFailed, match=said % 3):
        check.duels(slow_in(part), against="greedy", games=40, wins=19)
    if part != "push":
        with pytest.raises(CheckFailed, match=said % 15):
            check.agent(slow_in(part), "place")


@pytest.mark.parametrize(
    ("make", "chance", "greedy"),
    some_in_every_run(
        {
            "solution": (Agent, True, True),
            "greedy": (GreedyAgent, True, True),
            "chance": (Chance, False, False),
            "first": (FirstLegal, True, False),
            "for the first player": (ForTheFirst, True, False),
        },
        ["solution", "chance", "for the first player"],
    ),
)
def test_the_solution_passes_and_what_is_weaker_fails(make, chance, greedy):
    assert (duels_problem(make, "chance", 20, 16, seed=1) is None) == chance
    told = duels_problem(make, "greedy", 40, 19, seed=1)
    assert (told is None) == greedy
    assert greedy or "ended at once" not in told
    if make is ForTheFirst:
        assert "18 as the first player and 0 as the second" in told


def test_no_duel_is_played_after_the_last_win_that_is_needed(monkeypatch):
    played = []
    monkeypatch.setattr(
        agent_checks, "_play", lambda _, contests: played.extend(contests) or won(contests)
    )

    def won(contests):
        for duel, player, _ in contests:
            duel.lose(-player, agent_checks.Reason.TILES)

    assert duels_problem(Agent, "greedy", 40, 19, seed=1) is None
    assert len(played) == 20
    played.clear()
    assert "40 won" in duels_problem(Agent, "greedy", 40, 41, seed=1)
    assert len(played) == 40


def reaches(wins: int, games: int, first: float, second: float) -> float:
    """Return the probability of at least `wins` wins, if each side is played in half of the games.

    `first` and `second` are the probabilities of a win as the first and as the second player.
    """
    half = games // 2

    def exactly(count: int, share: float) -> float:
        return comb(half, count) * share**count * (1 - share) ** (half - count)

    pairs = [(a, b) for a in range(half + 1) for b in range(half + 1) if a + b >= wins]
    return sum(exactly(a, first) * exactly(b, second) for a, b in pairs)


def test_luck_decides_as_seldom_as_is_said():
    assert reaches(16, 20, 0.5, 0.5) < 0.006  # a random agent against another one
    assert 0.12 < 1 - reaches(19, 40, 0.95, 0.05) < 0.14  # one as strong as the greedy agent fails
    assert 1 - reaches(19, 40, 0.91, 0.24) < 0.04  # the lesson's solution fails
    assert reaches(19, 40, 0.56, 0.02) < 0.006  # the agent with the first legal direction passes
