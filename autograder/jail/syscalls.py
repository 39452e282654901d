"""Calls to the kernel that no submission needs, as a filter for bubblewrap's `--seccomp`.

They would hide memory from the limits (shared memory, memory files, nested mounts), leave things
behind for the next student (message queues, keys), touch the limits of a neighbour, or only widen
what of the kernel can be attacked.
"""

import os
import platform
import struct

# Numbers on x86_64 and on aarch64; None where the machine has no such call.
_FORBIDDEN: dict[str, tuple[int | None, int | None]] = {
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "personality": (135, 92),
    "swapon": (167, 224),
}
_PRLIMIT = (302, 261)
_SETPRIORITY = (141, 140)
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
# Offsets in the kernel's struct seccomp_data.
_NUMBER, _MACHINE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
_X32 = 0x40000000


def is_known_machine() -> bool:
    """Whether the numbers of this machine's calls are known."""
    return platform.machine() in _MACHINES


def filter_program() -> bytes:
    """The filter in the kernel's own form: a list of instructions of eight bytes."""
    column, machine = _MACHINES[platform.machine()]
    refuse = _RETURN, 0, 0, _REFUSE | _EPERM
    program = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        refuse,
    ]
    for numbers in _FORBIDDEN.values():
        if (number := numbers[column]) is not None:
            program += [(_EQUAL, 0, 1, number), refuse]
    program += [
        # A process may set its own limits and its own priority only; clone makes no namespaces.
        (_EQUAL, 0, 4, _PRLIMIT[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_EQUAL, 1, 0, 0),
        refuse,
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 0, 6, _SETPRIORITY[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_EQUAL, 0, 2, 0),
        (_LOAD, 0, 0, _SECOND_ARGUMENT),
        (_EQUAL, 1, 0, 0),
        refuse,
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 0, 1, _CLONE3[column]),
        (_RETURN, 0, 0, _REFUSE | _ENOSYS),
        (_EQUAL, 0, 3, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        refuse,
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in program)


def filter_pipe() -> int:
    """A file descriptor from which bubblewrap reads the filter."""
    reading, writing = os.pipe()
    os.write(writing, filter_program())
    os.close(writing)
    return reading
