"""What a student's objects are asked: what the answer key's were, and nothing that tells more."""

from collections.abc import Callable
from typing import Any

import pytest

from autograder.jail import Jail
from autograder.jail.session import Session
from autograder.judge import Uses, judge
from autograder.judge.ours import Ours
from autograder.submission import Cell, Kind, Outcome, Submission, Verdict
from tests.autograder.submissions import LESSON, limited

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


def verdict(jail: Jail, student: str, tests: tuple[str, ...], uses: Uses) -> Verdict:
    cells = [Cell("student", Kind.STUDENT, student)]
    cells += [Cell(test, Kind.TEST, test, 1.0) for test in tests]
    return judge(Submission(LESSON, tuple(cells)), jail, uses)


def passed(jail: Jail, student: str, tests: tuple[str, ...], uses: Uses) -> set[str]:
    checks = verdict(jail, student, tests, uses).checks
    return {check.id for check in checks if check.outcome is Outcome.PASSED}


Learn = Callable[[str, tuple[str, ...]], Uses]


@pytest.fixture(scope="module")
def learn(jail: Jail) -> Learn:
    def learned(key: str, tests: tuple[str, ...]) -> Uses:
        uses = Uses(is_learning=True)
        assert passed(jail, key, tests, uses) == set(tests)
        return Uses.from_json(uses.as_json())

    return learned


def test_an_object_that_agrees_with_everything_gains_nothing(jail: Jail, learn: Learn):
    uses = learn(KEY, TESTS)
    fair = passed(jail, WRONG, TESTS, uses)
    assert len(fair) < len(TESTS) / 4
    gained = {name: passed(jail, source, TESTS, uses) - fair for name, source in HOSTILE.items()}
    assert gained == {name: set() for name in HOSTILE}


VECTOR = """
class Vector:
    def __init__(self, x): self.x = x
    def __add__(self, other): return Vector(self.x + other.x)
    def __eq__(self, other): return self.x == getattr(other, "x", other)
def length(v): return abs(v.x)
"""


def test_only_the_operators_of_the_answer_key_are_asked(jail: Jail, learn: Learn):
    tests = ("assert Vector(1) + Vector(2) == Vector(3)", "assert length(Vector(-2)) == 2")
    uses = learn(VECTOR, tests)
    assert {operator for _, _, operator in uses.operators} == {"add", "=="}
    assert {place for _, place, _ in uses.operators} == {"1:7"}
    liar = VECTOR.replace("return abs(v.x)", "return Vector(v.x)").replace(
        "self.x == getattr(other, 'x', other)", "True"
    )
    assert passed(jail, liar, tests, uses) == {tests[0]}


def test_without_an_answer_key_no_operator_is_asked(jail: Jail):
    test = "assert Vector(1) != Vector(1) and not Vector(1) == 1\nVector(1) + Vector(2)"
    [check] = verdict(jail, VECTOR, (test,), Uses()).checks
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "plain data" in check.message


def test_what_a_test_gives_to_a_program_is_called_and_not_looked_into(jail: Jail):
    student = """
def look(f):
    seen = [getattr(f, name, None) for name in ("__globals__", "__closure__", "__self__")]
    return f(2), [expected for expected in seen if "secret" in str(expected)], f.__name__
def repeat(f):
    while True: f(1)
def wrong(f): return f("x", "y", z=1)
def forge(f): return f.__closure__
"""
    tests = (
        "secret = 5\ndef add(n): return n + secret\nassert look(add) == (7, [], 'add')",
        "repeat(lambda n: n)",
        "try:\n    wrong(lambda n: n)\n    assert False\nexcept TypeError as error:\n    pass",
        "calls = []\ndef outer(n):\n    calls.append(n)\n    return look(abs)[0]\n"
        "assert look(outer)[0] == 2 and calls == [2]",
    )
    with limited(jail, call=1.0):
        assert passed(jail, student, tests, Uses()) == {tests[0], tests[2], tests[3]}


def test_a_call_back_that_is_interrupted_leaves_no_word_behind(
    jail: Jail, monkeypatch: pytest.MonkeyPatch
):
    student = "def f(g): return g()\ndef plain(): return 1"
    tests = ("f(lambda: 1)", "assert plain() == 1")
    call = Ours.call

    def interrupts(ours: Ours, *arguments: Any, session: Session) -> Any:
        session._interrupt()
        return call(ours, *arguments, session=session)

    monkeypatch.setattr(Ours, "call", interrupts)
    checks = verdict(jail, student, tests, Uses()).checks
    assert [check.points for check in checks] == [0.0, 1.0]
    assert "KeyboardInterrupt" in checks[0].message


def test_threads_may_call_back_together(jail: Jail):
    student = """
from concurrent.futures import ThreadPoolExecutor
def each(g, count):
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(g, range(count)))
"""
    tests = ("assert each(lambda x: x + 1, 200) == list(range(1, 201))",)
    assert passed(jail, student, tests, Uses()) == set(tests)


