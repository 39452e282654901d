"""A jail after a submission: nothing is left for the next submission, and the jail still works."""

import select
import signal

import pytest

from autograder.jail import Crashed, WarmJail
from tests.autograder.submissions import printed


@pytest.mark.parametrize(
    ("leave", "look"),
    [
        ("open('/tmp/x', 'w')", "import os; print(os.listdir('/tmp'))"),
        (
            "import os\nos.makedirs('/tmp/a/b')\nos.chmod('/tmp/a', 0)",
            "import os; print(os.listdir('/tmp'))",
        ),
        (
            "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)",
            "import os; print([p for p in os.listdir('/proc') if p.isdigit()][2:])",
        ),
        (
            "import random; random.leftover = 1; x = 1",
            "import random; print(dir().count('x') * [1])",
        ),
        (
            "import os; os.setxattr('/tmp', 'user.x', b'1')",
            "import os; print(os.listxattr('/tmp'))",
        ),
    ],
    ids=["files", "locked folders", "processes", "names", "attributes"],
)
def test_nothing_is_left_for_the_next_submission(jail: WarmJail, leave: str, look: str):
    printed(jail, leave)
    assert printed(jail, look) == "[]\n"


def test_the_time_at_which_a_submission_touched_its_folder_is_not_left(jail: WarmJail):
    then = int(printed(jail, "import os; os.utime('.'); print(os.stat('.').st_mtime_ns)"))
    assert int(printed(jail, "import os; print(os.stat('.').st_mtime_ns)")) > then


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


def test_a_session_that_outlives_its_warm_process_has_crashed(jail: WarmJail):
    session = jail.session()
    end_first_process(jail)
    with pytest.raises(Crashed):
        session.ask({"do": "run", "source": "1", "name": "cell"}, 10)
    assert printed(jail, "print('again')") == "again\n"
