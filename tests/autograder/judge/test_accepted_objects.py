"""Objects of a student's classes: a test accepts them only where the answer key has objects, too.

So no object can pass a test by claiming to equal everything.
"""

from dataclasses import replace
from pathlib import Path

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
    uses_of,
    verdict_on,
)
from tests.autograder.judge.program_cases import cases
from tests.parametrize_marks import one_in

KEY = "import numpy as np\nfrom numpy.testing import assert_allclose\ndef area(r): return 3.0 * r"
TESTS = (
    "assert area(3) == 9",
    "assert not area(3) != 9",
    "assert 9 == area(3)",
    "assert abs(area(3) - 9) < 1e-6",
    "import math\nassert math.isclose(area(3), 9)",
    "assert area(3) in (9,)",
    "assert [area(3)] == [9]",
    "assert {'a': area(3)} == {'a': 9}",
    "assert 8 < area(3) < 10",
    "assert max(area(3), 8) == 9",
    "assert round(area(3), 3) == 9",
    "assert isinstance(area(3), float)",
    "assert np.isclose(area(3), 9)",
    "assert_allclose(area(3), 9)",
    "np.testing.assert_allclose([area(3)], [9])",
    "import unittest\nunittest.TestCase().assertAlmostEqual(area(3), 9)",
    "assert type(area(3)) is float",
    "def off(): return area(3) - 9\nassert off() ** 2 < 1",
)
LIAR = """
class Liar:
    __module__ = "numpy"
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __gt__ = __le__ = __ge__ = __lt__
    def __sub__(self, other): return 0
    __rsub__ = __add__ = __radd__ = __abs__ = __neg__ = __sub__
    def __pow__(self, other): return 0
    def __float__(self): return 8.0
    def __round__(self, *digits): return self
    def __hash__(self): return hash(9)
    def __contains__(self, item): return True
    def __array__(self, *more, **options): return __import__("numpy").array(9.0)
    def __getattr__(self, name): return self
    def __call__(self, *more, **options): return self
    def __bool__(self): return True
    @property
    def __class__(self): return float
"""
HOSTILE = {
    "an object": LIAR + "def area(r): return Liar()\n",
    "a class": LIAR + "class area(Liar):\n    def __init__(self, r): pass\n",
    "a subclass of float": "class Liar(float):\n"
    + LIAR.split("\n", 2)[2]
    + "def area(r): return Liar(8)\n",
    "no numpy": LIAR + "np = assert_allclose = Liar()\ndef area(r): return 8.0\n",
    "another numpy": "import numpy as np\nnp.isclose = lambda *a, **b: True\n"
    "np.testing.assert_allclose = assert_allclose = np.isclose\ndef area(r): return 8.0\n",
    "checks of its own": "import numpy as np\ndef assert_allclose(*a, **b): pass\n"
    "def area(r): return 8.0\n",
}
WRONG = KEY.replace("3.0 * r", "8.0")


@pytest.mark.deep
def test_an_object_that_agrees_with_everything_gains_nothing(jail: WarmJail):
    fair = passed(jail, WRONG, TESTS, KEY)
    assert len(fair) < len(TESTS) / 4
    gained = {name: passed(jail, liar, TESTS, KEY) - fair for name, liar in HOSTILE.items()}
    assert gained == {name: set() for name in HOSTILE}


@pytest.mark.parametrize(("program", "test"), cases("hostile_values", "program", "test"))
def test_a_hostile_value_costs_its_own_test_only(jail: WarmJail, program: str, test: str):
    tests = test, "assert plain() == 1"
    with limited(jail, cell=0.5, call=0.5):
        checks = judge(asked(f"{program}\ndef plain(): return 1", tests), jail).checks
    assert [check.points for check in checks] == [0.0, 1.0]
    assert checks[0].message


