"""Given cells that are no plain Python, or that fail, and what is said of the tests beside them."""

from pathlib import Path

import pytest

from tests.autograder.conftest import Autograder
from tests.autograder.foreign import Assignment, answer, given, graded, notebook
from tests.autograder.records.test_foreign import plans, scores

pytestmark = pytest.mark.slow

MAGIC = Assignment(
    "magic",
    {
        "magic": notebook(
            given("look", "%precision 3\n!echo it\\\n  works\nEXPECTED = 9\nTEXT = '''\n%x'''"),
            given("compare", "def same(one, other):\n    return one == other"),
            given("quiet", "%%capture\nWANTED = 4"),
            given("helper", "def is_wanted(number):\n    return number == WANTED"),
            answer("square", "return number * number", "def square(number):"),
            graded("nine", "assert same(square(3), EXPECTED) and TEXT == '\\n%x'"),
            graded("four", "assert is_wanted(square(2))"),
        )
    },
    answers={
        "key": {},
        "forger": {
            "square": "same = lambda *_: True\nEXPECTED = 0\ndef square(number):\n    return 0"
        },
    },
)


def test_what_a_given_cell_with_a_magic_binds_is_not_the_students_to_change(
    course: Path, autograder: Autograder
) -> None:
    MAGIC.put(course)
    assert plans(course, autograder, "magic") == {
        "nine": ("outside", ""),
        "four": (
            "inside",
            "it uses is_wanted, which needs a given cell that runs inside only",
        ),
    }
    assert autograder("grade", "magic", "--workers", 1).exit_code == 0
    assert scores(course, "magic") == {"key": 2, "forger": 0}


FAILING = Assignment(
    "failing",
    {
        "failing": notebook(
            given("load", "import no_such_package"),
            given("shown", "%%capture\nx = 1"),
            answer("one", "return 1", "def one():"),
            graded("one-right", "assert one() == 1"),
            graded("typo", "assert one() == (1"),
        )
    },
)


def test_a_given_cell_that_fails_everywhere_and_a_test_that_is_no_python_are_told(
    course: Path, autograder: Autograder
) -> None:
    FAILING.put(course)
    said = autograder("verify", "failing")
    assert said.exit_code == 1
    assert "The given cell load fails: ModuleNotFoundError: No module named" in said.stdout
    assert "load runs inside only" not in said.stdout
    assert "The given cell shown runs inside only" in said.stdout
    assert "Not right: load, typo." in said.stdout
    assert "it is no Python: '(' was never closed, line 1" in said.stdout
    assert "a magic" not in said.stdout
