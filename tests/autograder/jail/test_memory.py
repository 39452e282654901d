"""All memory that a submission uses counts, wherever it is kept."""

from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from autograder.jail import Crashed, Jail, Limits, Lost
from autograder.samples.hostile import hostile_programs
from tests.autograder.submissions import LESSON, printed

MIB = 2**20
LIMITS = Limits(memory=400 * MIB, call=5.0)
BOMBS = {one.name: one.source for one in hostile_programs() if one.name.startswith("bomb_of")}


def available() -> int:
    """Bytes of memory that are left on this machine."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    [line] = [line for line in lines if line.startswith("MemAvailable")]
    return int(line.split()[1]) * 1024


class Watch:
    """Notes the least memory that was left while it was open."""

    def __enter__(self) -> "Watch":
        self._first = self._least = available()
        self._is_over = Event()
        self._thread = Thread(target=self._look)
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._is_over.wait(0.005):
            self._least = min(self._least, available())

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    @property
    def used(self) -> int:
        return self._first - self._least


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("bomb_of_shared_memory", "bomb_of_sockets", "bomb_of_small_processes"),
        *("bomb_of_memory_in_processes", "bomb_of_memory_files", "bomb_of_empty_files"),
        "bomb_of_headless_processes",
    ],
)
def test_a_submission_stays_near_the_limit(name: str):
    with Jail(LESSON, LIMITS) as jail, Watch() as watch:
        session = jail.session()
        question = {"do": "run", "source": f"{BOMBS[name]}\nmerge([2])", "name": "merge"}
        with suppress(Lost):
            session.ask(question, 6)
    assert watch.used < 650 * MIB


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess, sys\n"
        "program = \"kept = bytearray(b'x') * 15_000_000; import time; time.sleep(60)\"\n"
        "for _ in range(40): subprocess.Popen([sys.executable, '-S', '-E', '-c', program])\n",
        "import os\nfor n in range(300_000): os.mknod(str(n))\n",
        "import os, socket\nkept = []\n"
        "for _ in range(20):\n"
        "    if os.fork() == 0:\n"
        "        kept = [socket.socketpair() for _ in range(100)]\n        break\n",
        "import os, pty\n"
        "for _ in range(30):\n"
        "    if os.fork() == 0:\n"
        "        kept = [pty.openpty() for _ in range(120)]\n        break\n",
        "import ctypes, os, threading, time\n"
        "def take():\n    time.sleep(0.5)\n    kept = b'x' * 200_000_000\n    time.sleep(60)\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        threading.Thread(target=take).start()\n"
        "        ctypes.CDLL(None).syscall({'x86_64': 60}.get(os.uname().machine, 93), 0)\n",
    ],
    ids=["small programs", "files", "sockets", "terminals", "headless"],
)
def test_memory_of_every_kind_is_counted(source: str):
    question = {"do": "run", "source": f"{source}\nimport time\ntime.sleep(60)", "name": "cell"}
    with Jail(LESSON, LIMITS) as jail, pytest.raises(Crashed, match="400 MiB of memory"):
        jail.session().ask(question, 30)


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
    with Jail(LESSON, LIMITS) as jail:
        assert printed(jail, source) == "there\n"
