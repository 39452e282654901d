"""The jail: what can be seen and done inside, what is left afterwards, and what a limit does."""

import importlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import course
from autograder.course import files_in_jail
from autograder.jail import Crashed, Jail, JailMissing, Limits, TimedOut
from autograder.jail.syscalls import filter_program
from course.lessons import built_before, lessons
from tests.autograder.submissions import LESSON, printed

MIB = 2**20
SMALL = Limits(memory=400 * MIB, processes=20, file_size=MIB, folder_size=4 * MIB, output=1000)


@pytest.fixture(scope="module")
def jail() -> Iterator[Jail]:
    with Jail(LESSON) as made:
        yield made


@pytest.fixture(scope="module")
def small_jail() -> Iterator[Jail]:
    with Jail(LESSON, SMALL) as made:
        yield made


# What can be seen.


@pytest.mark.parametrize(
    "source",
    [
        "import os; print(any('ipynb' in n for p, _, ns in os.walk('/lesson') for n in ns))",
        f"import os; print(os.path.exists({str(Path(course.__file__).parents[1])!r}))",
        f"import os; print(os.path.exists({str(Path.home())!r}))",
        "import os; print(os.path.exists('/home'))",
        "import os; print(os.path.exists('/etc/passwd'))",
        "import os; print(any(name.isdigit() and int(name) > 9 for name in os.listdir('/proc')))",
        "import os; print('autograder' in os.environ.get('PATH', '') or len(os.environ) > 12)",
    ],
    ids=["notebooks", "project", "own home", "home", "etc", "processes", "environment"],
)
def test_nothing_of_the_machine_can_be_seen(jail: Jail, source: str):
    assert printed(jail, source) == "False\n"


@pytest.mark.parametrize(
    "module",
    ["course.rules.line", "course.cases", "course.widgets", "autograder.judge", "nbgrader.course"],
)
def test_nothing_that_helps_can_be_imported(jail: Jail, module: str):
    source = f"try:\n    import {module}\nexcept ImportError as error:\n    print('no')"
    assert printed(jail, source) == "no\n"


@pytest.mark.parametrize("name", ["course", "autograder"])
def test_installed_copies_of_the_course_are_masked(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from autograder.jail import bubblewrap

    package = tmp_path / "site-packages" / name
    package.mkdir(parents=True)
    assert name in {folder.name for folder in bubblewrap._PACKAGES}
    monkeypatch.setattr(bubblewrap, "_PACKAGES", (package,))
    flags = bubblewrap._masks(tmp_path, "/site0")
    mask = f"/site0/site-packages/{name}"
    assert flags == ["--tmpfs", mask, "--remount-ro", mask]


def test_only_the_private_folder_can_be_written_to(jail: Jail):
    source = """
for line in open("/proc/self/mountinfo"):
    fields = line.split()
    kind = fields[fields.index("-") + 1]
    if "ro" not in fields[5].split(",") and kind not in ("proc", "devpts", "devtmpfs"):
        print(fields[4])
"""
    writable = printed(jail, source).split()
    assert [place for place in writable if not place.startswith("/dev/")] == ["/tmp"]


def test_code_runs_without_any_capability_and_can_gain_none(jail: Jail):
    source = "print(open('/proc/self/status').read())"
    status = dict(line.split(":\t") for line in printed(jail, source).splitlines() if ":\t" in line)
    assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == 0
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"


def test_there_is_no_way_to_the_network(jail: Jail):
    source = """
import socket
for address in [("127.0.0.1", 22), ("192.0.2.1", 80)]:
    try:
        socket.create_connection(address, timeout=5)
    except OSError as error:
        print(error)
"""
    no = "[Errno 97] Address family not supported by protocol\n"
    assert printed(jail, source) == 2 * no


@pytest.mark.parametrize(
    "call",
    [
        "libc.unshare(0x10000000)",
        "libc.shmget(1, 4096, 0o1600)",
        "libc.msgget(1, 0o1600)",
        "libc.memfd_create(b'x', 0)",
        "libc.ptrace(16, 1, 0, 0)",
        "libc.setpriority(2, 0, 19)",
        "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)",
        "libc.syscall(56, 0x10000011, 0, 0, 0, 0)",
        "libc.mmap(None, 4096, 3, 0x21, -1, 0)",
        "libc.fcntl(0, 1031, 2**20)",
        "libc.setsockopt(0, 1, 7, b'0000', 4)",
        "libc.setsockopt(0, 1, 33, b'0000', 4)",
        "libc.vmsplice(1, None, 0, 0)",
    ],
)
def test_the_kernel_refuses_what_no_submission_needs(jail: Jail, call: str):
    load = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)"
    assert printed(jail, f"{load}\nprint({call}, ctypes.get_errno())") == "-1 1\n"


