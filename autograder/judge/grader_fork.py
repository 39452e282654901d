"""Forks the grader for the tests of one submission.

The fork is restricted, answers the grader's questions, and ends with the submission. So what tests
change in Python and its libraries is gone for the next submission, as if a kernel had ended.
"""

import ast
import gc
import os
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from autograder.jail import GENEROUS, Meter, Session, WarmJail, restrict_tests_process
from autograder.jail.syscalls import filter_program
from autograder.system.shutdown import numbers
from autograder.wire import Channel, pack
from autograder.wire.type_codecs import is_loading

_YOUNG = 20_000  # new objects, after which Python collects those that are no longer used
# Python raises one of these audit events before any library turns a text into code.
_MAKES_CODE = {"compile", "code.__new__", "function.__new__", "marshal.loads", "pickle.find_class"}
# These modules may make code from tests, from files, or from names that they have checked.
_TRUSTED = {
    "autograder.jail.inside.names_in_code",
    "autograder.judge.namespace",
    "collections",
    "dataclasses",
    "importlib._bootstrap",
    "importlib._bootstrap_external",
}


def begin_apart(serve: Callable[[Channel], object], jail: WarmJail, folder: Path) -> Session:
    """Fork a process that runs `serve` in a folder and uses the jail; return a session with it.

    The session counts the seconds that the process spends, and a sixth of the seconds that the jail
    spends or the process sleeps. If the process cannot be restricted, it answers with the error as
    `failed`.
    """
    ours, theirs = socket.socketpair()
    grader = os.getpid()
    filter_program(is_for_tests=True)  # this and the next result are cached for all forks
    restrict_tests_process.readable()
    try:
        process = os.fork()
        if not process:
            try:
                gc.freeze()  # or garbage collection copies all memory shared with the grader
                gc.set_threshold(_YOUNG)
                for number in numbers():
                    signal.signal(number, signal.SIG_DFL)
                restrict_tests_process.end_with(grader)
                os.setsid()  # it has no terminal
                _close_files({jail.borrow(), theirs.fileno()})
                os.chdir(folder)
                sys.path.insert(0, str(folder))
                tempfile.tempdir = str(folder)
                os.environ["TMPDIR"] = os.environ["SQLITE_TMPDIR"] = str(folder)
                os.environ["TZ"] = "UTC"  # as in the jail
                time.tzset()
                restrict_tests_process.limit_resources(jail.limits)
                if jail.confined:
                    restrict_tests_process.restrict(folder)
                serve(Channel(theirs))
            except Exception:
                Channel(theirs).send(pack({"failed": traceback.format_exc()}))
            finally:
                os._exit(0)
    finally:
        theirs.close()

    def end(_is_lost: bool) -> str:
        """End the process; return no reason, because only a test can have ended it before."""
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        return ""

    meter = Meter(process, jail.processes, share=1 / GENEROUS)
    return Session(Channel(ours), jail.limits, end, partial(os.kill, process), meter)


def guard_against_code(testing: Callable[[], str | None], refuse: Callable[[str], object]) -> None:
    """Call `refuse`, from now on, if a text becomes code while a test runs.

    `refuse` must raise an error, so that the code never runs. `testing` returns the source of the
    running test, or `None`. Three kinds of code are allowed: all code that the modules in
    `_TRUSTED` make; code from a whole string in the source of the test, such as "1 + 1" in
    `eval("1 + 1")`; and modules that are imported because the first value of numpy or pandas
    arrives. Python cannot remove this audit hook again.
    """

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if event not in _MAKES_CODE or (source := testing()) is None:
            return
        caller = sys._getframe(1)
        if caller.f_code is ast.parse.__code__ or caller.f_globals.get("__name__") in _TRUSTED:
            return
        constants = (one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Constant))
        texts = {_squeezed(one.value) for one in constants if isinstance(one.value, str)}
        is_own = event == "compile" and _squeezed(arguments[0]) in texts
        if not is_own and not is_loading(caller):
            refuse("text becomes code, and an answer could have made it")

    sys.addaudithook(hear)


def _squeezed(text: object) -> str:
    """Return a text without its blanks: pandas, for example, changes those of `df.query("a>1")`."""
    return "".join(text.decode().split() if isinstance(text, bytes) else str(text).split())


def _close_files(kept: set[int]) -> None:
    """Replace all open files but `kept` by `/dev/null`; their owners can still close them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/dev/fd"):
        if int(name) not in kept:
            with suppress(OSError):  # the one that read this list is closed already
                os.fstat(int(name))
                os.dup2(nothing, int(name))
