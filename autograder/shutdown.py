"""The end of this program: by itself, by Ctrl+C, by `kill`, or with its terminal; always at once.

An interruption raises no exception, because the exception could surface anywhere: in a finaliser or
in a library. Every file is written whole or not at all, so the process may end at any moment.

This module is loaded before all others and loads next to nothing: until then, Python itself handles
Ctrl+C.
"""

import atexit
import os
import signal
import sys
from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

_CLEAR = "\r\x1b[2K\x1b[?25h"  # a progress bar has hidden the cursor
_SHELL = 128  # a shell adds the number of the signal to it

_last: "list[Callable[[], object]]" = []  # callbacks of this process, to be run before it ends
_alive = RLock()  # taken for good by the thread that ends this process


def _begin() -> None:
    global _alive
    _last.clear()
    _alive = RLock()


os.register_at_fork(after_in_child=_begin)


@atexit.register
def do_last() -> None:
    """Run the registered callbacks, the newest first; what they raise is ignored."""
    while _last:
        try:
            _last.pop()()
        except Exception:  # the rest is still to be done, and nobody can mend this one
            continue


class _Said:
    """The sentence that is printed if the command is interrupted now."""

    sentence = "Stopped; nothing is left half done, and the same command begins anew."


def numbers() -> set[signal.Signals]:
    """Return the signals that a person ends a program with; not every system has `SIGHUP`."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return {getattr(signal, name) for name in names if hasattr(signal, name)}


def take_signals() -> None:
    """From now on, let these signals end this process with one sentence.

    A signal that `nohup` holds off stays ignored.
    """
    for number in numbers():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupted)


def say_when_stopped(sentence: str) -> None:
    """Set the sentence that is printed if the command is interrupted from now on."""
    _Said.sentence = sentence


def add_last(do: "Callable[[], object]", make: "Callable[[], object]" = int) -> None:
    """Register `do` to be called when this process ends, unless it is killed; the newest is first.

    `make` makes what `do` removes. It is called after `do` is registered, and under the lock that
    `end` takes, so no other thread can end the process in between.
    """
    with _alive:
        _last.append(do)
        make()


def drop_last(do: "Callable[[], object]") -> None:
    """Take `do` off the list: it was done already, or is not needed any more."""
    if do in _last:
        _last.remove(do)


def leave(status: int) -> "NoReturn":
    """End this process without waiting for threads and workers, which end with it.

    The output is flushed first. If that fails, other than by a closed pipe, the status is not 0.
    """
    _hear_no_more()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # whoever read it has seen enough
        pass
    except OSError as error:
        _write(f"The output could not be written: {error.strerror}.\n")
        status = status or 1
    end(status)


def _interrupted(number: int, frame: "FrameType | None") -> None:
    _hear_no_more()
    start = _CLEAR if os.isatty(2) else ""
    end(_SHELL + number, f"{start}{_Said.sentence}\n")


def end(status: int, said: str = "") -> "NoReturn":
    """End this process at once, from any thread, after the registered callbacks; print `said`.

    The other threads run on meanwhile, and nobody hears what they print: their files are removed
    under them.
    """
    _alive.acquire()
    stderr = _mute()
    do_last()
    _write(said, stderr)
    os._exit(status)


def _hear_no_more() -> None:
    for number in numbers():  # a second signal has no effect
        signal.signal(number, signal.SIG_IGN)


def _mute() -> int:
    """Send to nowhere what this process still prints; return a descriptor of its old stderr."""
    try:
        stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # it is closed, or there is no descriptor left
        return 2
    for number in (1, 2):
        os.dup2(nowhere, number)
    return stderr


def _write(text: str, stderr: int = 2) -> None:
    """Write to stderr past Python's own buffer, which may be in use at this moment."""
    try:
        os.write(stderr, text.encode())
    except OSError:  # the terminal may be gone
        return
