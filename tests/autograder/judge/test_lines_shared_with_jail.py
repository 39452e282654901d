"""Lines of a test that also run in the jail, because the student's code may need their names."""

import pytest

from autograder.grading_data import Cell, CellKind
from autograder.judge.namespace import shared_lines


@pytest.mark.parametrize(
    ("test", "shared"),
    [
        ("import numpy as np\nn = 2\nassert f(n)", "import numpy as np\nn = 2"),
        ("size = 3\ntable = [0] * size", "size = 3\ntable = [0] * size"),
        ("def helper(x):\n    return x and helper(x - 1)", None),
        ("want = f(3)\nhalf = want / 2", ""),
        ("for n in (1, 2):\n    assert f(n)", ""),
        ("kept = f\nf = len\nf = kept", ""),
        ("rate = 2\nrate = rate * f()", ""),
        ("toy = [1, 2]\n%precision 3", "toy = [1, 2]"),
        ("side = given * 2", "side = given * 2"),
    ],
    ids=[
        *("import and value", "what a value needs", "helper", "needs the answer", "loop"),
        *("put back", "ends as the answer's", "magic", "needs what is given"),
    ],
)
def test_lines_are_shared_that_bind_a_name_and_need_nothing_of_the_program(
    test: str, shared: str | None
):
    given = Cell("given", CellKind.GIVEN, "given = 3")
    found = shared_lines((given, Cell("test", CellKind.TEST, test)))
    assert found.get("test", "") == (test if shared is None else shared)


def test_a_program_has_no_part_in_it():
    test = Cell("test", CellKind.TEST, "rate = 2")
    programs = ("rate = 3", "def f(x) return rate", "import os")
    found = [shared_lines((Cell("f", CellKind.STUDENT, text), test)) for text in programs]
    assert found == [{"test": "rate = 2"}] * 3


def test_nothing_hidden_is_shared():
    test = Cell("test", CellKind.TEST, "shown = 1\nsecret = 2", visible="shown = 1\n")
    assert shared_lines((test,)) == {"test": "shown = 1"}
