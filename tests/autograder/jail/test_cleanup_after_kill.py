"""A grader that is killed: none of its processes lives on; the next grader removes its folder."""

import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.jail import WarmJail
from autograder.jail.inside.memory_usage import descendants
from autograder.jail.temporary_folder import TemporaryFolder, remove_orphans
from tests.autograder.grading_helpers import LESSON, printed

pytestmark = pytest.mark.usefixtures("next_grader")

DIGITS = "0123456789abcdef"

# A grader that prints the ids of its descendants; with `loops`, its submission starts several
# processes that loop.
GRADER = f"""
import sys, warnings
from threading import Thread
from autograder.jail import WarmJail
from autograder.jail.inside.memory_usage import descendants
warnings.simplefilter("ignore")
confined = sys.argv[1] == "confined"
loop = sys.argv[2] == "loops"
source = '''
import os
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        os.fork()
        break
while True: pass
'''
with WarmJail({LESSON!r}, confined=confined) as jail:
    question = {{"do": "run", "source": source if loop else "x = 1", "name": "cell"}}
    asking = Thread(target=jail.session().ask, args=(question, 60))
    asking.start()
    while len(list(descendants())) < (8 if loop else 2):
        pass
    print(*descendants(), flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("does", ["loops", "waits"])
@pytest.mark.parametrize("where", ["confined", "free"])
def test_nothing_is_alive_after_the_grader_was_killed(where: str, does: str, tmp_path: Path):
    process = subprocess.Popen(
        [sys.executable, "-c", GRADER, where, does],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    alive = [os.pidfd_open(int(pid)) for pid in process.stdout.readline().split()]
    assert alive
    process.send_signal(signal.SIGKILL)
    process.communicate()
    for pidfd in alive:
        assert select.select([pidfd], [], [], 5)[0] == [pidfd]
        os.close(pidfd)
    assert [path.name.split("-")[:2] for path in tmp_path.iterdir()] == [["jail", str(process.pid)]]
    remove_orphans(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_jail_removes_the_folders_of_the_dead_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead = subprocess.Popen(["true"])
    dead.wait()
    (tmp_path / f"jail-{dead.pid}-{DIGITS}" / "course").mkdir(parents=True)
    living = f"jail-{os.getppid()}-{DIGITS}"
    of_others = f"jail-{dead.pid}-results", f"jail-{dead.pid}-{DIGITS}-old", "jail-of-somebody-else"
    for name in (living, *of_others):
        (tmp_path / name).mkdir()
    with WarmJail(LESSON):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {living, *of_others}


def test_a_folder_that_is_locked_has_a_living_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = TemporaryFolder()
    # A grader in a container may name its folder after a process number that is unknown here.
    folder.path = folder.path.rename(tmp_path / f"jail-{2**30}-{DIGITS}")
    remove_orphans(tmp_path)
    assert folder.path.exists()
    folder.remove()
    folder.remove()
    assert list(tmp_path.iterdir()) == []


def test_descendants_are_found_at_any_depth():
    shell = subprocess.Popen(["sh", "-c", "sh -c 'echo; cat' ; true"], stdin=-1, stdout=-1)
    assert shell.stdout is not None
    shell.stdout.readline()
    assert shell.pid in set(descendants())
    shell.communicate()


def test_closing_the_jail_ends_everything_in_it():
    with WarmJail(LESSON) as made:
        assert made._first is not None
        first = os.dup(made._first)
        printed(made, "import os\nif os.fork() == 0:\n    while True: pass")
    assert select.select([first], [], [], 10)[0] == [first]
    os.close(first)
