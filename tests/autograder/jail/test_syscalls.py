"""Inside the jail, the kernel refuses all system calls that no submission needs."""

import platform
import struct

import pytest

from autograder.jail import WarmJail
from autograder.jail.syscalls import filter_program
from tests.autograder.grading_helpers import printed


def test_code_runs_without_any_capability_and_can_gain_none(jail: WarmJail):
    source = """
import ctypes, platform, struct
libc = ctypes.CDLL(None)
found = ctypes.create_string_buffer(24)
number = {"x86_64": 125, "aarch64": 90}[platform.machine()]
asked = libc.syscall(number, struct.pack("Ii", 0x20080522, 0), found)
print(asked, any(found.raw), libc.prctl(39, 0, 0, 0, 0), libc.prctl(21, 0, 0, 0, 0))
"""
    assert printed(jail, source) == "0 False 1 2\n"  # no new privileges; system calls are filtered


CALLS = (
    "libc.unshare(0x10000000)",
    "libc.shmget(1, 4096, 0o1600)",
    "libc.msgget(1, 0o1600)",
    "libc.memfd_create(b'x', 0)",
    "libc.ptrace(16, 1, 0, 0)",
    "libc.setpriority(2, 0, 19)",
    "libc.prlimit(1, 7, bytes(16), None)",
    "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)",
    "libc.syscall(56, 0x10000011, 0, 0, 0, 0)",
    "libc.mmap(None, 4096, 3, 0x21, -1, 0)",
    "libc.fcntl(0, 1031, 2**20)",
    "libc.setsockopt(0, 1, 7, b'0000', 4)",
    "libc.setsockopt(0, 1, 33, b'0000', 4)",
    "libc.vmsplice(1, None, 0, 0)",
    "libc.mincore(None, 4096, None)",
    "libc.readahead(0, 0, 4096)",
    "libc.preadv2(0, None, 0, 0, 8)",
    "libc.madvise(None, 4096, 21)",
    "libc.flock(0, 1)",
    "libc.sendmsg(0, 0, 0)",
    "libc.inotify_init()",
    "libc.fcntl(0, 5, bytes(64))",
)


def test_the_kernel_refuses_what_no_submission_needs(jail: WarmJail):
    session = jail.session()
    printed(session, "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)")
    said = {call: printed(session, f"print({call}, ctypes.get_errno())") for call in CALLS}
    assert said == dict.fromkeys(CALLS, "-1 1\n")


def test_a_lock_keeps_nobody_out(jail: WarmJail):
    source = """
import fcntl, os, sqlite3
for path in (os.devnull, "own"):
    file = open(path, "w")
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if os.fork() == 0:
        fcntl.lockf(open(path, "w"), fcntl.LOCK_EX | fcntl.LOCK_NB)
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.wait()[1]))
with sqlite3.connect("numbers.db") as numbers:
    numbers.execute("create table one (n)")
    numbers.execute("insert into one values (42)")
print(*sqlite3.connect("numbers.db").execute("select n from one"))
"""
    assert printed(jail, source) == "7\n7\n(42,)\n"


def test_the_filter_is_a_list_of_whole_instructions_that_only_jump_inside_it():
    program = filter_program()
    count = len(program) // 8
    assert len(program) == count * 8
    jumps = [(n, program[8 * n + 2], program[8 * n + 3]) for n in range(count)]
    assert all(n + 1 + max(yes, no) < count for n, yes, no in jumps[:-1])


@pytest.mark.parametrize(("machine", "mount"), [("x86_64", 165), ("aarch64", 40)])
def test_the_filter_has_the_numbers_of_the_machines_own_calls(
    machine: str, mount: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    program = struct.iter_unpack("<HBBI", filter_program.__wrapped__())
    assert [value for _, yes, no, value in program if (yes, no) == (0, 1)].count(mount) == 1
