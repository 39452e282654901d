"""Tests that must run inside of the jail: they are recognised by their text."""

import pytest

from autograder.plan.must_run_inside import why_unprotected


@pytest.mark.parametrize(
    "source",
    [
        "assert len(df.query(f())) == 1",
        "unittest.main(argv=[''], exit=False)",
        "import math\nmath.sqrt = None\nassert f(4) == 2",
        "sorted = None\nassert f([2, 1]) == [1, 2]",
        "import signal\nsignal.alarm(1)\nassert f(1)",
        "import sys\nsys.setrecursionlimit(99)\nassert f(1)",
    ],
)
def test_what_changes_python_or_runs_an_answer_is_not_for_outside(source: str):
    assert why_unprotected(source, {"f"})


@pytest.mark.parametrize("source", ["assert len(df.query('a > 1')) == 1", "f.x = 1", "code = f(1)"])
def test_what_is_harmless_is_for_outside(source: str):
    assert not why_unprotected(source, {"f"})
