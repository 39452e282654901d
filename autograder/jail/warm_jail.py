"""The jail: one process inside of bubblewrap, which forks itself for each run of students' code.

This process is called warm, because it has loaded all libraries before the runs. If it does not
answer, the jail is called hurt, and a new warm process is started.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO

from autograder.course_adapter import is_lesson
from autograder.jail.bubblewrap import (
    HASH_SEED,
    LESSON,
    JailMissing,
    bwrap,
    jail_command,
    site_packages,
    uid_inside,
)
from autograder.jail.inside.memory_usage import descendants
from autograder.jail.session import Conditions, Limits, Meter, Session
from autograder.jail.syscalls import filter_program
from autograder.jail.temporary_folder import (
    CHECKS,
    TemporaryFolder,
    remove_all,
    write_files,
    write_packages,
)
from autograder.wire import Channel, WireError, unpack

# Seconds by the clock on the wall, for a machine as busy as can be.
_START = 600.0  # in which the warm process, or the process of a submission, must be ready
_CLEAN = 30.0  # in which the warm process must end a submission, and say why it was lost
_NOT_STARTED = "The jail could not be started: {}"
_NOT_LAID = "the files beside the notebook could not be laid into the jail: {}"
_SOCKET_BUFFER = Path("/proc/sys/net/core/wmem_default")
_USUAL_BUFFER = 212_992
# As with -I, but the hashes of texts are fixed, so that a set of texts always has the same order.
_ALONE = ("-P", "-s", "-S")
_RUN = """
import sys
sys.path.insert(0, {folder!r})
from autograder.jail.inside.warm_process import main
main()
"""


class WarmJail:
    """A jail for the students' code of one assignment, one submission after the other.

    A `with` block closes it. With `confined=False`, the same processes run without any jail.
    `preload` are packages that the warm process loads for all submissions, if they are installed.
    With `gives_points`, no file in the jail has an answer to an exercise of this course. Raise
    `JailMissing` if this machine cannot confine students' code.
    """

    def __init__(
        self,
        lesson_id: str,
        limits: Limits | None = None,
        confined: bool = True,
        preload: tuple[str, ...] = (),
        gives_points: bool = True,
    ) -> None:
        self.lesson = lesson_id
        self.limits = limits or Limits()
        self.confined = confined
        self._preload = preload
        self._laid: Mapping[str, bytes] = {}
        self._outer: subprocess.Popen[bytes] | None = None
        self._first: int | None = None  # a pidfd: the warm process, the first one inside
        self._first_pid = 0
        self._control: socket.socket | None = None
        self._log: IO[bytes] | None = None
        self._session: Session | None = None
        self._beside: WarmJail | None = None
        self._is_borrowed = False
        if not confined:
            warnings.warn("students' code runs without a jail", RuntimeWarning, stacklevel=2)
        self._folder = TemporaryFolder()
        try:
            with self._folder.writing() as folder:
                write_packages(lesson_id, folder, gives_points, CHECKS in preload)
            self._start()
        except BaseException:
            self._folder.remove()
            raise

    def __enter__(self) -> "WarmJail":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def beside(self) -> "WarmJail":
        """Return a second jail, which has all checks and hints of the lesson.

        The texts that a student reads are made there; its results give no points. For an assignment
        of another course, return this jail itself.
        """
        if not is_lesson(self.lesson):
            return self
        if self._beside is None:
            limits, preload = self.limits, self._preload
            self._beside = WarmJail(self.lesson, limits, self.confined, preload, gives_points=False)
        self._beside.limits = self.limits
        self._beside.lay(self._laid)
        return self._beside

    def lay(self, files: Mapping[str, bytes]) -> None:
        """Let each later session begin with `files`, path → content, in its folder."""
        if files is self._laid or files == self._laid:
            return
        with self._folder.writing() as folder:
            remove_all(folder / "beside")
            write_files(files, folder / "beside")
        self._laid = files

    def session(self) -> Session:
        """End the current run; begin a new one and return its session.

        Raise `JailMissing` if no run can begin, and `RuntimeError` if a run can begin only without
        the files that were passed to `lay`.
        """
        self.end_session()
        if not self.confined:
            with self._folder.writing() as folder:
                remove_all(folder / "work")
                (folder / "work").mkdir()
        said = ""
        for attempt in range(3):
            if attempt == 2 and self._laid and not self._is_borrowed:
                self.lay({})
                self.session()
                raise RuntimeError(_NOT_LAID.format(said))
            if self._control is None:
                self._start()
            assert self._control is not None
            ours, theirs = socket.socketpair()
            channel = Channel(ours)
            with suppress(OSError, EOFError, WireError, StopIteration):  # it may be killed
                with theirs:
                    message = json.dumps(asdict(self.limits)).encode()
                    socket.send_fds(self._control, [message], [theirs.fileno()])
                # The time of the start is not taken from the time of a question.
                answer = unpack(channel.receive(time.monotonic() + _START))
                if "ready" in answer:
                    meter = Meter(next(self.processes()), self.processes)
                    self._session = Session(channel, self.limits, self._end, self._signal, meter)
                    return self._session
                if "unready" in answer:  # nothing of the student's has run yet
                    channel.close()
                    self._end(is_lost=False)
                    raise RuntimeError(_NOT_LAID.format(answer["unready"]))
            channel.close()
            said = self._last_words()
        raise JailMissing(_NOT_STARTED.format(said))

    def end_session(self) -> None:
        """End the current run, if there is one."""
        if self._session is not None:
            self._session.close()

    def borrow(self) -> int:
        """Mark this jail as borrowed; return the file descriptor of its socket, or -1 for none.

        A fork of the grader uses a borrowed jail, but never restarts it. If the jail is hurt, that
        is, if its warm process is gone, the next session raises `JailMissing`.
        """
        self._is_borrowed = True
        return -1 if self._control is None else self._control.fileno()

    @property
    def is_hurt(self) -> bool:
        """True if there is no warm process, so that a new one must be started."""
        return self._control is None

    def replace(self) -> None:
        """Restart the warm process, which may be damaged; raise `JailMissing` if that fails."""
        self._stop()
        self._start()

    def processes(self) -> Iterator[int]:
        """Yield the ids of all processes below the warm process, the run's first one first."""
        return descendants(self._first_pid)

    def close(self) -> None:
        """End everything in the jail, and remove its folder."""
        self.end_session()
        if self._beside is not None:
            self._beside.close()
        self._stop()
        self._folder.remove()

    def _signal(self, number: int) -> None:
        """Ask the warm process to send a signal to the first process of the submission."""
        if self._control is not None:
            with suppress(OSError):
                self._control.settimeout(_CLEAN)
                self._control.send(b"%d" % number)
                self._control.recv(4096)

    def _end(self, is_lost: bool) -> str:
        """Ask the warm process to end the submission, and return why it ended.

        If it does not answer, it is stopped; the next session starts a new one.
        """
        if self._control is None:
            return ""
        try:
            self._control.settimeout(_CLEAN)
            self._control.send(b"lost" if is_lost else b"end")
            return str(json.loads(self._control.recv(4096))["reason"])
        except (OSError, ValueError, TypeError, KeyError):
            self._stop()
            return "the jail was hurt and replaced"

    def _start(self) -> None:
        if self._is_borrowed:
            raise JailMissing(_NOT_STARTED.format("it was hurt"))
        if self.confined:
            bwrap()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 — open as long as the process
        folder, bare = self._folder.path, nullcontext(([sys.executable], ()))
        begun = jail_command(folder, self.limits) if self.confined else bare
        program = _RUN.format(folder=LESSON if self.confined else str(folder))
        own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        buffer = _USUAL_BUFFER  # bytes that a socket may hold; code in the jail cannot raise it
        with suppress(OSError, ValueError):
            buffer = int(_SOCKET_BUFFER.read_text())
        with theirs, begun as (command, fds):
            settings = {
                "control": theirs.fileno(),
                "lesson": self.lesson,
                "site": site_packages(self.confined),
                "uid": uid_inside() if self.confined else None,
                "filter": filter_program().hex() if self.confined else "",
                "folder": self.limits.folder_size,
                "buffer": buffer,
                "preload": self._preload,
            }
            self._outer = subprocess.Popen(
                [*command, *_ALONE, "-c", program, json.dumps(settings)],
                pass_fds=(*fds, theirs.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                env={**own, "PYTHONHASHSEED": HASH_SEED, "TZ": "UTC"},
            )
        self._control = ours
        ours.settimeout(_START)
        with suppress(OSError, StopIteration):
            if ours.recv(4096) == b"ready":
                # Bubblewrap's child or, without a jail, a child of this process.
                pid = self._outer.pid
                self._first_pid = next(descendants(pid)) if self.confined else pid
                self._first = os.pidfd_open(self._first_pid)
                return
        raise JailMissing(_NOT_STARTED.format(self._last_words()))

    def _last_words(self) -> str:
        if self._is_borrowed:
            return ""
        outer, log = self._outer, self._log
        assert outer is not None
        assert log is not None
        with suppress(subprocess.TimeoutExpired):
            outer.wait(1)
        log.seek(0)
        said = log.read(100_000).decode("utf-8", "replace").strip()
        self._stop()
        return said[-1000:] or "it said nothing"

    def _stop(self) -> None:
        """End the warm process and all that runs in the jail. If it is borrowed, only forget it."""
        if self._is_borrowed:
            self._control = None
            return
        if self._control is not None:
            self._control.close()
        if self._first is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
            os.close(self._first)
        if self._outer is not None:
            self._outer.kill()
            self._outer.wait()
        if self._log is not None:
            self._log.close()
        self._outer = self._control = self._log = self._first = None


class WarmJails(threading.local):
    """One jail for each thread of a grading process.

    The jail is kept from one submission to the next, until the lesson or the conditions change.
    """

    def __init__(self) -> None:
        self._jail: WarmJail | None = None
        self._purpose: tuple[str, Conditions] | None = None

    def get(self, lesson_id: str, conditions: Conditions) -> WarmJail:
        """Return this thread's jail for a lesson under these conditions; start it if needed."""
        if self._jail is None or self._purpose != (lesson_id, conditions):
            self.close()
            limits, confined = conditions.limits, conditions.confined
            self._jail = WarmJail(lesson_id, limits, confined, conditions.preload)
            atexit.register(self._jail.close)
            self._purpose = (lesson_id, conditions)
        return self._jail

    def forget(self) -> None:
        """Forget the jail in a process that was just forked, because it belongs to the parent."""
        self._jail = None

    def close(self) -> None:
        """End the jail; the next submission gets a new one."""
        jail, self._jail = self._jail, None
        if jail is not None:
            atexit.unregister(jail.close)
            jail.close()
