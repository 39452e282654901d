"""The warm process: what is slow to load is loaded once, and every submission gets a fork of it.

Started with one argument, JSON: `control` (the number of the socket to the grader), `site` (where
the libraries are), `uid` (who to become, or null), `confined`, `buffer` (how many bytes a socket
holds), `preload` (what to load for all, where it is there). The grader sends a message with the
limits, whether the submission `needs_more` than Python alone, and its socket; then "end", or
"lost" if the other side has closed the wire. The answer is sent when no process of the submission
is left: {"reason": why it ended, "is_empty": whether its files are gone, too}. The reason is empty
if it did not end by itself. Where files resist, this process ends, and with it the folder.
"""

import ctypes
import gc
import json
import os
import select
import shutil
import signal
import socket
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from autograder.jail.inside.usage import Usage, descendants

_WORK = Path("/tmp")
_PERMISSIONS = 0o777
_OF_USERS = ("user.", "system.")
_GLANCE, _CLOSE_LOOK = 50, 5  # milliseconds between two looks at the memory
_SET_DUMPABLE, _SET_SUBREAPER = 4, 36
_LAST_BREATH = 5000  # milliseconds, on a busy machine
_MOST_FILES = 1000
_YOUNG = 20_000  # new lists and the like, after which those that nobody has are looked for


def main() -> None:
    """Becomes nobody, loads what is slow, and serves one submission after the other."""
    settings = json.loads(sys.argv[1])
    sys.argv = [""]
    if settings["uid"] is not None:
        os.setgroups([])
        os.setresgid(*[settings["uid"]] * 3)
        os.setresuid(*[settings["uid"]] * 3)
    sys.path += settings["site"]
    shells = Shells(settings["confined"])
    import_module("autograder.jail.inside.child")
    if (Path(__file__).parents[3] / "course").is_dir():  # a lesson of the course
        for name in ("course.checks", "course.rules"):
            import_module(name)
    for name in settings["preload"]:
        with suppress(Exception):  # a submission that needs it says so
            import_module(name)
    _empty_folder(settings["confined"])
    _protect()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.freeze()
    gc.set_threshold(_YOUNG)
    control = socket.socket(fileno=settings["control"])
    usage = Usage(settings["confined"], settings["buffer"])
    control.send(b"ready")
    while True:
        message, fds, _, _ = socket.recv_fds(control, 4096, 1)
        if not message:
            return
        asked = json.loads(message)
        limits, shell = asked["limits"], shells.get(asked["needs_more"])
        child = _fork(shell, control, fds[0], limits)
        os.close(fds[0])
        reason, is_ended = _watch(control, child, usage, limits["memory"])
        _end_everything(settings["confined"])
        is_empty = _empty_folder(settings["confined"])
        if not is_ended:
            control.recv(4096)
        control.send(json.dumps({"reason": reason, "is_empty": is_empty}).encode())
        if not is_empty:
            return


class Shells:
    """What runs cells: Python alone, or IPython, which is loaded when it is needed first."""

    def __init__(self, confined: bool) -> None:
        self._confined = confined
        self._plain: Any = import_module("autograder.jail.inside.plain_shell").PlainShell()
        self._ipython: Any = None

    def get(self, needs_more: bool) -> Any:
        """The shell for the next submission, which gets a fork of it."""
        if needs_more and self._ipython is None:
            self._ipython = import_module("autograder.jail.inside.shell").make_shell()
            _empty_folder(self._confined)
            gc.freeze()
        shell = self._ipython if needs_more else self._plain
        shell.become_main()
        return shell


def _fork(shell: Any, control: socket.socket, fd: int, limits: dict[str, Any]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        control.close()
        from autograder.jail.inside.child import serve

        serve(shell, socket.socket(fileno=fd), limits)
    finally:
        os._exit(0)


def _watch(control: socket.socket, child: int, usage: Usage, most: int) -> tuple[str, bool]:
    """Waits for the end of a submission: why it ended, and whether the grader asked for it."""
    watched = select.poll()
    watched.register(control, select.POLLIN)
    process = os.pidfd_open(child)
    watched.register(process, select.POLLIN)
    try:
        glance = _GLANCE
        while not (ready := watched.poll(glance)):
            used = usage.memory(most)
            if used > most:
                return "memory", False
            glance = _CLOSE_LOOK if used > most // 2 else _GLANCE
        is_ended = any(fd == control.fileno() for fd, _ in ready)
        if is_ended and control.recv(4096) == b"lost":
            # The wire is closed a little before the process is at its end.
            watched.unregister(control)
            watched.poll(_LAST_BREATH)
        return _ending(child), is_ended
    finally:
        os.close(process)


def _ending(child: int) -> str:
    """How a submission's process ended by itself; empty if it did not."""
    status = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    if status is None:
        return ""
    return "exit" if status.si_code == os.CLD_EXITED else signal.Signals(status.si_status).name


def _end_everything(confined: bool) -> None:
    """Ends every process but this one, and waits until there are none."""
    while True:
        try:
            if confined:
                os.kill(-1, signal.SIGKILL)
            else:
                _kill_descendants()
        except ProcessLookupError:
            pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            if not confined or not _is_anyone_left():
                return
        time.sleep(0.0005)


def _is_anyone_left() -> bool:
    try:
        os.kill(-1, 0)
    except ProcessLookupError:
        return False
    return True


def _kill_descendants() -> None:
    """Without a jail: the child, its group, and whatever it has started."""
    for pid in list(descendants()):
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)


def _empty_folder(confined: bool) -> bool:
    """Removes all that a submission has written; whether nothing is left that could be removed."""
    if not confined:
        return True
    entries = list(_WORK.iterdir())
    if len(entries) > _MOST_FILES:
        return False
    try:
        for path in entries:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        _forget_marks()
    except (OSError, RecursionError):
        return False
    return True


def _forget_marks() -> None:
    """Removes what can be noted on the folder itself: attributes, permissions, times."""
    for name in os.listxattr(_WORK):
        if name.startswith(_OF_USERS):
            os.removexattr(_WORK, name)
    if os.stat(_WORK).st_uid == os.geteuid():
        _WORK.chmod(_PERMISSIONS)
    os.utime(_WORK)  # now: the time at which a submission touched it is a message, too


def _protect() -> None:
    """Nothing that is forked from here can read or trace this process; it takes in orphans."""
    if sys.platform != "linux":
        return
    prctl = ctypes.CDLL(None).prctl
    prctl(_SET_DUMPABLE, 0, 0, 0, 0)
    prctl(_SET_SUBREAPER, 1, 0, 0, 0)


if __name__ == "__main__":
    main()
