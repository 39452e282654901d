"""Tests that must run inside of the jail: they are recognised by their text."""

import pytest

from autograder.notebook.master import master_of
from autograder.plan.must_run_inside import why_unlocked, why_unprotected
from tests.autograder.assignment_builder import answer, given, graded, notebook, plain


@pytest.mark.parametrize(
    "source",
    [
        "assert len(df.query(f())) == 1",
        "unittest.main(argv=[''], exit=False)",
        "import math\nmath.sqrt = None\nassert f(4) == 2",
        "sorted = None\nassert f([2, 1]) == [1, 2]",
        "import signal\nsignal.alarm(1)\nassert f(1)",
        "import sys\nsys.setrecursionlimit(99)\nassert f(1)",
        "import numpy as np\nassert not np.shares_memory(a, b)",
        "assert len(set(map(id, (f(), f())))) == 2",
        "unittest.TestCase().assertIsNot(f(), f())",
    ],
)
def test_what_changes_python_or_runs_an_answer_is_not_for_outside(source: str):
    assert why_unprotected(source, {"f"})


@pytest.mark.parametrize(
    "source",
    [
        "assert len(df.query('a > 1')) == 1",
        "f.id = 1",
        "code = f(1)",
    ],
)
def test_what_is_harmless_is_for_outside(source: str):
    assert not why_unprotected(source, {"f"})


def test_names_of_cells_that_students_may_change_are_asked_inside():
    cells = (
        plain("import math\ncases = [(1, 2)]\nsize = 4"),
        given("locked", "size = 4"),
        answer("f", "return 2 * x", "def f(x):"),
        graded("t1", "for x, want in cases: assert f(x) == want"),
        graded("t2", "assert f(size) == math.sqrt(64)"),
    )
    master = master_of("ps1", notebook(*cells), "p.ipynb")
    whys = {cell.id: why_unlocked(cell.source, master.unlocked) for cell in master.cells[-2:]}
    assert "uses cases, which students may change" in whys["t1"]
    assert whys["t2"] == ""
