"""Nothing that tests or given cells print is seen at the instructor's terminal."""

import sys
import threading

import pytest

from autograder.jail import Jail
from autograder.judge.silence import silence
from autograder.submission import Outcome
from tests.autograder.submissions import verdict_on

LOUD = r"""
import logging, pprint, sys, threading, traceback, unittest
print("\x1b[2J", bad(), file=sys.stderr)
sys.stderr.buffer.write(b"bytes")
logging.StreamHandler().handle(logging.makeLogRecord({"msg": bad()}))
pprint.pprint(bad())
try:
    raise ValueError(bad())
except ValueError:
    traceback.print_exc()
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
class Case(unittest.TestCase):
    def test_it(self):
        self.assertEqual(bad(), 1)
assert not unittest.TextTestRunner().run(Case("test_it")).wasSuccessful()
"""


def test_what_a_test_writes_on_any_stream_is_not_shown(
    jail: Jail, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    check = verdict_on(jail, "def bad():\n    return '\\x1b[31mRED'", LOUD)
    assert check.outcome is Outcome.PASSED, check.message
    assert capsys.readouterr() == ("", "")


def test_other_threads_are_heard_while_one_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    may_speak, has_spoken = threading.Event(), threading.Event()

    def speak() -> None:
        may_speak.wait()
        print("progress", file=sys.stderr)
        has_spoken.set()

    threading.Thread(target=speak).start()
    with silence():
        may_speak.set()
        has_spoken.wait()
        print("test", file=sys.stderr)
    print("after", file=sys.stderr)
    assert capsys.readouterr().err == "progress\nafter\n"
