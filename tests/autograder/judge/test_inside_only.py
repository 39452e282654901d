"""Tests that must run inside of the jail: outside, even the answer key does not pass them."""

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from autograder.judge import Uses, judge
from tests.autograder.grading_helpers import asked

BAG = """
class Bag:
    def __init__(self, items): self._items = list(items)
    @property
    def items(self): return self._items.copy()
"""
TOO, ONE = "the program has, too", "whether two values are one"


@pytest.mark.parametrize(
    ("key", "test", "told"),
    [
        (BAG, "given = [1]\nbag = Bag(given)\ngiven.append(2)\nassert bag.items == [1]", TOO),
        (BAG, "bag = Bag([1])\nbag.items.append(2)\nassert bag.items == [1]", TOO),
        (BAG, "one, other = Bag([]), Bag([])\none.items.append(2)\nassert other.items == []", TOO),
        (BAG, "bag = Bag([1])\nassert bag.items is not bag.items", ONE),
        ("row = [1]\nboard = [row[:]]", "assert row is not board[0]", ONE),
        ("row = [1]\nother = tuple(row)", "assert not row is other", ONE),
        ("total = 0\ndef f():\n    global total\n    total += 1", "f()\nassert total == 1", ""),
        ("seen = []\ndef f(): seen.append(1)", "f()\nassert seen == [1]", ""),
        ("seen = []\ndef f(): return len(seen)", "seen.append(1)\nassert f() == 1", ""),
        ("seen = []\ndef f(): return len(seen)", "seen.append(1)\nassert seen", ""),
    ],
)
def test_a_test_that_shares_values_with_the_program_is_not_for_outside(
    jail: WarmJail, key: str, test: str, told: str
):
    [check] = judge(asked(key, (test,)), jail, Uses(is_learning=True)).checks
    assert check.outcome in ((Outcome.ERROR,) if told else (Outcome.ERROR, Outcome.FAILED))
    assert check.points == 0
    assert told in check.message


DECK = """
class Card: pass
class Deck:
    def __init__(self): self.cards = [Card(), Card()]
    def top(self): return self.cards[0]
"""


@pytest.mark.parametrize(
    "test",
    [
        "assert deck.top() in cards",
        "assert deck.cards == cards",
        "assert cards.index(deck.top()) == 0",
        "import unittest\nunittest.TestCase().assertIn(deck.top(), cards)",
    ],
)
def test_no_object_is_found_in_a_list_without_asking_it(jail: WarmJail, test: str):
    """Another right program has no such object in the list; of it, nobody could ask `==`."""
    test = f"deck = Deck()\ncards = deck.cards\nassert deck.top() is cards[0]\n{test}"
    [check] = judge(asked(DECK, (test,)), jail, Uses(is_learning=True)).checks
    assert "__eq__ of a Card instance: only a test beside the program can ask" in check.message
    assert check.line == len(test.splitlines())


def test_what_can_not_be_told_as_it_is_is_not_told(jail: WarmJail):
    tests = ("class Name(str): pass\nassert f(Name('a')) == 'Name'", "assert f('a') == 'str'")
    [told, plain] = judge(asked("def f(s): return type(s).__name__", tests), jail).checks
    assert (told.points, plain.points) == (0.0, 1.0)
    assert "cannot be given to the student's code" in told.message