def test_the_limits_of_another_process_can_not_be_changed(jail: Jail):
    source = """
import resource
try:
    resource.prlimit(1, resource.RLIMIT_NOFILE, (1, 1))
except PermissionError:
    print("no")
"""
    assert printed(jail, source) == "no\n"


def test_the_filter_is_a_list_of_whole_instructions_that_only_jump_inside_it():
    program = filter_program()
    count = len(program) // 8
    assert len(program) == count * 8
    jumps = [(n, program[8 * n + 2], program[8 * n + 3]) for n in range(count)]
    assert all(n + 1 + max(yes, no) < count for n, yes, no in jumps[:-1])


# What the lesson offers.


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_only_rules_of_earlier_lessons_are_on_the_disk(lesson):  # type: ignore[no-untyped-def]
    text = "\n".join(files_in_jail(lesson.id).values())
    later = [name for entry in lessons() for name in entry.builds]
    withheld = [name for name in later if name not in built_before(lesson.id)]
    assert [name for name in withheld if f"def {name}(" in text or f"class {name}" in text] == []


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_rules_of_earlier_lessons_work_inside(lesson):  # type: ignore[no-untyped-def]
    names = ", ".join(("DIRECTIONS", *built_before(lesson.id)))
    with Jail(lesson.id) as jail:
        assert printed(jail, f"from course.rules import {names}\nprint('there')") == "there\n"


def test_what_a_learner_would_see_is_silent(jail: Jail):
    source = """
from course import check, CheckFailed, play, watch, replay, predict, hint, keep, kept
play(merge=len); watch(len, [2]); replay(1); predict("merge", [2], options=[]); hint("merge")
keep(len)
check(len, [2], gives=1)
try:
    check(len, [2], gives=2)
except CheckFailed as failed:
    print(str(failed).splitlines()[0], kept("merge"))
"""
    assert printed(jail, source) == "len([2]) None\n"


def test_a_class_grows_cell_by_cell(jail: Jail):
    source = """
from course import add_to
class Basket:
    apples = 0
@add_to(Basket)
def put(self, count):
    self.apples += count
basket = Basket()
basket.put(3)
print(basket.apples)
"""
    assert printed(jail, source) == "3\n"


def test_all_that_the_course_offers_is_there():
    stub = importlib.import_module("autograder.jail.inside.course_stub")
    assert set(stub.__all__) == set(course.HOMES)


def test_an_earlier_lessons_own_function_is_kept():
    with Jail("2-slide-in-four-directions") as jail:
        source = "from course import kept\nprint(kept('merge')([2, 2]))"
        assert printed(jail, source) == "[4, 0]\n"


# What cells show.


def outputs(jail: Jail, source: str) -> list[dict[str, object]]:
    shown: list[dict[str, object]] = jail.session().ask(
        {"do": "run", "source": source, "name": "cell"}, 20
    )["outputs"]
    return shown


def test_outputs_come_in_the_form_and_order_of_a_notebook(jail: Jail):
    shown = outputs(jail, "import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(3)\n[4]")
    assert shown == [
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


def test_an_error_shows_its_traceback(jail: Jail):
    [error] = outputs(jail, "def f():\n    1 / 0\nf()")
    assert (error["output_type"], error["ename"]) == ("error", "ZeroDivisionError")
    assert "----> 2     1 / 0" in "\n".join(error["traceback"])  # type: ignore[arg-type]


def test_what_other_programs_write_is_shown(jail: Jail):
    assert printed(jail, "import os\nos.system('echo from a shell')") == "from a shell\n"
    assert printed(jail, "!echo magic") == "magic\r\n"


def test_input_is_a_clear_error_at_once(jail: Jail):
    [error] = outputs(jail, "input('name? ')")
    assert error["ename"] == "StdinNotImplementedError"
    assert "not available while grading" in str(error["evalue"])


def test_too_much_output_is_cut(small_jail: Jail):
    [shown] = outputs(small_jail, "for _ in range(10**5): print('2048')")
    assert len(str(shown["text"])) < 1100
    assert "cut" in str(shown["text"])


# What a limit does.


def test_memory_is_limited_in_a_process(small_jail: Jail):
    source = "try:\n    bytearray(10**9)\nexcept MemoryError:\n    print('full')"
    assert printed(small_jail, source) == "full\n"


def test_memory_is_limited_in_all_processes_together(small_jail: Jail):
    source = """
import os, time
for _ in range(10):
    if os.fork() == 0:
        kept = b"x" * 10**8
        time.sleep(60)
time.sleep(60)
"""
    with pytest.raises(Crashed, match="400 MiB of memory"):
        small_jail.session().ask({"do": "run", "source": source, "name": "cell"}, 30)


def test_processes_are_limited(small_jail: Jail):
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
def test_files_are_limited(small_jail: Jail, source: str):
    [error] = outputs(small_jail, source)
    assert error["ename"] == "OSError"


def test_a_deadline_is_kept_and_the_next_session_is_not_delayed(jail: Jail):
    session = jail.session()
    with pytest.raises(TimedOut, match=r"0\.1 s"):
        session.ask({"do": "run", "source": "while True: pass", "name": "cell"}, 0.1)
    assert session.is_over
    assert printed(jail, "print('next')") == "next\n"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import os; os._exit(0)", "ended the Python process"),
        ("import os; os.abort()", "SIGABRT"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    ],
    ids=["exit", "abort", "segfault"],
)
def test_a_process_that_ends_says_why(jail: Jail, source: str, reason: str):
    with pytest.raises(Crashed, match=reason):
        jail.session().ask({"do": "run", "source": source, "name": "cell"}, 20)


