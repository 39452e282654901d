"""Forks the grader for the tests of one submission.

The fork is restricted, answers the grader's questions, and ends with the submission: what tests
change in Python and its libraries ends with it, as with the kernel of nbgrader. The tests are the
instructor's, but some run what a program has answered: `df.query(answer)`.
"""

import gc
import os
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NoReturn

from autograder.jail import GENEROUS, Jail, Meter, Session, clock_of, rights
from autograder.shutdown import numbers
from autograder.wire import Channel, pack


def begin_apart(serve: Callable[[Channel], object], jail: Jail, folder: Path) -> Session:
    """Fork a process that serves a session in that folder and uses the jail meanwhile.

    The session's seconds are those that the process itself spends. What it waits for in the jail
    counts a sixth, as sleep does. If it cannot be restricted, its first answer has the error as
    `failed`.
    """
    ours, theirs = socket.socketpair()
    grader = os.getpid()
    gc.freeze()  # else the fork would write to all that it has in common with the grader
    try:
        process = os.fork()
        if not process:
            _run(serve, jail, folder, theirs, grader)
    finally:
        gc.unfreeze()
        theirs.close()
    meter = Meter(
        clock_of(process),
        lambda: _threads([process, *jail.processes()]),
        jail.processes,
        share=1 / GENEROUS,
    )
    end, send = partial(_end, process), partial(os.kill, process)
    return Session(Channel(ours), jail.limits, end, send, meter)


def _run(
    serve: Callable[[Channel], object], jail: Jail, folder: Path, wire: socket.socket, grader: int
) -> NoReturn:
    try:
        _begin(jail, folder, wire, grader)
        serve(Channel(wire))
    except Exception:
        Channel(wire).send(pack({"failed": traceback.format_exc()}))
    finally:
        os._exit(0)


def _begin(jail: Jail, folder: Path, wire: socket.socket, grader: int) -> None:
    for number in numbers():
        signal.signal(number, signal.SIG_DFL)
    rights.end_with(grader)
    os.setsid()  # it has no terminal
    _close_files({jail.borrow(), wire.fileno()})
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    tempfile.tempdir = os.environ["TMPDIR"] = os.environ["SQLITE_TMPDIR"] = str(folder)
    rights.limit_resources(jail.limits)
    if jail.confined:
        rights.restrict(folder)


def _close_files(kept: set[int]) -> None:
    """Have nothing open but these; the numbers of the others stay taken, for who closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/dev/fd"):
        if int(name) not in kept:
            with suppress(OSError):  # that of the list itself
                os.fstat(int(name))
                os.dup2(nothing, int(name))


def _threads(processes: Iterable[int]) -> Iterator[Path]:
    for process in processes:
        with suppress(OSError):  # it has just ended
            yield from Path(f"/proc/{process}/task").iterdir()


def _end(process: int, _is_lost: bool) -> str:
    """Ends the process; one that has gone by itself has been ended by a test."""
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return ""
