"""Opening the course: lessons are copied to the learner's folder, and JupyterLab starts there."""

import os
import shutil
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import IO

from course.lessons import lessons
from course.mine.passed_checks import Results, read

SETTINGS = Path(__file__).parent / "settings"
LABEXTENSIONS = Path(__file__).parent / "labextensions"
FIRST = Path(__file__).parents[1] / "kernel_startup.py"
MAP = Path(__file__).parent / "START-HERE.ipynb"
# The learners' notebooks: in the wheel they lie in the package, in a checkout beside it.
RELEASES = (Path(__file__).parents[1] / "release", Path(__file__).parents[2] / "release")
LOG = ".jupyterlab.log"  # in the folder of the lessons
EXTENSIONS = {  # extensions of the server; those for instructors are switched off
    "course.lab.tether": True,
    "nbgrader.server_extensions.assignment_list": False,
    "nbgrader.server_extensions.course_list": False,
    "nbgrader.server_extensions.formgrader": False,
    "nbgrader.server_extensions.validate_assignment": False,
    "notebook": False,
}
# Export formats that need programs which may be missing.
NEED_MORE = ("ASCIIDoc", "Latex", "PDF", "QtPDF", "QtPNG", "RST", "WebPDF")
STARTED = "Open this address in your browser. To stop, press Ctrl+C here."
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def copy_missing(release: Path, mine: Path) -> list[Path]:
    """Copy each file of `release` that `mine` lacks, and change no other; return the new files."""
    copied = []
    for original in sorted(path for path in release.rglob("*") if path.is_file()):
        own = mine / original.relative_to(release)
        if not os.path.lexists(own):
            own.parent.mkdir(parents=True, exist_ok=True)
            _copy(original, own)
            copied.append(own)
    return copied


def _copy(original: Path, own: Path) -> None:
    """Copy a file whole or not at all, because half a file would never be replaced later.

    Raise `OSError` if it cannot be copied; the error names the file `own`.
    """
    new = own.with_name(f".{own.name}.new")
    try:
        shutil.copyfile(original, new)
        new.replace(own)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(own)) from error
    finally:
        with suppress(OSError):
            new.unlink()


def command(mine: Path, browser: bool) -> list[str]:
    """Return the command that starts JupyterLab in the folder `mine`, with the browser or without.

    JupyterLab opens the first lesson or, once that is done, the map of the course.
    """
    first = lessons()[0]
    is_done = set(first.checks) <= read(mine).get(first.id, Results()).holds
    arguments = [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={mine.resolve()}",
        f"--LabApp.default_url=/lab/tree/{MAP.name if is_done else f'{first.id}/{first.notebook}'}",
        f"--LabApp.app_settings_dir={SETTINGS}",
        f"--LabApp.extra_labextensions_path={LABEXTENSIONS}",
        *(f"--ServerApp.jpserver_extensions={name}={on}" for name, on in EXTENSIONS.items()),
        *(f"--{name}Exporter.enabled=False" for name in NEED_MORE),
    ]
    if not browser:
        arguments.append("--no-browser")
    if os.geteuid() == 0:
        arguments.append("--allow-root")
    return arguments


def hear_signals() -> None:
    """Let SIGTERM and SIGHUP end this program as Ctrl+C does."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores SIGHUP
            signal.signal(number, signal.default_int_handler)


def run(server: list[str], log: IO[bytes] | None) -> int:
    """Start a server by the command `server`, print its address, and return its exit status.

    After Ctrl+C, the server and its kernels are stopped, and the result is 0. The server writes
    into the file `log`, or onto the terminal if `log` is `None`.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs:
        # The server has a session of its own, so that Ctrl+C reaches only this program.
        # The kernels get this environment from the server, and run the file `FIRST` first.
        started = Popen(
            server,
            stdin=theirs.fileno(),
            stdout=log,
            stderr=log,
            env={"PYTHONSTARTUP": str(FIRST.resolve()), **os.environ},
            start_new_session=True,
        )
        theirs.close()
        try:
            address = ours.makefile().readline().strip()
            if address:
                print(f"{STARTED}\n\n    {address}\n", flush=True)
            return started.wait()
        except KeyboardInterrupt:
            for number in ENDING:
                signal.signal(number, signal.SIG_IGN)
            started.terminate()
            started.wait()
            return 0


def open_course(mine: Path) -> None:
    """Copy the lessons to the folder `mine`, start JupyterLab there, and wait until it ends.

    With the environment variable `NO_BROWSER=1`, no browser is opened. The server's log goes into a
    file, or onto the terminal with `VERBOSE=1`. Raise `SystemExit` if a lesson cannot be copied,
    or if JupyterLab ends with an error.
    """
    hear_signals()
    try:
        copied = copy_missing(next(filter(Path.is_dir, RELEASES)), mine)
        if not os.path.lexists(mine / MAP.name):
            _copy(MAP, mine / MAP.name)
            copied.append(mine / MAP.name)
    except OSError as error:
        why = f"{error.filename}: {error.strerror}"
        raise SystemExit(f"The lessons cannot be copied to {mine} ({why}).") from None
    new = "1 new file" if len(copied) == 1 else f"{len(copied)} new files"
    says = f": {new}, and nothing that was there was changed" if copied else ""
    print(f"Your lessons are in the folder {mine}{says}.", flush=True)
    written = mine / LOG
    written.unlink(missing_ok=True)  # a server that still runs goes on writing to the old file
    log = None if is_set("VERBOSE") else written.open("wb")
    if run(command(mine, browser=not is_set("NO_BROWSER")), log):
        why = f" The end of {written} says why." if log else ""
        raise SystemExit(f"JupyterLab ended, and it was not asked to.{why}")


def is_set(name: str) -> bool:
    """Return true if an environment variable is set to a value other than "" and "0"."""
    return os.environ.get(name, "") not in ("", "0")
