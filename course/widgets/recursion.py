"""An endless recursion: IPython's own traceback, cut after a few calls."""

from types import TracebackType
from typing import Any

SHOWN = 6  # calls; the others repeat them


def cut_recursion(shell: Any) -> None:
    """Make a shell show only the first calls of an endless recursion, from now on.

    No other error changes. A shell that was told to show some errors in another way keeps to that.
    """
    if not shell.custom_exceptions:
        shell.set_custom_exc((RecursionError,), _show)


def _show(
    shell: Any, kind: type, error: RecursionError, calls: TracebackType, tb_offset: Any = None
) -> None:
    hidden = _cut(calls)
    if hidden:
        error.add_note(f"{hidden} more calls are not shown: the same lines run again and again.")
    shell.showtraceback((kind, error, calls), tb_offset=tb_offset)


def _cut(calls: TracebackType) -> int:
    """Cut a traceback behind the calls that are shown; return how many are gone."""
    last = calls
    for _ in range(SHOWN):
        if last.tb_next is None:
            return 0
        last = last.tb_next
    hidden, rest = 0, last.tb_next
    while rest is not None:
        hidden, rest = hidden + 1, rest.tb_next
    last.tb_next = None
    return hidden
