"""Tests run in a forked process: it has no rights, and all that a test changes ends with it."""

import builtins
import os
import socket
import symtable
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from autograder.course_adapter import FOLDER
from autograder.grading_data import Cell, CellKind, Outcome
from autograder.jail import WarmJail
from autograder.jail.restrict_tests_process import readable
from autograder.judge import judge
from autograder.judge.namespace import prepare
from tests.autograder.grading_helpers import LESSON, checks_by, limited, submission_of, verdict_on
from tests.autograder.judge.program_cases import data
from tests.parametrize_marks import one_in, some_in_every_run

DATA = data("restricted_tests")
CELLS = DATA["cells"]
EXITS = """
TEXT = "__import__('os')._exit(0)"
class Exits:
    def __reduce__(self): return eval, (TEXT,)
CODE = pickle.dumps(Exits())
"""
HELPER = "def value_of(text): return eval(text)"


def test_what_a_test_writes_on_any_stream_is_not_shown(
    jail: WarmJail, capfd: pytest.CaptureFixture[str]
) -> None:
    assert passes(jail, CELLS["loud"], "def bad():\n    return '\\x1b[31mRED'")
    assert capfd.readouterr() == ("", "")


def passes(jail: WarmJail, test: str, program: str = "merge = len") -> bool:
    check = verdict_on(jail, program, test)
    assert check.message == ""
    return check.outcome is Outcome.PASSED


def test_nothing_that_a_test_changes_is_left_for_the_next_student(jail: WarmJail):
    assert passes(jail, CELLS["changes"])
    assert passes(jail, CELLS["unchanged"])


def test_a_test_has_no_rights(jail: WarmJail, tmp_path: Path):
    place = tmp_path / "gradebook.db"
    place.write_text("grades")
    tests = [f"import os\n{code.format(place=str(place))}" for code in DATA["forbidden"].values()]
    for name, check in zip(DATA["forbidden"], checks_by(jail, "merge = len", tests), strict=True):
        assert check.outcome in (Outcome.ERROR, Outcome.FAILED), name
        assert "Error" in check.message, name
    assert (place.read_text(), os.listdir(tmp_path)) == ("grades", [place.name])


def test_no_answer_becomes_code(jail: WarmJail):
    program = f"import pickle\n{EXITS}\ndef merge(kind): return str(TEXT) if kind is str else CODE"
    checks = checks_by(jail, program, DATA["as_code"].values(), HELPER)
    for name, check in zip(DATA["as_code"], checks, strict=True):
        assert "text becomes code" in check.message, name


def test_the_texts_of_a_test_may_become_code(jail: WarmJail):
    assert passes(jail, CELLS["own_code"])


def test_the_files_that_the_grader_has_open_are_out_of_reach(jail: WarmJail, tmp_path: Path):
    ours, theirs = socket.socketpair()
    with (tmp_path / "gradebook.db").open("w") as file, ours, theirs:
        test = "import os\nfor n in range(3, 200):\n    try: os.write(n, b'taken')\n"
        test += "    except OSError: pass"
        verdict_on(jail, "merge = len", f"{test}\nos._exit(0)")
        assert os.fstat(file.fileno()).st_size == 0
        with pytest.raises(BlockingIOError):
            theirs.recv(9, socket.MSG_DONTWAIT)


@pytest.mark.parametrize("test", some_in_every_run(DATA["ends"], ["exit", "fault"]))
def test_a_test_that_does_not_come_to_its_end_costs_itself(jail: WarmJail, test: str):
    tests = "helper = 1\ndef f(): return 2", test, "assert merge([2]) == 1 and f() == 2"
    with limited(jail, cell=0.2):
        checks = judge(submission_of("merge = len", *tests), jail).checks
    first, ended, last = (check.outcome for check in checks)
    assert (first, last) == (Outcome.PASSED, Outcome.PASSED), checks[-1].message
    assert ended in (Outcome.TIMEOUT, Outcome.CRASHED)
    assert "the cell test-1 itself" in checks[1].message


@pytest.mark.deep
def test_a_test_that_sleeps_while_the_program_is_busy_comes_to_its_end(jail: WarmJail):
    spins = "import threading\ndef spin():\n    while True: pass\n"
    student = f"{spins}def merge(line): threading.Thread(target=spin).start()"
    with limited(jail, cell=0.1):
        check = verdict_on(jail, student, "merge([])\nimport time\ntime.sleep(3600)")
    assert check.outcome is Outcome.TIMEOUT


