"""Two filters of system calls: one for submissions, one for tests. Each refuses what is not needed.

The refused calls hide memory from the limits (shared memory, memory files, large buffers, nested
mounts), use a network, leave things behind for the next student (message queues, keys), change the
limits of another process, or only make the kernel easier to attack. Other refused calls would let
two runs send each other messages: they show or drop the parts of a file that the kernel holds in
memory, lock or watch a file that all jails see, or send open files, which the kernel counts for all
jails together.

Tests run outside of the jail, with the rights of the grader. So the filter for tests also refuses
the calls that start a program or process, send a signal, open a connection, or change a file's
rights or times.
"""

import platform
import re
import struct
from collections.abc import Iterable
from functools import cache

# Each call with its number on x86_64 and on aarch64; - if the machine has no such call.
_FORBIDDEN = """
shmget 29 194, shmat 30 196, semget 64 190, msgget 68 186, mq_open 240 180
memfd_create 319 279, memfd_secret 447 447, vmsplice 278 75
add_key 248 217, request_key 249 218, keyctl 250 219
unshare 272 97, setns 308 268, mount 165 40, umount2 166 39, pivot_root 155 41
open_tree 428 428, move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432
fspick 433 433, mount_setattr 442 442
ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, pidfd_getfd 438 438
process_madvise 440 440
bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, io_uring_setup 425 425
io_uring_enter 426 426, io_uring_register 427 427, kexec_load 246 104, init_module 175 105
finit_module 313 273, ioprio_set 251 30, sched_setparam 142 118, sched_setscheduler 144 119
sched_setaffinity 203 122, sched_setattr 314 274, personality 135 92, swapon 167 224
fadvise64 221 223, readahead 187 213, sync_file_range 277 84
mincore 27 232, cachestat 451 451, preadv2 327 286
syslog 103 116, flock 73 32, inotify_init 253 -, inotify_init1 294 26, fanotify_init 300 262
"""
_FORBIDDEN_TO_SUBMISSIONS = "sendmsg 46 211, sendmmsg 307 269"
_FORBIDDEN_TO_TESTS = """
execve 59 221, execveat 322 281, fork 57 -, vfork 58 -
kill 62 129, tkill 200 130, tgkill 234 131, rt_sigqueueinfo 129 138
rt_tgsigqueueinfo 297 240, pidfd_open 434 434, pidfd_send_signal 424 424
socket 41 198, connect 42 203, bind 49 200
truncate 76 45, chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -
fchown 93 55, lchown 94 -, fchownat 260 54, setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7
removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16, utime 132 -, utimes 235 -
futimesat 261 -, utimensat 280 88, setxattrat 463 463, removexattrat 466 466
file_setattr 469 469
"""
_DECIDED_BY_ARGUMENTS = """
prlimit64 302 261, setpriority 141 140, clone3 435 435, clone 56 220, mmap 9 222, fcntl 72 25
madvise 28 233, socket 41 198, socketpair 53 199, setsockopt 54 208
ioctl 16 29, prctl 157 167, open 2 -, openat 257 56, openat2 437 437
"""
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_DONE = 0  # in place of an error: the call does nothing, and its caller does not see that
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
# Offsets in the kernel's struct seccomp_data.
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, (16, 24, 32, 40)
_X32 = 0x40000000

_THREAD = 0x10000  # CLONE_THREAD
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
_SHARED, _ANONYMOUS = 0x01, 0x20  # of mmap
_SET_PIPE_SIZE = 1031  # of fcntl, as are the next numbers
_LOOKS_AT_LOCKS = (5, 36, 1024, 1025, 1026)  # F_GETLK, F_OFD_GETLK, leases, F_NOTIFY
_LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
_SENDS_SIGNALS = (8, 10, 15)
# Of ioctl: TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. They read the state of an
# open file, or set whether it blocks, or whether a new program inherits it.
_HARMLESS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_SET_DEATH_SIGNAL = 1  # of prctl
_THROWS_OUT = (20, 21)  # of madvise
_WRITES, _CUTS = 0x3, 0x200  # of open
_APART = 0x2  # of socketpair: its sockets can send to others, too
_UNIX = 1
_OF_SOCKETS = 1
_BUFFER_SIZES = (7, 8, 32, 33)

Instruction = tuple[int, int, int, int]


def is_supported_machine() -> bool:
    """Return true if the numbers of this machine's system calls are known."""
    return platform.machine() in _MACHINES


