"""Facts about games: equal for all right games, in whatever way they draw random numbers."""

from random import Random

import pytest

from course.hints.diagnosis import diagnose
from course.hints.fact_comparison import UNKNOWN, agrees, digests
from course.hints.mistakes import probes_of
from course.hints.object_facts import game, values_of
from course.hints.observe import call_of, observe
from course.rules import Game, new_board

PROBES = [call_of(probe) for probe in probes_of("Game")[1]]
PLAYED = [("plays", ((2, 2), ["left"], 0.1)), ("apart", ()), ("chance", ())]


def drive(make, probes):
    return values_of(game(make, probes))


class OtherChance(Game):
    """A right game that ignores `rng` and draws other random numbers each time."""

    own = Random(1)

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        super().__init__(height, width, Random(self.own.random()), p_four)


@pytest.mark.deep
def test_facts_do_not_depend_on_chance():
    plays = [probe for probe in PROBES if probe[0] not in ("chance", "first_chance", "restarts")]
    wanted = drive(Game, plays)
    assert all(drive(OtherChance, plays) == wanted for _ in range(100))


def test_a_right_game_has_no_fault_and_one_with_chance_of_its_own_has():
    assert observe(Game, "game", ["apart()", "chance()"]).facts == [[], []]
    assert drive(OtherChance, [("chance", ())]) != [[]]


@pytest.mark.parametrize(
    ("error", "fact"),
    [(NotImplementedError(), UNKNOWN), (KeyError("board"), [{"error": "raises KeyError"}])],
    ids=["not written yet", "wrong"],
)
def test_of_a_game_that_can_not_be_made_its_error_is_a_fact_if_it_is_written(error, fact):
    class Broken:
        def __init__(self, height=4, width=4, rng=None, p_four=0.1):
            raise error

    assert drive(Broken, PLAYED) == [fact] * 3


class Begun:
    """A right game that is not finished: its only method is `__init__`."""

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        self.board = new_board(height, width, rng or Random(), p_four)
        self.score = 0
        self.moves = 0


class BegunWrong(Begun):
    """A game that always begins with 4 × 4 squares."""

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        super().__init__(4, 4, rng, p_four)


def test_what_is_there_of_a_growing_game_is_compared_and_the_rest_is_not():
    right = digests(drive(Game, PROBES))
    assert agrees(digests(drive(Begun, PROBES)), right)
    assert not agrees(digests(drive(BegunWrong, PROBES)), right)
    BegunWrong.__name__ = "Game"
    assert diagnose(BegunWrong).id == "game-always-four"


def test_a_wrong_direction_is_seen_as_its_error():
    seen = drive(Game, [("plays", ([[2, 2]], ["sideways"], 0.1))])
    assert seen[0][1][0] == {"error": "raises ValueError"}


def test_a_method_in_place_of_a_property_is_seen():
    class Method(Game):
        def is_over(self):
            return False

    before = drive(Method, [("plays", ([[2, 2]], [], 0.1))])[0][0]
    assert {"a": "method"} in before


def test_an_agent_without_push_gets_a_hint_at_how_it_places():
    class Agent:
        def place(self, view):
            return None

    assert diagnose(Agent).id == "forgets-return"