@pytest.mark.deep
def test_whatever_lies_in_the_folder_of_a_test_goes_with_it(jail: WarmJail):
    deep = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')"
    assert passes(jail, deep)
    before = set(Path(gettempdir()).glob("jail-*"))
    with WarmJail(LESSON) as other:
        assert passes(other, "assert merge([]) == 0")
    assert set(Path(gettempdir()).glob(f"jail-{os.getpid()}-*")) <= before


def test_threads_of_a_test_get_the_answers_to_their_own_questions(jail: WarmJail):
    test = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    assert list(pool.map(merge, [[n] for n in range(200)])) == [[n] for n in range(200)]
"""
    assert passes(jail, test, "def merge(line): return line")


def test_a_test_has_a_folder_to_write_in(jail: WarmJail):
    test = """
import os, tempfile
assert os.listdir() == []
with open("words.txt", "w") as file: file.write("two")
with tempfile.NamedTemporaryFile("w") as file: file.write("two")
assert open("words.txt").read() == "two"
"""
    assert passes(jail, test)
    assert passes(jail, test)


SAID = [
    "b'{}'",
    "b'[]'",
    "b'x' * 99",
    "json.dumps({'check': {'points': 1e999}}).encode()",
    "json.dumps({'check': {'points': 9, 'outcome': 'passed', **OTHERS}}).encode()",
    "json.dumps({'check': {'points': 1e999 * 0, 'outcome': 'passed', **OTHERS}}).encode()",
    "json.dumps({'check': {'points': 1, 'outcome': 'manual', **OTHERS}}).encode()",
    "json.dumps({'check': {'points': 0, 'outcome': 'failed', **OTHERS}}).encode()",
]


@pytest.mark.parametrize("said", one_in(4, SAID))
def test_a_test_that_speaks_for_the_grader_gets_no_more_than_its_own_points(
    jail: WarmJail, said: str
):
    """If a test runs an answer as code, this code can forge the result of that test only."""
    forged = f"""
import gc, json, struct
from autograder.wire import Channel
OTHERS = {{"message": "", "told": "secret", "line": 0, "tells": False}}
body = {said}
for one in gc.get_objects():
    if type(one) is Channel:
        one.send(struct.pack(">I", len(body)) + body)
raise SystemExit
"""
    checks = judge(submission_of("merge = len", forged, "assert merge([]) == 1"), jail).checks
    assert [check.points for check in checks] == [0, 0]
    assert "secret" not in checks[0].told


@pytest.fixture
def machine_elsewhere() -> Iterator[None]:
    """Set this process's time zone to one that is nine hours ahead of UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "HERE-9")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize("confined", [True, False], ids=["a jail", "no jail"])
def test_tests_and_programs_see_utc_on_every_machine(machine_elsewhere: None, confined: bool):
    program = "import time\ndef hour(): return time.localtime(0).tm_hour"
    test = "import time\nassert (hour(), time.localtime(0).tm_hour) == (0, 0)"
    with warnings.catch_warnings(action="ignore"), WarmJail(LESSON, confined=confined) as made:
        assert verdict_on(made, program, test).outcome is Outcome.PASSED
    assert time.localtime(0).tm_hour == 9


def test_a_module_beside_the_notebook_is_never_loaded_by_the_grader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "lies_beside.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    given = Cell("given", CellKind.GIVEN, "import lies_beside")
    prepare([given], ["lies_beside.py"], "")
    assert "lies_beside" not in sys.modules


def test_a_folder_that_tests_may_read_stands_for_all_that_is_in_it() -> None:
    places = readable()
    assert FOLDER in places
    assert [place for place in places if FOLDER in place.parents] == []


def test_no_text_of_a_student_is_parsed_outside_of_the_jail(
    jail: WarmJail, monkeypatch: pytest.MonkeyPatch
):
    """Such a text could hold up the grader, or decide how it is graded."""
    parsed = []
    compiles, tables = builtins.compile, symtable.symtable

    def seen(does: Callable[..., Any]) -> Callable[..., Any]:
        return lambda source, *more, **options: (
            parsed.append(source),
            does(source, *more, **options),
        )[1]

    monkeypatch.setattr(builtins, "compile", seen(compiles))
    monkeypatch.setattr(symtable, "symtable", seen(tables))
    text = "def merge(line):\n    return line  # the student's"
    check = verdict_on(jail, text, "assert merge([2]) == [1 + 1]", "size = 4")
    assert check.outcome is Outcome.PASSED
    assert any("merge([2])" in str(source) for source in parsed)
    assert not any("the student's" in str(source) for source in parsed)