@cache
def filter_program(is_for_tests: bool = False) -> bytes:
    """Return the filter in the form that the kernel needs: eight bytes for each instruction."""
    forbidden = _FORBIDDEN + (_FORBIDDEN_TO_TESTS if is_for_tests else _FORBIDDEN_TO_SUBMISSIONS)
    _, machine = _MACHINES[platform.machine()]
    program = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        _refuse(),
    ]
    for number in _numbers(forbidden).values():
        program += [(_EQUAL, 0, 1, number), _refuse()]
    rules, allow = _rules(is_for_tests), (_RETURN, 0, 0, _ALLOW)
    for name, number in _numbers(_DECIDED_BY_ARGUMENTS).items():
        if rule := rules.get(name):
            program += [(_EQUAL, 0, len(rule) + 1, number), *rule, allow]
    program.append(allow)
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in program)


def _numbers(calls: str) -> dict[str, int]:
    """Return a dictionary from the names of the listed calls to their numbers on this machine."""
    column, _ = _MACHINES[platform.machine()]
    listed = map(str.split, re.findall(r"\w+ \S+ [^\s,]+", calls))
    return {name: int(choice[column]) for name, *choice in listed if choice[column] != "-"}


def _rules(is_for_tests: bool) -> dict[str, list[Instruction]]:
    """Return a dictionary from names of calls to instructions that decide by the arguments."""
    itself = [(_EQUAL, 1, 0, 0), _refuse()]
    only_unix = [_argument(0), (_EQUAL, 1, 0, _UNIX), _refuse(_EAFNOSUPPORT)]
    sizes = _refused(_BUFFER_SIZES)
    buffers = [(_EQUAL, 0, 1 + len(sizes), _OF_SOCKETS), _argument(2), *sizes]
    only_threads = [(_ANY_BIT, 1, 0, _THREAD), _refuse()] if is_for_tests else []
    only_streams = [_argument(1), (_ANY_BIT, 0, 1, _APART), _refuse()] if is_for_tests else []
    signals = _refused(_SENDS_SIGNALS) if is_for_tests else []
    # Other runs could see a lock on /dev/null. Databases lock their files: let locks seem to work.
    locks = _refused(_LOCKS, _DONE)
    # Landlock restricts the truncation of files only since Linux 6.2, and never their times.
    cuts = [(_ANY_BIT, 2, 0, _WRITES), (_ANY_BIT, 0, 1, _CUTS), _refuse()]
    allow = (_RETURN, 0, 0, _ALLOW)
    harmless = [part for value in _HARMLESS for part in ((_EQUAL, 0, 1, value), allow)]
    of_tests = {
        "ioctl": [_argument(1), *harmless, _refuse()],
        "prctl": [_argument(0), *_refused([_SET_DEATH_SIGNAL])],
        "open": [_argument(1), *cuts],
        "openat": [_argument(2), *cuts],
        "openat2": [_refuse(_ENOSYS)],
    }
    # Memory that is shared without a file outlives the process that it is counted for.
    shared = [(_ANY_BIT, 0, 2, _ANONYMOUS), (_ANY_BIT, 0, 1, _SHARED), _refuse()]
    return {
        # A process may set its own limits and its own priority only.
        "prlimit64": [_argument(0), *itself],
        "setpriority": [_argument(0), *itself, _argument(1), *itself],
        "clone3": [_refuse(_ENOSYS)],
        "clone": [_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), _refuse(), *only_threads],
        "mmap": [_argument(3), *shared],
        "fcntl": [_argument(1), *_refused([_SET_PIPE_SIZE, *_LOOKS_AT_LOCKS]), *locks, *signals],
        "madvise": [_argument(2), *_refused(_THROWS_OUT)],
        "socket": only_unix,
        "socketpair": [*only_unix, *only_streams],
        "setsockopt": [_argument(1), *buffers],
        **(of_tests if is_for_tests else {}),
    }


def _refused(values: Iterable[int], error: int = _EPERM) -> list[Instruction]:
    """Return instructions that refuse the call if the loaded value is one of `values`."""
    return [part for value in values for part in ((_EQUAL, 0, 1, value), _refuse(error))]


def _refuse(error: int = _EPERM) -> Instruction:
    return _RETURN, 0, 0, _REFUSE | error


def _argument(place: int) -> Instruction:
    return _LOAD, 0, 0, _ARGUMENTS[place]