HOLDS = """
import datetime, pathlib, re
from collections import UserDict, deque
import numpy as np
class Day(datetime.date):
    day = 9
class Array(np.ndarray):
    def __eq__(self, other): return np.array([True] * 3)
class Box(UserDict):
    def __getitem__(self, key): return 9
class Row(deque):
    def __iter__(self): return iter([9])
"""


@pytest.mark.parametrize(
    ("key", "gives", "right", "wrong"), cases("library_objects", "key", "gives", "right", "wrong")
)
def test_an_object_of_a_library_counts_as_what_it_holds(
    jail: WarmJail, key: str, gives: str, right: str, wrong: str
):
    uses = Uses(is_learning=True)
    judge(asked(f"{HOLDS}def f(): return {key}", (f"assert {right}", wrong)), jail, uses)
    program = asked(f"{HOLDS}def f(): return {gives}", (f"assert {right}", f"assert {wrong}"))
    checks = judge(program, jail, Uses.from_json(uses.as_json())).checks
    assert [check.outcome is Outcome.PASSED for check in checks] == [True, False]


def test_masked_values_and_an_object_in_a_box_are_still_refused(jail: WarmJail):
    liar = f"{LIAR}\nclass List(list):\n    __len__ = lambda self: 1\n"
    for value in ("np.ma.array([1], mask=[True])", "Box({'a': Liar()})", "Box(1)", "Liar()"):
        program = f"{HOLDS}{liar}def f(): return {value}"
        assert passed(jail, program, ("assert len(f()) == 1",), "def f(): return [1]") == set()


def test_an_array_is_not_spread_over_another_one_without_end(jail: WarmJail):
    program = "import numpy as np\ndef f(): return np.ones((10 ** 6, 1), dtype=bool)"
    test = "import numpy as np\nassert (f() == np.ones(3000, dtype=bool)).all()"
    check = verdict_on(jail, program, test)
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "Unable to allocate" in check.message


FORGER = """
import numpy as np
from autograder.jail.inside import child
def area(r): return 8.0
plain = child.Server.answer
def answer(self, question):
    said = plain(self, question)
    if question["do"] == "call":
        said["found"] = {"np": {"handle": [0, "function", "np"]}}
    return said
child.Server.answer = answer
"""


def test_no_answer_gives_a_name_of_a_library_another_meaning(jail: WarmJail):
    tests = ("assert area(1) and not np.isclose(area(3), 8.5)\nassert np.isclose(area(3), 9)",)
    [check] = judge(asked(FORGER, tests), jail, uses_of(jail, KEY, tests)).checks
    assert (check.outcome, check.points) == (Outcome.FAILED, 0)


# -- objects where the answer key has plain data -----------------------------------------------

PLAIN = """
answer = 42
def f(): return [7, 8]
"""
ASKED = (
    "assert 7 in f()",
    "assert len(f()) == 2",
    "assert f()[0] == 7",
    "assert f() == [7, 8] and not f() != [7, 8]",
    "a, b = f()\nassert (a, b) == (7, 8)",
    "assert sorted(f()) == [7, 8]",
    "assert 40 < answer and answer == 42",
    "assert f().count(7) == 1",
)


@pytest.mark.parametrize("extended", one_in(2, ["", "list", "dict", "int"]))
def test_no_object_takes_the_place_of_plain_data(jail: WarmJail, extended: str):
    liar = LIAR.replace("class Liar:", f"class Liar({extended}):")
    assert passed(jail, f"{liar}answer = Liar()\ndef f(): return Liar()", ASKED, PLAIN) == set()


@pytest.mark.parametrize(
    "gives",
    [
        "(n for n in (7, 8))",
        "{7: 0, 8: 0}.keys()",
        "map(int, '78')",
        "type('L', (list,), {})((7, 8))",
    ],
)
def test_what_can_not_lie_is_read_where_the_answer_key_has_a_list(jail: WarmJail, gives: str):
    tests = ("assert sorted(f()) == [7, 8]", "assert sum(f()) == 15", "assert set(f()) == {7, 8}")
    program = PLAIN.replace("return [7, 8]", f"return {gives}")
    assert passed(jail, program, tests, PLAIN) == set(tests)


