"""The warm process: loads once what is slow to load, and makes a fork of itself for each run.

The process is started with one argument, a JSON object: `control` (the number of the socket to the
grader), `lesson` (the id of the assignment), `site` (the folders of the libraries), `uid` (the user
to become, or null), `filter` (the filter of system calls for a run, as hexadecimal digits; empty
without a jail), `folder` (the number of bytes that the folder of a run may hold), `buffer` (the
number of bytes that a socket holds), and `preload` (the packages to load for all runs, if they are
installed).

For each run, the grader first sends a message with the limits and the socket of the run. Then it
may send numbers of signals for the first process of the run; each is answered with "sent". At last
it sends "end", or "lost" if the run has closed its socket. When no process of the run is left, the
warm process answers {"reason": …}: why the run ended, or an empty text if it did not end by itself.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module

from autograder.jail.inside.fork_in_namespaces import fork_alone, protect
from autograder.jail.inside.memory_usage import descendants, memory_used

_GLANCE, _CLOSE_LOOK = 50, 5  # milliseconds between two looks at the memory
_LAST_BREATH = 5000  # milliseconds in which a process must end once its wire is closed
_ALWAYS = (
    "course.checks",
    "course.rules",
    "course.games",
    "course.checks.agent_checks",
)  # loaded if this jail has them
_FIRST_FILE = 3  # the lowest file descriptor after the standard ones
_YOUNG = 20_000  # new objects, after which Python collects those that are no longer used


def main() -> None:
    """Become another user if the settings name one, load what is slow, and fork for each run."""
    settings = json.loads(sys.argv[1])
    sys.argv = [""]
    if settings["uid"] is not None:
        os.setgroups([])
        os.setresgid(*[settings["uid"]] * 3)
        os.setresuid(*[settings["uid"]] * 3)
    sys.path += settings["site"]
    shell = import_module("autograder.jail.inside.shell").make_shell()
    serve = import_module("autograder.jail.inside.child").serve
    for name in (*_ALWAYS, *settings["preload"]):
        with suppress(Exception):  # a submission that needs it gets the error
            import_module(name)
    with suppress(Exception):  # not every jail has hints
        import_module("course.hints.mistakes").read_all(settings["lesson"])
    protect()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.modules["__main__"] = shell.user_module  # the module in which the shell runs cells
    gc.freeze()
    gc.set_threshold(_YOUNG)
    control = socket.socket(fileno=settings["control"])
    refused = bytes.fromhex(settings["filter"])
    control.send(b"ready")
    while True:
        message, fds, _, _ = socket.recv_fds(control, 4096, 1)
        if not message:
            return
        limits = json.loads(message)
        child = fork_alone(refused, settings["folder"]) if refused else os.fork()
        if not child:
            try:
                control.detach()
                # Later runs could read what a run sets on a file that the warm process has open.
                os.closerange(_FIRST_FILE, fds[0])
                os.closerange(fds[0] + 1, os.sysconf("SC_OPEN_MAX"))
                serve(shell, socket.socket(fileno=fds[0]), limits)
            finally:
                os._exit(0)
        os.close(fds[0])
        used = partial(memory_used, child if refused else None, settings["buffer"])
        reason, is_ended = _watch(control, child, used, limits["memory"])
        _end(child, is_alone=bool(refused))
        while not is_ended:
            is_ended = not _is_signal(control, control.recv(4096), 0)
        control.send(json.dumps({"reason": reason}).encode())


def _watch(
    control: socket.socket, child: int, memory: Callable[[int], int], most: int
) -> tuple[str, bool]:
    """Wait until a run ends, uses too much memory, or the grader asks for its end.

    Return why the run has ended ("" if it still runs), and true if the grader asked for the end.
    """
    watched = select.poll()
    watched.register(control, select.POLLIN)
    process = os.pidfd_open(child)
    watched.register(process, select.POLLIN)
    try:
        glance = _GLANCE
        while True:
            ready = watched.poll(glance)
            if any(fd == control.fileno() for fd, _ in ready):
                said = control.recv(4096)
                if not _is_signal(control, said, child):
                    if said == b"lost":  # the wire is closed a little before the process has ended
                        watched.unregister(control)
                        watched.poll(_LAST_BREATH)
                    return _ending(child), True
            elif ready:
                return _ending(child), False
            used = memory(most)
            if used > most:
                return "memory", False
            glance = _CLOSE_LOOK if used > most // 2 else _GLANCE
    finally:
        os.close(process)


def _is_signal(control: socket.socket, said: bytes, child: int) -> bool:
    """Send the signal that a message asks for, and confirm it; return false if it asks for none."""
    if not said.isdigit():
        return False
    if child:
        os.kill(child, int(said))
    control.send(b"sent")
    return True


def _ending(child: int) -> str:
    """Return how a process has ended: "exit" or the name of a signal, or "" if it still runs."""
    status = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    if status is None:
        return ""
    return "exit" if status.si_code == os.CLD_EXITED else signal.Signals(status.si_status).name


def _end(child: int, is_alone: bool) -> None:
    """End every process of a run, and wait until none is left."""
    if is_alone:  # `child` is the first process of its namespace: all others end with it
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return
    while True:  # without a jail: the process of the run, its group, and whatever it has started
        for pid in list(descendants()):
            for kill in (os.killpg, os.kill):
                with suppress(ProcessLookupError, PermissionError):
                    kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.0005)


if __name__ == "__main__":
    main()
