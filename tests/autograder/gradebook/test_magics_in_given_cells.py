"""Magics (`%…`) and errors in the instructor's own cells, and the tests that need these cells."""

import shutil
from pathlib import Path

import pytest
from nbgrader.apps import NbGrader
from traitlets.config import Config

from autograder.gradebook.course_folder import find_own_programs
from autograder.gradebook.plans_and_limits import conditions_of
from autograder.jail import Limits
from tests.autograder.assignment_builder import Assignment, answer, given, graded, notebook
from tests.autograder.conftest import Autograder
from tests.autograder.gradebook.test_other_courses import plans, scores

pytestmark = pytest.mark.slow

MAGIC = Assignment(
    "magic",
    {
        "magic": notebook(
            given("look", "%precision 3\n!echo it\\\n  works\nEXPECTED = 9\nTEXT = '''\n%x'''"),
            given("more", "%run -i 'helping.py'"),
            given("list", "NAMES = !echo one"),
            given("compare", "def same(one, other):\n    return one == other"),
            given("quiet", "%%capture\nWANTED = 4"),
            given("helper", "def is_wanted(number):\n    return number == WANTED"),
            answer("square", "return number * number", "def square(number):"),
            graded("nine", "assert same(square(3), EXPECTED) and TEXT == '\\n%x'"),
            graded("four", "assert is_wanted(square(2))"),
            graded("same", "assert is_same(square(1), 1)"),
            graded("one", "assert NAMES[0] == 'one' and square(1) == 1"),
        )
    },
    files={"helping.py": "def is_same(one, other):\n    return one == other\n"},
    answers={
        "key": {},
        "forger": {
            "square": "same = is_same = lambda *_: True\nEXPECTED = 0\ndef square(n):\n    return 0"
        },
    },
)


@pytest.mark.deep
def test_what_a_given_cell_with_a_magic_binds_is_not_the_students_to_change(
    course: Path, autograder: Autograder
) -> None:
    MAGIC.put(course)
    assert plans(course, autograder, "magic") == {
        "nine": ("outside", ""),
        "four": ("inside", "it uses is_wanted, which needs a given cell that runs inside only"),
        "same": ("outside", ""),
        "one": ("inside", "it uses NAMES, which needs a given cell that runs inside only"),
    }
    assert autograder("grade", "magic", "--workers", 1).exit_code == 0
    assert scores(course, "magic") == {"key": 4, "forger": 0}


LEANING = Assignment(
    "leaning",
    {
        "leaning": notebook(
            answer("double", "return 2 * number", "def double(number):"),
            graded("two", "wanted = double(2)\nassert wanted == 4"),
            given("more", "next_one = wanted + 1"),
            graded("five", "assert next_one == 5"),
            graded(
                "text", "class Text(str): pass\nassert double(Text('a')) == 'aa' and wanted == 4"
            ),
            graded("eight", "assert double(wanted) == 8"),
        )
    },
    answers={"key": {}, "other": {"double": "def double(number):\n    return 4"}},
)


def test_tests_and_given_cells_may_lean_on_earlier_tests(
    course: Path, autograder: Autograder
) -> None:
    LEANING.put(course)
    found = plans(course, autograder, "leaning")
    assert {name: place for name, (place, _) in found.items()} == {
        "two": "outside",
        **dict.fromkeys(("five", "text", "eight"), "inside"),
    }
    assert autograder("grade", "leaning", "--workers", 1).exit_code == 0
    assert scores(course, "leaning") == {"key": 4, "other": 2}


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
    cause = "no_such_package, which is not installed here: pip install no_such_package (and 2 more)"
    assert cause in said.stdout.splitlines()[-1]
    assert "it is no Python: '(' was never closed, line 1" in " ".join(said.stdout.split())
    assert "a magic" not in said.stdout


def test_time_is_nbgraders_own_where_nothing_else_is_said() -> None:
    def limits(timeout: int | None = 40, **jail: float) -> Limits:
        config = Config({"ExecutePreprocessor": {"timeout": timeout}, "Jail": jail})
        return conditions_of(NbGrader(config=config), confined=True).limits

    found = limits()
    assert (found.cell, found.call, found.submission) == (40, 40, 400)
    assert (found.patience, found.last_chance) == (80, 4)
    own = limits(cell=3.0, call=2.0)
    assert (own.cell, own.call, own.submission, own.patience) == (3, 2, 60, 4)
    assert conditions_of(NbGrader(), confined=True).limits.cell == 30
    assert limits(None).cell == limits(-1).cell == 3600  # nbgrader's own is without end


def test_programs_of_this_environment_are_found_where_it_is_not_activated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/bin")
    find_own_programs()
    assert shutil.which("alembic") is not None
