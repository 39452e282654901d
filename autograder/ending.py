"""How this program ends: by itself, by Ctrl+C, by `kill`, or with its terminal. All at once.

Nothing is raised where it is interrupted: an exception may come out anywhere, in a finaliser or in
another's library. Whatever is written is written whole or not at all, so it may end at any moment.

This is loaded first of all, and loads next to nothing: until then Python itself answers Ctrl+C.
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
_SHELL = 128  # to which a shell adds the number of the signal

_last: "list[Callable[[], object]]" = []  # of this process
_alive = RLock()  # taken for good by the thread that ends this process


def _begin() -> None:
    global _alive
    _last.clear()
    _alive = RLock()


os.register_at_fork(after_in_child=_begin)


@atexit.register
def do_last() -> None:
    """Do what is to be done before the end."""
    while _last:
        try:
            _last.pop()()
        except Exception:  # the rest is still to be done, and nobody can mend this one
            continue


class _Said:
    """What is true of a command that is interrupted now."""

    sentence = "Stopped; nothing is left half done, and the same command begins anew."


def numbers() -> set[signal.Signals]:
    """The signals that a person ends a program with; not every system has the last one."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return {getattr(signal, name) for name in names if hasattr(signal, name)}


def take_signals() -> None:
    """From now on they end this process with one sentence; what `nohup` holds off stays so."""
    for number in numbers():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupted)


def say_when_stopped(sentence: str) -> None:
    """From now on this is said."""
    _Said.sentence = sentence


def add_last(do: "Callable[[], object]", make: "Callable[[], object]" = int) -> None:
    """Have something done when this process ends, unless it is killed; the newest comes first.

    `make` makes what `do` removes: no end comes between the two, and none before both.
    """
    with _alive:
        _last.append(do)
        make()


def drop_last(do: "Callable[[], object]") -> None:
    """It was done before."""
    if do in _last:
        _last.remove(do)


def leave(status: int) -> "NoReturn":
    """Ends this process: nobody waits for threads and workers, which end with it."""
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
    """End this process at once, from any thread, after what is to be done last."""
    _alive.acquire()
    do_last()
    _write(said)
    os._exit(status)


def _hear_no_more() -> None:
    for number in numbers():  # a second one finds nothing to end
        signal.signal(number, signal.SIG_IGN)


def _write(text: str) -> None:
    """Past Python's own buffer, in which something may be on its way."""
    try:
        os.write(2, text.encode())
    except OSError:  # the terminal may be gone
        return
