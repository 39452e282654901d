"""What the observer of games sees: the same facts of every right game, whatever its chance."""

from random import Random

from autograder.misconceptions import catalogue
from course.hints.drive import drive
from course.hints.observe import call_of, observe
from course.rules import Game

PROBES = [call_of(probe) for probe in catalogue("5-the-whole-game").probes["Game"]]


class OtherChance(Game):
    """A right game whose chance is never twice the same."""

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        super().__init__(height, width, Random(), p_four)


class Unfinished:
    """A game whose methods are still to be written."""

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        raise NotImplementedError


def test_facts_do_not_depend_on_chance():
    plays = [probe for probe in PROBES if probe[0] != "chance"]
    wanted = drive(Game, plays)
    assert all(drive(OtherChance, plays) == wanted for _ in range(100))


def test_a_right_game_has_no_fault():
    assert drive(Game, [("apart", ()), ("chance", ())]) == [[], []]


def test_a_game_with_chance_of_its_own_is_seen():
    assert drive(OtherChance, [("chance", ())]) != [[]]


def test_a_game_that_can_not_be_made_is_seen_as_its_error():
    assert (
        drive(Unfinished, [("plays", ((2, 2), ["left"], 0.1)), ("apart", ()), ("chance", ())])
        == [[{"raises": "NotImplementedError"}]] * 3
    )


def test_a_wrong_direction_is_seen_as_its_error():
    seen = drive(Game, [("plays", ([[2, 2]], ["sideways"], 0.1))])
    assert seen[0][1][0] == {"raises": "ValueError"}


def test_a_method_in_place_of_a_property_is_seen():
    class Method(Game):
        def is_over(self):
            return False

    before = drive(Method, [("plays", ([[2, 2]], [], 0.1))])[0][0]
    assert {"a": "method"} in before


def test_a_game_is_observed_by_its_name():
    assert observe(Game, "game", ["apart()"]) == [[]]
