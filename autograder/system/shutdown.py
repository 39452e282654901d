"""The end of this program: after its work, by Ctrl+C, by `kill`, or when its terminal is closed.

Ctrl+C raises no `KeyboardInterrupt`, because the exception could come anywhere, even in a finaliser
or in a library. Instead, the process ends at once. This is safe, as every file is written whole or
not at all. Until `take_signals` is called, Python handles Ctrl+C; so this module is loaded
first, and imports very little.
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

_CLEAR = "\r\x1b[2K\x1b[?25h"  # a progress bar has hidden the cursor: this shows it
_SHELL = 128  # the exit status after a signal is this plus the signal's number

_sentence = "Stopped; nothing is left half done, and the same command begins anew."
_last: "list[Callable[[], object]]" = []  # callbacks of this process, to be run before it ends
_alive = RLock()  # the thread that ends this process takes this lock, and never releases it


def _begin() -> None:
    global _alive
    _last.clear()
    _alive = RLock()


os.register_at_fork(after_in_child=_begin)


@atexit.register
def do_last() -> None:
    """Run the registered callbacks, the newest first, and ignore the errors that they raise."""
    while _last:
        try:
            _last.pop()()
        except Exception:  # the other callbacks must still run
            continue


def numbers() -> set[signal.Signals]:
    """Return the signals with which a person ends a program, as far as this system has them."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return {getattr(signal, name) for name in names if hasattr(signal, name)}


def take_signals() -> None:
    """Let each signal in `numbers()` that is not ignored print a sentence and end this process."""
    for number in numbers():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupted)


def say_when_stopped(sentence: str) -> None:
    """Set the sentence that is printed if the command is interrupted from now on."""
    global _sentence
    _sentence = sentence


def add_last(do: "Callable[[], object]", make: "Callable[[], object]" = int) -> None:
    """Register `do` to be called when this process ends, except by `kill -9`; then call `make`.

    `make` makes the files that `do` removes. No other thread can end the process before `make`
    returns, because this thread has the lock that `end` takes.
    """
    with _alive:
        _last.append(do)
        make()


def drop_last(do: "Callable[[], object]") -> None:
    """Remove `do` from the registered callbacks, so that it is not called at the end."""
    if do in _last:
        _last.remove(do)


def leave(status: int) -> "NoReturn":
    """End this process, and with it its threads and workers, with an exit status.

    The output is flushed first. If that fails, the status 0 becomes 1, unless the output went to a
    pipe whose reader has ended.
    """
    _hear_no_more()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # the reader of the output, such as `head`, has ended
        pass
    except OSError as error:
        _write(2, f"The output could not be written: {error.strerror}.\n")
        status = status or 1
    end(status)


def _interrupted(number: int, frame: "FrameType | None") -> None:
    _hear_no_more()
    start = _CLEAR if os.isatty(2) else ""
    end(_SHELL + number, f"{start}{_sentence}\n")


def _hear_no_more() -> None:
    for number in numbers():  # a second signal has no effect
        signal.signal(number, signal.SIG_IGN)


def end(status: int, said: str = "") -> "NoReturn":
    """Run the registered callbacks, print `said`, and end this process; any thread may call this.

    The other threads still run while the callbacks remove files that these threads use. What the
    threads print is discarded, because it would only be errors about the removed files.
    """
    _alive.acquire()
    stderr = 2
    try:
        stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    except OSError:  # stderr is closed, or no descriptor is left
        pass
    do_last()
    _write(stderr, said)
    os._exit(status)


def _write(stderr: int, text: str) -> None:
    """Write to the descriptor `stderr`, because another thread may be using `sys.stderr`."""
    try:
        os.write(stderr, text.encode())
    except OSError:  # the terminal may be gone
        return