@pytest.mark.parametrize(
    ("student", "test"),
    [
        ("def f(): return range(10 ** 15)", "list(f())"),
        pytest.param("def f():\n    while True: yield 1", "list(f())", marks=pytest.mark.deep),
        ("class f:\n    def __len__(self): return 2 ** 62\n    def __iter__(self): return self\n"
         "    def __next__(self): return 1", "assert list(f()) == []"),
        ("def f():\n    import numpy as np\n    return np.empty((0, 10 ** 12))", "f().sum(axis=0)"),
        ("def f():\n    import numpy as np\n    return np.zeros(2 * 10 ** 7, dtype=bool)", "f()"),
        ("def f():\n    import numpy as np\n    return np.array([object()])", "f()"),
        ("def f():\n    import pandas as pd\n"
         "    return pd.DataFrame({'a': [pd.DataFrame({'b': [object]})]})",
         "assert f().loc[0, 'a'].loc[0, 'b'] is None"),
        ("def f():\n    d = {}\n    for n in range(200): d = {'d': d}\n    return d", "f()"),
        ("class E(Exception):\n    def __init__(self): self.args = ([self],) * 3\n"
         "    def __str__(self): return 'x' * 10 ** 8\ndef f(): raise E()",
         "try:\n    f()\nexcept E as e:\n    assert e.args == ()"),
    ],
    ids=["range", "endless", "length", "shape", "large", "objects", "frames", "deep", "error"],
)  # fmt: skip
def test_a_hostile_value_costs_its_own_test_only(jail: Jail, student: str, test: str):
    other = "assert plain() == 1"
    with limited(jail, cell=2.0, call=2.0):
        checks = verdict(jail, f"{student}\ndef plain(): return 1", (test, other), Uses()).checks
    assert [check.points for check in checks] == [0.0, 1.0]
    assert checks[0].message


def test_an_array_is_not_spread_over_another_one_without_end(jail: Jail):
    student = "import numpy as np\ndef f(): return np.ones((10 ** 6, 1), dtype=bool)"
    test = "import numpy as np\nassert (f() == np.ones(3000, dtype=bool)).all()"
    [check] = verdict(jail, student, (test,), Uses()).checks
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
        handle = {"handle": [0, "function", "np", ""]}
        said["roots"] = {"np": handle, "assert_allclose": handle}
    return said
child.Server.answer = answer
"""


def test_no_answer_gives_a_name_of_a_library_another_meaning(jail: Jail, learn: Learn):
    test = "assert area(1) and not np.isclose(area(3), 8.5)\nassert np.isclose(area(3), 9)"
    uses = learn(KEY, (test,))
    for known in (uses, Uses()):
        [check] = verdict(jail, FORGER, (test,), known).checks
        assert (check.outcome, check.points) == (Outcome.FAILED, 0)


def test_a_function_of_an_earlier_test_is_over(jail: Jail):
    student = "kept = []\ndef keep(f): kept.append(f)\ndef use(): return kept[0](1)"
    tests = (
        "keep(lambda n: n)\nassert use() == 1",
        "try:\n    use()\nexcept RuntimeError as error:\n    assert 'is over' in str(error)\n"
        "else:\n    assert False",
    )
    assert passed(jail, student, tests, Uses()) == set(tests)


def test_names_that_a_test_binds_itself_are_not_the_students(jail: Jail):
    student = "x = line = wanted = total = 'theirs'\ndef f(): return 'a b'"
    test = (
        "line = f()\nwanted = ['a', 'b']\n"
        "assert [x for x in line.split()] == wanted\n"
        "for line in line.split(): assert line in wanted\n"
        "assert total == 'theirs'\ntotal += '!'\nassert total == 'theirs!'"
    )
    assert passed(jail, student, (test,), Uses()) == {test}


# -- objects where the answer key has plain data -----------------------------------------------

PLAIN = """
answer = 42
def f(): return [7, 8]
def g(each): return each([7, 8])
"""
ASKED = (
    "assert 7 in f()",
    "assert len(f()) == 2",
    "assert f()[0] == 7",
    "assert f() == [7, 8] and not f() != [7, 8]",
    "a, b = f()\nassert (a, b) == (7, 8)",
    "assert sorted(f()) == [7, 8]",
    "assert g(lambda said: 7 in said)",
    "assert 40 < answer and answer == 42",
    "assert f().count(7) == 1",
)


@pytest.mark.parametrize("extended", ["", "list", "dict", "int"])
def test_no_object_takes_the_place_of_plain_data(jail: Jail, learn: Learn, extended: str):
    liar = LIAR.replace("class Liar:", f"class Liar({extended}):")
    student = f"{liar}answer = Liar()\ndef f(): return Liar()\ndef g(each): return each(Liar())"
    assert passed(jail, student, ASKED, learn(PLAIN, ASKED)) == set()


@pytest.mark.parametrize(
    "gives",
    [
        "(n for n in (7, 8))",
        "{7: 0, 8: 0}.keys()",
        "map(int, '78')",
        "type('L', (list,), {})((7, 8))",
    ],
)
def test_what_can_not_lie_is_read_where_the_answer_key_has_a_list(
    jail: Jail, learn: Learn, gives: str
):
    tests = ("assert sorted(f()) == [7, 8]", "assert sum(f()) == 15", "assert set(f()) == {7, 8}")
    student = PLAIN.replace("return [7, 8]", f"return {gives}")
    assert passed(jail, student, tests, learn(PLAIN, tests)) == set(tests)


def test_an_object_may_come_at_one_place_and_not_at_another(jail: Jail, learn: Learn):
    tests = ("assert Vector(2) == Vector(2)", "assert length(Vector(-2)) == 2")
    student = VECTOR.replace("return abs(v.x)", "return v").replace(
        "self.x == getattr(other, 'x', other)", "True"
    )
    assert passed(jail, student, tests, learn(VECTOR, tests)) == {tests[0]}


INLINE = """
import unittest
class Test(unittest.TestCase):
    def test_f(self):
        self.assertEqual(f(), 2)
