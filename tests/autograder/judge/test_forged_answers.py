"""Answers of a program that are forged or huge: only the check that asked for them is lost."""

from typing import Any

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from autograder.judge import Uses, judge
from tests.autograder.grading_helpers import (
    asked,
    asks,
    limited,
    passed,
    student,
    submission,
    verdict_on,
)

DOUBLED = "answer = []\n    for _ in range(50): answer = [answer, answer]\n    return answer"
SHARED = """
from autograder.jail.inside import child
answer = [None, [[[]], [[0] * 1000, *[{"ref": 4}] * 5000]], False, False]
child.Server._one = lambda self, *call: answer
def merge(line): return line
"""


def test_a_patched_wire_can_not_break_the_judge(jail: WarmJail):
    student = """
from autograder.jail.inside import child
nonsense = {"answers": {}, "value": {"ref": 7}}
child.Server._many = child.Server._call = lambda self, question: nonsense
def merge(line): return line
"""
    for test in ("merge([])", "check.many(merge, [[2]], gives=[2])"):
        check = verdict_on(jail, student, test)
        assert (check.outcome, check.points) == (Outcome.CRASHED, 0)
        assert "makes no sense" in check.message


@pytest.mark.parametrize(
    "student", [f"def merge(line):\n    {DOUBLED}", SHARED], ids=["doubled", "shared rows"]
)
def test_an_answer_that_repeats_itself_is_not_written_out(jail: WarmJail, student: str):
    with limited(jail, call=0.5, cell=0.5):  # in a notebook, to compare it would take for ever
        check = verdict_on(jail, student, "check(merge, [2], gives=[2])")
    assert (check.outcome, check.points) == (Outcome.CRASHED, 0)
    assert "repeated too often" in check.message


def test_an_answer_may_share_its_rows(jail: WarmJail):
    student = "def merge(line):\n    row = [0] * 9\n    return [row] * 9"
    check = verdict_on(jail, student, "check(merge, [2], gives=[[0] * 9] * 9)")
    assert check.outcome is Outcome.PASSED


def test_a_text_without_end_costs_only_its_check(jail: WarmJail):
    student = "class merge:\n    def __str__(self): return '\\n' * 6_000_000"
    check = verdict_on(jail, student, "str(merge())")
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "too long" in check.message


BAG = """
class Bag:
    def __init__(self): self.kept = []
    def put(self, item): self.kept.append(item)
    def items(self): return self.kept[:]
    def copy(self):
        bag = Bag()
        bag.kept = self.kept[:]
        return bag
"""
LYING_BAG = """
class Full:
    def __len__(self): return 2
    def __iter__(self): return iter(())
class Bag:
    def put(self, item): pass
    def items(self): return Full()
    def copy(self): return self
"""
FILLED = "bag = ask(Bag)\nask(bag.put, 3)\nask(bag.put, 4)\ngot = ask(bag.items)\n"
COMPARED = "assert len(got) == 2\nfor a, b in zip(got, (3, 4)): assert a == b"
CHECK = f"def check(Bag):\n{FILLED}{COMPARED}".replace("\n", "\n    ")


@pytest.mark.parametrize(
    ("given", "test"),
    [
        ("", f"def ask(f, *more): return f(*more)\n{FILLED}{COMPARED}"),
        (f"def ask(f, *more): return f(*more)\n{CHECK}", "check(Bag)"),
        (
            "",
            "bag = Bag()\nbag.put(3)\nbag.put(4)\n"
            "found = {name: getattr(bag, name)() for name in ('copy', 'items')}\n"
            f"assert isinstance(found['copy'], Bag)\ngot = found['items']\n{COMPARED}",
        ),
    ],
    ids=["one function asks all", "helpers in helpers", "one line asks for two methods"],
)
def test_an_object_comes_only_where_the_answer_keys_came_whoever_asks(
    jail: WarmJail, given: str, test: str
):
    assert passed(jail, LYING_BAG, (test,), BAG, given) == set()


