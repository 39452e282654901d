"""The outputs of cells that run in the jail: they have the form of a notebook's outputs."""

import pytest

from autograder.jail import WarmJail
from tests.autograder.grading_helpers import limited, outputs, printed


def test_outputs_come_in_the_form_and_order_of_a_notebook(jail: WarmJail):
    source = "import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(3)\n[4]"
    assert outputs(jail, source) == [
        {"output_type": "stream", "name": "stdout", "text": "1\n"},
        {"output_type": "stream", "name": "stderr", "text": "2\n"},
        {"output_type": "stream", "name": "stdout", "text": "3\n"},
        {
            "output_type": "execute_result",
            "data": {"text/plain": "[4]"},
            "metadata": {},
            "execution_count": 1,
        },
    ]


def test_an_error_shows_its_traceback(jail: WarmJail):
    [error] = outputs(jail, "def f():\n    1 / 0\nf()")
    assert (error["output_type"], error["ename"]) == ("error", "ZeroDivisionError")
    assert "----> 2     1 / 0" in "\n".join(error["traceback"])  # type: ignore[arg-type]


def test_what_other_programs_write_is_shown(jail: WarmJail):
    assert printed(jail, "import os\nos.system('echo from a shell')") == "from a shell\n"
    assert printed(jail, "!echo magic") == "magic\r\n"


def test_a_magic_may_stand_without_its_mark(jail: WarmJail):
    assert printed(jail, "cd ..") == "/\n"


@pytest.mark.parametrize("source", ["time (2)", "  time[2]", "pwd"])
def test_what_is_python_is_no_magic_without_its_mark(jail: WarmJail, source: str):
    assert [output["output_type"] for output in outputs(jail, source)] == ["error"]


def test_input_is_a_clear_error_at_once(jail: WarmJail):
    [error] = outputs(jail, "input('name? ')")
    assert error["ename"] == "StdinNotImplementedError"
    assert "not available while grading" in str(error["evalue"])


def test_what_is_cut_takes_no_memory(jail: WarmJail):
    shown = outputs(jail, "for _ in range(12_000):\n    print('x' * 100_000)")  # over 1 GiB
    assert [output["output_type"] for output in shown] == ["stream"]


def test_too_much_output_is_cut(jail: WarmJail):
    with limited(jail, output=1000):
        [shown] = outputs(jail, "for _ in range(10**5): print('2048')")
    assert len(str(shown["text"])) < 1100
    assert "cut" in str(shown["text"])
