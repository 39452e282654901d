"""The time that code spends, in seconds of the processor: a busy machine takes none of it."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

LOOK = 0.1  # seconds between two looks at code that is not back yet
GENEROUS = 6  # seconds asleep, for one second of the processor


class Meter:
    """A count of the seconds that a process or a thread spends, which the kernel tells.

    A process spends its own processor time, that of other processes that count with it, and a sixth
    of the time for which it is found asleep. So an endless loop gets the same time on any machine,
    and a program that sleeps or waits is ended, too. A program that only waits for a processor
    spends nothing, so a busy machine ends no program.

    `clock` is the kernel's clock of the process, and `tasks` finds its threads below `/proc`.
    `others` finds other processes; a `share` of their time counts, too. If a process has ended, its
    last known seconds count.
    """

    def __init__(
        self,
        clock: int,
        tasks: Callable[[], Iterable[Path]],
        others: Callable[[], Iterable[int]],
        share: float = 1.0,
    ) -> None:
        self._clock = clock
        self._tasks = tasks
        self._others = others
        self._share = share
        self._of_others: dict[int, float] = {}
        self._own = self._more = 0.0
        self._more = -self.seconds  # what came before does not count

    @property
    def seconds(self) -> float:
        """The seconds spent so far; other processes and sleep count up to the last `look`."""
        with suppress(OSError):
            self._own = time.clock_gettime(self._clock)
        return self._own + self._more

    def look(self, waited: float) -> None:
        """Add the `share` of other processes, and a sixth of `waited` if every thread sleeps."""
        for pid in self._others():
            with suppress(OSError):
                used = time.clock_gettime(clock_of(pid))
                self._more += self._share * max(0.0, used - self._of_others.get(pid, 0.0))
                self._of_others[pid] = used
        if not self._is_ready_to_run():
            self._more += waited / GENEROUS

    def _is_ready_to_run(self) -> bool:
        """Return true if a thread runs, or would run if it had a processor."""
        with suppress(OSError):
            return any(_state(task) == "R" for task in self._tasks())
        return False


def meter_of(process: int, others: Callable[[], Iterable[int]]) -> Meter:
    """Return a meter of a process that counts all processes in `others` in full, too."""
    return Meter(
        clock_of(process),
        Path(f"/proc/{process}/task").iterdir,
        lambda: (pid for pid in others() if pid != process),
    )


def clock_of(process: int) -> int:
    """Return the clock of a process's processor time, all threads together (CPUCLOCK_SCHED)."""
    return (~process << 3) | 2


def _state(task: Path) -> str:
    """Return the kernel's letter for the state of a thread, or "" if the thread is gone."""
    with suppress(OSError):
        return (task / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
    return ""
