"""Forks a process for the tests of one submission, which may do nothing but ask and answer.

Tests are the instructor's, but some run what a program has answered: `df.query(answer)`. And what
they change in Python and its libraries ends with the process, as with the kernel of nbgrader.
"""

import gc
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NoReturn

from autograder.ending import numbers
from autograder.jail import Jail, Meter, Session, clock_of, rights
from autograder.wire import Channel


def begin_apart(serve: Callable[[Channel], object], jail: Jail, folder: Path) -> Session:
    """Fork a process that serves a session in that folder and uses the jail meanwhile.

    The session's seconds are those that the process itself spends; what it waits for in the jail
    counts only if that sleeps, too.
    """
    ours, theirs = socket.socketpair()
    grader = os.getpid()
    gc.freeze()  # else the fork would write to all that it has in common with the grader
    process = os.fork()
    if not process:
        _serve(serve, jail, folder, theirs, grader)
    gc.unfreeze()
    theirs.close()
    threads = Path(f"/proc/{process}/task")
    meter = Meter(clock_of(process), lambda: (*threads.iterdir(), *jail.tasks()))
    return Session(
        Channel(ours), jail.limits, partial(_end, process), partial(os.kill, process), meter
    )


def _serve(
    serve: Callable[[Channel], object], jail: Jail, folder: Path, wire: socket.socket, grader: int
) -> NoReturn:
    try:
        for number in numbers():
            signal.signal(number, signal.SIG_DFL)
        rights.end_with(grader)
        _forget_files({jail.lend(), wire.fileno()})
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        tempfile.tempdir = str(folder)
        rights.limit_memory()
        if jail.confined:
            rights.give_up_rights(folder)
        serve(Channel(wire))
    finally:
        os._exit(0)


def _forget_files(kept: set[int]) -> None:
    """Have nothing open but these; the numbers of the others stay taken, for who closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/dev/fd"):
        if int(name) not in kept:
            with suppress(OSError):  # that of the list itself
                os.fstat(int(name))
                os.dup2(nothing, int(name))


def _end(process: int, _is_lost: bool) -> str:
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return ""