def test_an_object_in_an_argument_is_refused_though_nobody_uses_the_answer(jail: WarmJail):
    test = "board = [[2, 4]]\nturn(board)\nassert len(board[0]) == 2\n"
    test += "assert all(a == b for a, b in zip(board[0], (4, 2)))"
    lying = f"{LYING_BAG}def turn(board): board[:] = [Full()]"
    assert passed(jail, lying, (test,), "def turn(board): board[0].reverse()") == set()


def test_where_no_line_of_the_test_is_seen_to_ask_no_object_comes(jail: WarmJail):
    test = "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n"
    test += "    bag = pool.submit(Bag).result()"
    [check] = judge(asked(BAG, (test,)), jail, Uses(is_learning=True)).checks
    assert "where the answer key has plain data" in check.message  # so the test runs inside


@pytest.mark.parametrize("answer", ["About(0)", "[About(0)]", "About", "Near.ANY"])
def test_a_class_of_the_instructors_is_no_plain_data(jail: WarmJail, answer: str):
    given = """
from enum import Enum
class About:
    def __init__(self, number): self.number = number
    def __eq__(self, other): return abs(self.number - getattr(other, "number", other)) < 9
class Near(Enum):
    ANY = 1
    def __eq__(self, other): return True
"""
    test = "got = f()\nassert About(4) == 4 and (got == 4 or got == [4])\nassert 5 != got"
    program = f"def f(): return {answer}"
    assert passed(jail, program, (test,), "def f(): return 4", given) == set()


PILE = """
    def __init__(self): self.kept = []
    def put(self, x): self.kept.append(x)
    def top(self): return self.kept[-1]
    def __len__(self): return len(self.kept)
"""
PILES = {
    "a class": f"class Pile:{PILE}",
    "a list": "class Pile(list):\n    put = list.append\n    def top(self): return self[-1]",
    "a named tuple": "from collections import namedtuple\n"
    f"class Pile(namedtuple('Kept', 'kept')):{PILE}".replace(
        "__init__(self): self.kept = []", "__new__(cls): return super().__new__(cls, [])"
    ),
    "a dict": "class Pile(dict):\n    def put(self, x): self[len(self)] = x\n"
    "    def top(self): return self[len(self) - 1]",
    "can be called and is an iterator": f"class Pile:{PILE}"
    "    def __call__(self): return self.kept\n"
    "    def __iter__(self): return self\n    def __next__(self): return self.kept.pop()",
}


@pytest.mark.parametrize("kind", list(PILES)[1:])
def test_a_students_class_may_be_of_another_make_than_the_answer_keys(jail: WarmJail, kind: str):
    tests = (
        "pile = Pile()\npile.put(2)\npile.put(8)\nassert len(pile) == 2 and pile.top() == 8",
        "piles = Pile(), Pile()\npiles[1].put(5)\nassert [len(pile) for pile in piles] == [0, 1]",
        "assert pair()[0].x == 1",
    )
    both = "\nclass Point: x = 1\ndef pair(): return Point(), Point()"
    assert passed(jail, PILES[kind] + both, tests, PILES["a class"] + both) == set(tests)


FORGED = (
    [1, 2],
    {"kind": {}, "message": 5, "line": "x", "mistake": [1]},
    {"kind": "AssertionError", "cell": [], "in line": -3, "line": 10**9, "mistake": {"id": []}},
    {"kind": "CheckFailed", "message": "\x1b[2J", "mistake": {"id": "made-up", "title": "Praise"}},
)


@pytest.mark.parametrize("raised", FORGED)
def test_what_a_program_forges_of_a_released_test_gains_nothing(jail: WarmJail, raised: Any):
    merge = f"""
from autograder.jail.inside import child
child.Server._test = lambda self, question: {{"outputs": 5, "raised": {raised!r}}}
def merge(line): raise ValueError(line)
"""
    hidden = asks("merge([2])", visible="")
    [check] = judge(submission(student(merge), hidden), jail).checks
    assert (check.points, check.misconception, "\x1b" in check.told) == (0.0, None, False)
