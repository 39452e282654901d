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
