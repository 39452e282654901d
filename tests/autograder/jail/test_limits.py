"""The limits of a submission: what each limit stops, and the message about it."""

import os
import select
import socket
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from autograder.jail import Crashed, Limits, WarmJail
from autograder.jail.inside.warm_process import _watch
from tests.autograder.grading_helpers import LESSON, outputs, printed

MIB = 2**20
SMALL = Limits(memory=200 * MIB, processes=20, file_size=MIB, folder_size=4 * MIB)
LARGER = Limits(memory=300 * MIB, call=5.0)


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


def test_a_limit_that_the_machine_has_already_is_never_raised(jail: WarmJail):
    source = """
from resource import RLIMIT_NOFILE, getrlimit
from autograder.jail.inside.fork_in_namespaces import lower_limits
for most in (99, 100):
    lower_limits({RLIMIT_NOFILE: most})
print(getrlimit(RLIMIT_NOFILE))
"""
    assert printed(jail, source) == "(99, 99)\n"


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


# -- all memory of a submission counts, in any of its processes and in the kernel ------------------


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            "import subprocess, sys\n"
            "program = \"kept = bytearray(b'x') * 15_000_000; import time; time.sleep(60)\"\n"
            "for _ in range(40): subprocess.Popen([sys.executable, '-S', '-E', '-c', program])\n",
            marks=pytest.mark.deep,
        ),
        "import os, socket\nkept = []\n"
        "for _ in range(20):\n"
        "    if os.fork() == 0:\n"
        "        kept = [socket.socketpair() for _ in range(100)]\n        break\n",
        "import os, pty\n"
        "for _ in range(24):\n"  # the kernel allows 3,072 terminals in all
        "    if os.fork() == 0:\n"
        "        kept = [pty.openpty() for _ in range(120)]\n        break\n",
        "import ctypes, os, threading, time\n"
        "def take():\n    time.sleep(0.5)\n    kept = b'x' * 200_000_000\n    time.sleep(60)\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        threading.Thread(target=take).start()\n"
        "        ctypes.CDLL(None).syscall({'x86_64': 60}.get(os.uname().machine, 93), 0)\n",
    ],
    ids=["small programs", "sockets", "terminals", "headless"],
)
def test_memory_of_every_kind_is_counted(source: str):
    with WarmJail(LESSON, LARGER) as jail, pytest.raises(Crashed, match="300 MiB of memory"):
        outputs(jail, f"{source}\nimport time\ntime.sleep(60)", 30)


def test_memory_is_looked_at_more_often_once_half_of_it_is_used(monkeypatch: pytest.MonkeyPatch):
    waits: list[int] = []
    poll = SimpleNamespace(register=lambda *_: None, poll=lambda wait: waits.append(wait) or [])
    monkeypatch.setattr(select, "poll", lambda: poll)
    used = iter([40, 60, 101])
    with socket.socket() as control:
        assert _watch(control, os.getpid(), lambda _: next(used), 100) == ("memory", False)
    assert waits[0] == waits[1] > waits[2]


def test_the_folder_takes_no_more_than_so_many_files(jail: WarmJail):
    source = "import os\ntry:\n    for n in range(300_000): os.mknod(str(n))\n"
    assert "No space left" in printed(jail, f"{source}except OSError as error: print(error)")


def test_what_forks_have_in_common_is_counted_once():
    source = """
import os
kept = bytearray(b"x") * 150_000_000
children = []
for _ in range(5):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    os.close(reading)
    children.append(writing)
import time
time.sleep(0.3)
print("there")
"""
    with WarmJail(LESSON, LARGER) as jail:
        assert printed(jail, source) == "there\n"
