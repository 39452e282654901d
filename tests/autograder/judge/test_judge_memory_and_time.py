"""Submissions: each costs the judge little memory and time, and an error loses one check only."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from autograder.judge.rebuild_errors import make_error
from autograder.notebook.outputs_from_jail import Outputs, clean_message
from autograder.wire import Decoder, WireError, unpack
from tests.autograder.grading_helpers import checks_by
from tests.autograder.judge.program_cases import data

ROOT = Path(__file__).parents[3]
MIB = 2**20

# Judges submissions, and prints by how many bytes the process of the judge grew for each.
MEASURE = """
import json, re, sys
from autograder.jail import WarmJail
from autograder.judge import judge
from tests.autograder.grading_helpers import LESSON, submission_of

def kept(name):
    return int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024

grown = {}
with WarmJail(LESSON) as jail:
    judge(submission_of("merge = len", "merge([])"), jail)
    for name, (student, test) in json.load(sys.stdin).items():
        open("/proc/self/clear_refs", "w").write("5")  # the most that was ever kept is now this
        before = kept("VmRSS")
        judge(submission_of(student, test), jail)
        grown[name] = kept("VmHWM") - before
print(json.dumps(grown))
"""

DATA = data("greedy_and_errors")
GREEDY, ERRORS = DATA["greedy"], DATA["errors"]


@pytest.mark.deep
def test_the_judge_stays_small():
    measured = subprocess.run(
        [sys.executable, "-c", MEASURE],
        input=json.dumps(GREEDY),
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    grown = json.loads(measured.stdout)
    assert grown.keys() == GREEDY.keys()
    assert {name: size // MIB for name, size in grown.items() if size > 350 * MIB} == {}


def seconds(work: Callable[[Any], object], value: Any) -> float:
    """Return the processor time of the quickest of three runs."""
    taken = []
    for _ in range(3):
        begin = time.process_time()
        with suppress(WireError):
            work(value)
        taken.append(time.process_time() - begin)
    return min(taken)


def outputs_of(text: str) -> None:
    said = [{"output_type": "stream", "name": "stdout", "text": line} for line in text.split("\n")]
    Outputs(10**9).keep(
        "cell", [*said, {"output_type": "display_data", "data": {"image/png": text}}]
    )


WORK: dict[str, Callable[[Any], object]] = {
    "outputs": outputs_of,
    "message": clean_message,
    "error": lambda text: make_error([[text], text, text, [text, 1]]),
    "frame": lambda text: unpack(text.encode()),
    "frame of text": lambda text: unpack(b'{"a":"%s"}' % text.encode()),
    "number": lambda text: Decoder().decode({"int": text}),
    "list": lambda text: Decoder().decode(list(text)),
    "tuple": lambda text: Decoder().decode({"tuple": list(text)}),
    "bytes": lambda text: Decoder().decode({"bytes": text}),
}


@pytest.mark.deep
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
@pytest.mark.parametrize("letter", ["a", " ", "\n", "[", "9", "a\n", "=", "\\"])
def test_ten_times_the_text_takes_about_ten_times_as_long(
    work: Callable[[Any], object], letter: str
):
    short, long = letter * 10_000, letter * 100_000
    assert seconds(work, long) < 30 * seconds(work, short) + 0.05


def test_no_error_of_a_test_cell_costs_more_than_its_own_check(jail: WarmJail):
    tests = [*ERRORS, "assert merge([]) == 0"]
    *checks, last = checks_by(jail, "merge = len", tests, DATA["classes"])
    for test, check in zip(ERRORS, checks, strict=True):
        assert check.outcome in (Outcome.ERROR, Outcome.FAILED), test
        assert check.message, test
    assert last.outcome is Outcome.PASSED