@pytest.mark.parametrize(
    ("key", "program", "tests", "passes", "given"),
    cases("accepted_objects", "key", "program", "tests", "passes", "given"),
)
def test_a_program_passes_what_the_answer_key_lets_it_pass(
    jail: WarmJail, key: str, program: str, tests: list[str], passes: int, given: str
):
    found = passed(jail, program, tuple(tests), key or None, given)
    assert found == set(tests[:passes])


def test_no_value_of_a_program_is_taken_for_points(jail: WarmJail):
    tests = ("assert f(2)\nf(2)", "assert f(2)\n0.5 * len(f(2))")
    uses = uses_of(jail, "def f(n): return 'ab'", tests)
    assert uses.scores == {tests[1]}
    checks = judge(asked("def f(n): return 0.25", tests), jail, uses).checks
    assert [check.points for check in checks] == [1.0, 0.0]


SCORES = {"3": 0.25, "np.int64(3)": 0.25, "Fraction(3)": 0.25, "float('nan')": 0, "'x'": 0}


@pytest.mark.parametrize(("gives", "points"), one_in(3, SCORES.items()))
def test_a_score_is_any_number(jail: WarmJail, gives: str, points: float):
    program = "import numpy as np\nfrom fractions import Fraction\ndef f(): return "
    uses = uses_of(jail, f"{program}12", ("f() / 12",))
    [check] = judge(asked(program + gives, ("f() / 12",)), jail, uses).checks
    assert check.points == points


@pytest.mark.parametrize(
    ("key", "test", "right", "wrong", "is_outside"),
    [
        ("answer = float", "assert answer == float", "answer = float", "answer = int", False),
        ("big = max", "assert big(1, 2) == 2", "def big(*a): return max(a)", "big = min", True),
    ],
)
def test_what_students_answer_is_theirs_even_from_a_library(
    jail: WarmJail, key: str, test: str, right: str, wrong: str, is_outside: bool
):
    def points(source: str, uses: Uses) -> float:
        cells = submission(student(source, "a"), asks(test))
        answers = replace(cells, lesson="other", answered={key.partition(" ")[0]: ("a",)})
        return judge(answers, jail, uses).checks[0].points

    uses = Uses(is_learning=True)
    assert points(key, uses) == is_outside
    learned = Uses.from_json(uses.as_json())
    assert (points(right, learned), points(wrong, learned)) == (is_outside, 0.0)


def test_what_runs_an_answer_runs_it_in_the_jail(jail: WarmJail, tmp_path: Path):
    tests = (f"assert system(f({str(tmp_path / 'seen')!r})) != 0",)
    imported = "from os import system\ndef f(place): return "
    passed(jail, f"{imported}f'touch {{place}}'", tests, f"{imported}'false'")
    assert not (tmp_path / "seen").exists()


def test_a_library_takes_no_exercises_place(jail: WarmJail):
    tests = ("assert sqrt(16) == 4.0", "assert sqrt(0) == 0.0")
    key = "def sqrt(number): return number ** 0.5"
    assert passed(jail, "from math import sqrt", tests, key) == set(tests)
    forged = "from autograder.jail.inside import child\nforged = {'library': 'turtledemo.sqrt'}\n"
    forged += "child.Server._named = lambda self, value: {**forged, 'else': None}\n"
    assert passed(jail, forged + key, tests, key) == set()


@pytest.mark.deep
def test_an_alarm_rings_for_what_is_asked_again_and_again(jail: WarmJail):
    program = "big = [None] * 300_000\ndef f(x): return 0"
    test = "assert big\nfor number in range(10 ** 6):\n    assert f(number) == 0"
    with limited(jail, cell=0.5):
        assert verdict_on(jail, program, test).points == 0
