"""What cells show, in the form of a notebook's outputs."""

import pytest

from autograder.jail import Jail
from tests.autograder.submissions import limited, outputs, printed


@pytest.mark.parametrize("needs_more", [True, False], ids=["IPython", "Python alone"])
def test_outputs_come_in_the_form_and_order_of_a_notebook(jail: Jail, needs_more: bool):
    source = "import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(3)\n[4]"
    assert outputs(jail, source, needs_more) == [
        {"output_type": "stream", "name": "stdout", "text": "1\n"},
        {"output_type": "stream", "name": "stderr", "text": "2\n"},
        {"output_type": "stream", "name": "stdout", "text": "3\n"},
        {
            "output_type": "execute_result",
            "data": {"text/plain": "[4]"},
            "metadata": {},
            "execution_count": 1 if needs_more else None,
        },
    ]


@pytest.mark.parametrize(
    "source",
    [
        "[[2, 4], ['a', None]]",
        "list(range(100))",
        "{4, 2}",
        "{'b': 1, 'a': 2}",
        "class Game:\n    pass\nGame",
        "def merge(line):\n    return line\nmerge",
        "class Game:\n    def __repr__(self):\n        return 'a game'\n[Game()]",
        "squares = [2]\nsquares.append(squares)\nsquares",
        "2;",
        "2; # quiet",
        "'a;'",
        "2;\n# quiet",
        "class Game:\n    def __repr__(self):\n        return '2 4\\n0 0\\n'\nGame()",
        "from collections import Counter\nCounter(range(50))",
        "print(1,\n  2)\nprint(3",
        "def merge(line):\n",
        "x = 1\n'only the last'\nx",
        "'''a text\nof two lines'''",
        "return 1\nprint(2)",
        "print(1)\nreturn 1",
        "None",
        "",
        "# a remark",
    ],
)
def test_python_alone_shows_what_ipython_shows(jail: Jail, source: str):
    shown = [outputs(jail, source, needs_more) for needs_more in (True, False)]
    for output in (one for two in shown for one in two):
        output.pop("traceback", None)  # it names the same lines in another way
        output.pop("execution_count", None)
    assert shown[0] == shown[1]


def test_a_wrong_indentation_is_shown(jail: Jail):
    for needs_more in (True, False):
        [error] = outputs(jail, "def f():\n    return 1\n  f()", needs_more)
        assert error["ename"] == "IndentationError"


def test_an_error_shows_its_traceback(jail: Jail):
    [error] = outputs(jail, "def f():\n    1 / 0\nf()")
    assert (error["output_type"], error["ename"]) == ("error", "ZeroDivisionError")
    assert "----> 2     1 / 0" in "\n".join(error["traceback"])  # type: ignore[arg-type]


def test_what_other_programs_write_is_shown(jail: Jail):
    assert printed(jail, "import os\nos.system('echo from a shell')") == "from a shell\n"
    assert printed(jail, "!echo magic") == "magic\r\n"


@pytest.mark.parametrize("source", ["time (2)", "  time[2]", "pwd"])
def test_what_is_python_is_no_magic_without_its_mark(jail: Jail, source: str):
    assert [output["output_type"] for output in outputs(jail, source)] == ["error"]


def test_input_is_a_clear_error_at_once(jail: Jail):
    [error] = outputs(jail, "input('name? ')")
    assert error["ename"] == "StdinNotImplementedError"
    assert "not available while grading" in str(error["evalue"])


def test_too_much_output_is_cut(jail: Jail):
    with limited(jail, output=1000):
        [shown] = outputs(jail, "for _ in range(10**5): print('2048')")
    assert len(str(shown["text"])) < 1100
    assert "cut" in str(shown["text"])
