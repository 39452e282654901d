"""What a test sets for the program: lines that students were given, and nothing hidden."""

import pytest

from autograder.judge.shared import Shared
from autograder.submission import Cell, Kind


@pytest.mark.parametrize(
    ("answer", "test", "shared"),
    [
        ("def f(): return np.zeros(n)", "import numpy as np\nn = 2\nx = 1", ["n = 2", "np"]),
        ("def f(): return table[0]", "size = 3\ntable = [0] * size", ["size = 3", "table"]),
        ("def f(): return helper(2)", "def helper(x):\n    return x", ["def helper(x)"]),
        ("def f(n): return n", "n = 3\nassert f(n)", []),
        ("def f(x): return want", "want = f(3)", []),
        ("def f(x): return n", "for n in (1, 2):\n    assert f(n)", []),
        ("def f(): return price()", "kept = f\nf = len\nf = kept", []),
        ("rate = 1\ndef f(): return rate", "rate = 2\nrate = rate * f()", []),
        ("last = toy[-1]", "toy = [1, 2]\n%precision 3", ["toy = [1, 2]"]),
        ("def f(x) return n", "n = 3", []),
    ],
    ids=[
        *("import and value", "what a value needs", "helper", "own parameter", "needs the answer"),
        *("loop", "put back", "ends as the answer's", "later cell", "no Python"),
    ],
)
def test_lines_are_shared_that_bind_what_the_program_asks_for(
    answer: str, test: str, shared: list[str]
):
    cells = (Cell("f", Kind.STUDENT, answer), Cell("test", Kind.TEST, test))
    lines = Shared(cells).lines_of(cells[1])
    assert bool(lines) == bool(shared)
    assert all(part in lines for part in shared)
    assert "assert" not in lines


def test_nothing_hidden_is_shared():
    answer = Cell("f", Kind.STUDENT, "def f(x): return secret or shown")
    test = Cell("test", Kind.TEST, "shown = 1\nsecret = 2", visible="shown = 1\n")
    assert Shared((answer, test)).lines_of(test) == "shown = 1"
