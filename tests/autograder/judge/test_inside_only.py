"""Tests that must run inside of the jail: outside, even the answer key does not pass them."""

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from autograder.judge import Uses
from tests.autograder.judge.test_answer_key_uses import verdict


@pytest.mark.parametrize(
    "test",
    [
        "given = [1]\nbag = Bag(given)\ngiven.append(2)\nassert bag.items == [1]",
        "bag = Bag([1])\nbag.items.append(2)\nassert bag.items == [1]",
        "one, other = Bag([]), Bag([])\none.items.append(2)\nassert other.items == []",
    ],
)
def test_a_test_that_changes_what_the_program_has_is_not_for_outside(jail: WarmJail, test: str):
    key = "class Bag:\n    def __init__(self, items): self._items = list(items)\n"
    key += "    @property\n    def items(self): return list(self._items)"
    [check] = verdict(jail, key, (test,), Uses(is_learning=True)).checks
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "the program has, too" in check.message


@pytest.mark.parametrize(
    ("key", "test"),
    [
        ("total = 0\ndef f():\n    global total\n    total += 1", "f()\nassert total == 1"),
        ("seen = []\ndef f(): seen.append(1)", "f()\nassert seen == [1]"),
        ("seen = []\ndef f(): return len(seen)", "seen.append(1)\nassert f() == 1"),
        ("seen = []\ndef f(): return len(seen)", "seen.append(1)\nassert seen"),
    ],
)
def test_a_test_that_sees_a_variable_change_is_not_for_outside(jail: WarmJail, key: str, test: str):
    [check] = verdict(jail, key, (test,), Uses(is_learning=True)).checks
    assert check.outcome in (Outcome.ERROR, Outcome.FAILED)


def test_what_can_not_be_told_as_it_is_is_not_told(jail: WarmJail):
    tests = ("class Name(str): pass\nassert f(Name('a')) == 'Name'", "assert f('a') == 'str'")
    [told, plain] = verdict(jail, "def f(s): return type(s).__name__", tests, Uses()).checks
    assert (told.points, plain.points) == (0.0, 1.0)
    assert "cannot be given to the student's code" in told.message
