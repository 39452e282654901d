"""The limits of a submission: what each limit stops, and the message about it."""

from collections.abc import Iterator

import pytest

from autograder.jail import Crashed, Limits, TimedOut, WarmJail
from tests.autograder.submissions import LESSON, outputs, printed

MIB = 2**20
SMALL = Limits(memory=200 * MIB, processes=20, file_size=MIB, folder_size=4 * MIB)


@pytest.fixture(scope="module")
def small_jail() -> Iterator[WarmJail]:
    with WarmJail(LESSON, SMALL) as made:
        yield made


def test_memory_is_limited_in_a_process(small_jail: WarmJail):
    source = "try:\n    bytearray(10**9)\nexcept MemoryError:\n    print('full')"
    assert printed(small_jail, source) == "full\n"


def test_processes_are_limited(small_jail: WarmJail):
    source = """
import os, time
count = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
        count += 1
except BlockingIOError:
    print(count < 20)
"""
    assert printed(small_jail, source) == "True\n"


@pytest.mark.parametrize(
    "source",
    [
        "open('/tmp/file', 'wb').write(bytes(2**21))",
        "for n in range(20): open(f'/tmp/file{n}', 'wb').write(bytes(10**6))",
    ],
    ids=["one file", "many files"],
)
def test_files_are_limited(small_jail: WarmJail, source: str):
    [error] = outputs(small_jail, source)
    assert error["ename"] == "OSError"


def test_a_deadline_is_kept_and_the_next_session_is_not_delayed(jail: WarmJail):
    session = jail.session()
    with pytest.raises(TimedOut, match=r"its 0\.1 s"):
        outputs(session, "while True: pass", 0.1)
    assert session.is_over
    assert printed(jail, "print('next')") == "next\n"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import os; os._exit(0)", "ended the Python process"),
        ("import os; os.abort()", "SIG(ABRT|SEGV)"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    ],
    ids=["exit", "abort", "segfault"],
)
def test_a_process_that_ends_says_why(jail: WarmJail, source: str, reason: str):
    with pytest.raises(Crashed, match=reason):
        outputs(jail, source)
