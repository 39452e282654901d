"""Lines of a test that also run in the jail, because the student's code may need their names."""

import pytest

from autograder.grading_data import Cell, CellKind
from autograder.judge.namespace import shared_lines
from tests.autograder.judge.program_cases import cases


@pytest.mark.parametrize(("test", "shared"), cases("shared_lines", "test", "shared"))
def test_lines_are_shared_that_bind_a_name_and_need_nothing_of_the_program(test: str, shared: str):
    given = Cell("given", CellKind.GIVEN, "given = 3")
    found = shared_lines((given, Cell("test", CellKind.TEST, test.strip())))
    assert found.get("test", "") == shared.strip()


def test_a_program_has_no_part_in_it():
    test = Cell("test", CellKind.TEST, "rate = 2")
    programs = ("rate = 3", "def f(x) return rate", "import os")
    found = [shared_lines((Cell("f", CellKind.STUDENT, text), test)) for text in programs]
    assert found == [{"test": "rate = 2"}] * 3


def test_nothing_hidden_is_shared():
    test = Cell("test", CellKind.TEST, "shown = 1\nsecret = 2", visible="shown = 1\n")
    assert shared_lines((test,)) == {"test": "shown = 1"}