suite = unittest.defaultTestLoader.loadTestsFromTestCase(Test)
assert unittest.TextTestRunner().run(suite).wasSuccessful()
"""


@pytest.mark.parametrize(
    "student",
    [
        "import unittest\ndef f(): raise unittest.SkipTest('not today')",
        "import unittest\nclass Own(unittest.SkipTest): pass\ndef f(): raise Own('not today')",
        "def f():\n    from unittest.case import _ShouldStop\n    raise _ShouldStop",
    ],
)
def test_no_class_takes_part_in_a_test_but_those_that_it_names(jail: Jail, student: str):
    right = passed(jail, "def f(): return 2", (INLINE,), Uses())
    assert (right, passed(jail, student, (INLINE,), Uses())) == ({INLINE}, set())


def test_nothing_swallows_what_a_test_has_found(jail: Jail):
    student = """
class Quiet:
    value = 1
    def __enter__(self): return self
    def __exit__(self, *error): return True
"""
    tests = (
        "with Quiet() as quiet:\n    assert quiet.value == 2",
        "with Quiet():\n    raise ValueError",
    )
    assert passed(jail, student, tests, Uses()) == {tests[1]}


def test_what_can_not_be_told_as_it_is_is_not_told(jail: Jail):
    tests = ("class Name(str): pass\nassert f(Name('a')) == 'Name'", "assert f('a') == 'str'")
    [told, plain] = verdict(jail, "def f(s): return type(s).__name__", tests, Uses()).checks
    assert (told.points, plain.points) == (0.0, 1.0)
    assert "can not be given to the student's code" in told.message


def test_a_library_takes_no_exercises_place(jail: Jail, learn: Learn):
    tests = ("assert sqrt(16) == 4.0", "assert sqrt(0) == 0.0")
    uses = learn("def sqrt(number): return number ** 0.5", tests)
    assert passed(jail, "from math import sqrt", tests, uses) == set(tests)
    forged = """
from autograder.jail.inside import child
child.Server._named = lambda self, name, value: {"library": "turtledemo.sqrt", "else": None}
def sqrt(number): return number ** 0.5
"""
    assert passed(jail, forged, tests, uses) == set()


def test_classes_are_no_methods_of_plain_data(jail: Jail, learn: Learn):
    tests = ("assert f(2).startswith('ab')", "assert f(3).issubset({'a', 'b', 'c'})")
    uses = [learn("def f(n): return 'abc'", tests[:1]), learn("def f(n): return {'a'}", tests[1:])]
    student = """
from types import SimpleNamespace
def f(n): return SimpleNamespace(startswith=str, issubset=set)
"""
    assert [passed(jail, student, tests, each) for each in uses] == [set(), set()]


def test_an_exit_lets_errors_pass_as_the_answer_keys_does(jail: Jail, learn: Learn):
    handles = """
class Quiet:
    def __enter__(self): return self
    def __exit__(self, *error): return HANDLES
    def value(self): raise ValueError
"""
    tests = ("with Quiet() as quiet:\n    assert quiet.value() == 2",)
    key = handles.replace("HANDLES", "False").replace("raise ValueError", "return 2")
    assert passed(jail, handles.replace("HANDLES", "True"), tests, learn(key, tests)) == set()


def test_an_alarm_rings_for_what_is_asked_again_and_again(jail: Jail):
    student = """
from autograder.wire.roots import Roots
Roots.changed = lambda *arguments, **options: {}
big = [None] * 300_000
def f(x): return 0
"""
    test = "assert big\nfor number in range(10 ** 6):\n    assert f(number) == 0"
    with limited(jail, cell=0.5):
        [check] = verdict(jail, student, (test,), Uses()).checks
    assert check.points == 0