# What is left.


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
def test_nothing_is_left_for_the_next_submission(jail: Jail, leave: str, look: str):
    printed(jail, leave)
    assert printed(jail, look) == "[]\n"


def test_the_time_at_which_a_submission_touched_its_folder_is_not_left(jail: Jail):
    then = int(printed(jail, "import os; os.utime('.'); print(os.stat('.').st_mtime_ns)"))
    assert int(printed(jail, "import os; print(os.stat('.').st_mtime_ns)")) > then


def test_the_first_process_can_not_be_ended_from_inside(jail: Jail):
    first = jail._first
    source = "import os\nfor n in (2, 9, 15, 19):\n    os.kill(1, n)\nprint('sent')"
    assert printed(jail, source) == "sent\n"
    assert printed(jail, "print('next')") == "next\n"
    assert jail._first == first


def end_first_process(jail: Jail) -> None:
    assert jail._first is not None
    signal.pidfd_send_signal(jail._first, signal.SIGKILL)
    select.select([jail._first], [], [], 10)


def test_a_warm_process_that_is_lost_is_replaced_at_once(jail: Jail):
    jail.session().close()
    end_first_process(jail)
    assert printed(jail, "print('again')") == "again\n"


def test_a_session_that_outlives_its_warm_process_has_crashed(jail: Jail):
    session = jail.session()
    end_first_process(jail)
    with pytest.raises(Crashed):
        session.ask({"do": "run", "source": "1", "name": "cell"}, 10)
    assert printed(jail, "print('again')") == "again\n"


def test_closing_the_jail_ends_everything_in_it():
    with Jail(LESSON) as made:
        assert made._first is not None
        first = os.dup(made._first)
        printed(made, "import os\nif os.fork() == 0:\n    while True: pass")
    assert select.select([first], [], [], 10)[0] == [first]
    os.close(first)


def test_the_jail_ends_with_the_grader(tmp_path: Path):
    grader = f"""
from autograder.jail import Jail
jail = Jail({LESSON!r}).__enter__()
outer = jail._outer.pid
print(open(f"/proc/{{outer}}/task/{{outer}}/children").read(), flush=True)
jail.session().ask({{"do": "run", "source": "while True: pass", "name": "cell"}}, 60)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", grader],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},  # what a killed grader leaves behind
    )
    assert process.stdout is not None
    first = os.pidfd_open(int(process.stdout.readline()))
    process.kill()
    process.communicate()
    assert select.select([first], [], [], 10)[0] == [first]
    os.close(first)


# Without a jail.


def test_without_bubblewrap_a_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(JailMissing, match="apt install bubblewrap"), Jail(LESSON):
        pass


def test_a_jail_that_can_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho no namespaces here >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(JailMissing, match="no namespaces here"), Jail(LESSON):
        pass


def test_without_a_jail_there_is_a_warning_and_code_runs():
    with pytest.warns(RuntimeWarning, match="without a jail"), Jail(LESSON, confined=False) as made:
        assert printed(made, "print(2048)") == "2048\n"


def test_an_unknown_lesson_is_an_error():
    with pytest.raises(ValueError, match="no lesson"):
        Jail("9-nothing")
