"""The time that code spends: seconds of the processor, so that a busy machine takes none of it."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

LOOK = 0.1  # seconds between two looks at code that is not back yet
GENEROUS = 6  # seconds asleep, for one second of the processor


class Meter:
    """Counts what a process, or a thread, spends; the kernel says it, and nothing inside a jail.

    It spends its processor time, that of the processes that it has started, and a sixth of the time
    for which it is found asleep. So an endless loop is ended in its time on any machine, and what
    sleeps or waits is ended, too. What only waits for a processor spends nothing, so a busy machine
    ends nothing, and nothing has to be asked twice.

    `clock` is the kernel's clock of it, `tasks` finds its threads below `/proc`, and `others` the
    processes of which a `share` counts with it. What is gone has spent what was known last.
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
        """The seconds spent so far; those of other processes, and asleep, as of the last `look`."""
        with suppress(OSError):
            self._own = time.clock_gettime(self._clock)
        return self._own + self._more

    def look(self, waited: float) -> None:
        """Add the seconds that the other processes used, and a share of `waited` if all sleep."""
        for pid in self._others():
            with suppress(OSError):
                used = time.clock_gettime(clock_of(pid))
                self._more += self._share * max(0.0, used - self._of_others.get(pid, 0.0))
                self._of_others[pid] = used
        if not self._is_ready_to_run():
            self._more += waited / GENEROUS

    def _is_ready_to_run(self) -> bool:
        """Finds out if one of its threads runs, or would run if it had a processor."""
        with suppress(OSError):
            return any(_state(task) == "R" for task in self._tasks())
        return False


def meter_of(process: int, others: Callable[[], Iterable[int]]) -> Meter:
    """The meter of a process and of all others that there are beside it."""
    return Meter(
        clock_of(process),
        Path(f"/proc/{process}/task").iterdir,
        lambda: (pid for pid in others() if pid != process),
    )


def clock_of(process: int) -> int:
    """The clock of the processor time of a process, of all its threads: CPUCLOCK_SCHED of Linux."""
    return (~process << 3) | 2


def _state(task: Path) -> str:
    """The letter that the kernel has for the state of a thread; none for one that is gone."""
    with suppress(OSError):
        return (task / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
    return ""
