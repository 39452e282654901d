"""A jail after a submission: nothing is left for the next submission, and the jail still works."""

import select
import signal
import warnings
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from autograder.jail import Crashed, WarmJail
from tests.autograder.grading_helpers import LESSON, outputs, printed
from tests.waiting import SECONDS


@pytest.mark.parametrize(
    ("leave", "look"),
    [
        ("open('/tmp/x', 'w')", "import os; print(os.listdir('/tmp'))"),
        (
            "import os\nos.makedirs('/tmp/a/b')\nos.chmod('/tmp/a', 0)",
            "import os; print(os.listdir('/tmp'))",
        ),
        (
            "import random; random.leftover = x = 1",
            "import random; print([name for name in dir() + dir(random) if name in 'x leftover'])",
        ),
        (
            "import os; os.setxattr('/tmp', 'user.x', b'1')",
            "import os; print(os.listxattr('/tmp'))",
        ),
    ],
    ids=["files", "locked folders", "names", "attributes"],
)
def test_nothing_is_left_for_the_next_submission(jail: WarmJail, leave: str, look: str):
    printed(jail, leave)
    assert printed(jail, look) == "[]\n"


@pytest.mark.parametrize("files", [{}, {"data.csv": b"1"}], ids=["no files", "files"])
def test_without_a_jail_a_submission_gets_a_new_folder_outside_of_the_course(
    files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings(action="ignore"), WarmJail(LESSON, confined=False) as free:
        for _ in range(2):
            free.lay(files)
            look = "import os; print(os.listdir()); os.makedirs('a/b'); os.chmod('a', 0)"
            assert printed(free, look) == f"{[*files]}\n"
    assert list(tmp_path.iterdir()) == []


def test_no_process_is_left_for_the_next_submission(jail: WarmJail):
    with closing(jail.session()) as session:
        printed(session, "import os, time")
        before = psutil.Process().children(recursive=True)
        printed(session, "if os.fork() == 0:\n    os.setsid()\n    time.sleep(600)")
        [left] = {*psutil.Process().children(recursive=True)} - {*before}
    assert psutil.wait_procs([left], timeout=SECONDS)[1] == []


def test_the_time_at_which_a_submission_touched_its_folder_is_not_left(jail: WarmJail):
    then = int(printed(jail, "import os; os.utime('.'); print(os.stat('.').st_mtime_ns)"))
    assert int(printed(jail, "import os; print(os.stat('.').st_mtime_ns)")) > then


# Tries to change each file, or a few of each folder.
TOUCH = """import os
def touched(how, *where):
    try:
        how(*where)
    except OSError:
        return []
    return list(where[:1])

found = []
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if folder != "/" or name not in ("usr", "tmp", "proc")]
    files = files[:FEW]
    for path in (os.path.join(folder, name) for name in [".", *files] if folder != "/dev/shm"):
        found += touched(os.utime, path) + touched(os.chmod, path, 0o777)
        for way in (os.O_RDONLY, os.O_WRONLY):
            try:
                file = os.open(path, way | os.O_NONBLOCK)
            except OSError:
                continue
            found += touched(os.utime, file)
            os.close(file)
print(found)"""


@pytest.mark.parametrize("few", [3, pytest.param(None, marks=pytest.mark.deep)])
def test_nothing_about_a_file_that_all_submissions_see_can_be_set(jail: WarmJail, few: int | None):
    assert printed(jail, TOUCH.replace("FEW", str(few))) == "[]\n"
    assert printed(jail, "import os; print(os.access('/dev/null', os.W_OK))") == "True\n"


def test_no_file_of_the_warm_process_is_open(jail: WarmJail):
    """A program could, with `fcntl`, leave a number in an open file for the next submission."""
    source = (
        "import os, stat\nfor n in range(4096):\n    try:\n        kind = os.fstat(n).st_mode\n"
    )
    source += "        print(n, stat.filemode(kind)[0])\n    except OSError:\n        pass"
    assert printed(jail, source) == "0 c\n1 -\n2 -\n3 s\n"  # its own outputs, and its socket


def test_the_first_process_can_not_be_ended_from_inside(jail: WarmJail):
    first = jail._first
    source = "import os\nfor n in (9, 15, 19):\n    os.kill(1, n)\nprint('sent', os.getpid())"
    assert printed(jail, source) == "sent 1\n"  # the submission is process 1, and survives, too
    assert printed(jail, "print('next')") == "next\n"
    assert jail._first == first


def end_first_process(jail: WarmJail) -> None:
    assert jail._first is not None
    signal.pidfd_send_signal(jail._first, signal.SIGKILL)
    select.select([jail._first], [], [], 10)


def test_a_warm_process_that_is_lost_is_replaced_at_once(jail: WarmJail):
    jail.session().close()
    end_first_process(jail)
    assert printed(jail, "print('again')") == "again\n"


def test_the_end_of_a_submission_is_awaited_for_less_long_than_the_start_of_a_jail(jail: WarmJail):
    jail.replace()
    start = jail._control.gettimeout()  # type: ignore[union-attr]
    jail.session().close()
    assert jail._control.gettimeout() < start  # type: ignore[union-attr, operator]


def test_a_session_that_outlives_its_warm_process_has_crashed(jail: WarmJail):
    session = jail.session()
    end_first_process(jail)
    with pytest.raises(Crashed):
        outputs(session, "1")
    assert printed(jail, "print('again')") == "again\n"
