"""Executors for one process, several processes, or a cluster, and `run`, which gives them tasks."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.util import Finalize
from typing import Any, TypeVar

from autograder.jail import Conditions
from autograder.system import Trouble
from autograder.system.shutdown import do_last, end, numbers

# The start method of processes that are started early. A forked process need not load modules
# again. Processes that are started later are not forked: a process with threads cannot safely fork.
_QUICK = "fork" if sys.platform == "linux" else "spawn"
_USUAL = Conditions()
_GONE = (
    "The cluster is gone: its scheduler has ended, or no worker is left that can do this. The same "
    "command goes on from there."
)

Key = TypeVar("Key")
Task = TypeVar("Task")
Result = TypeVar("Result")


class SerialExecutor(Executor):
    """An executor that does each task at once, in this thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do the task now and return its future, which has the result already."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def make_executor(
    workers: int, scheduler: str | None = None, conditions: Conditions = _USUAL
) -> Executor:
    """Return an executor that uses the cluster at `scheduler`, or `workers` processes here.

    If `workers` is 1, this process does the tasks itself. The tasks run students' code under the
    `conditions`; a worker of the cluster is used only if its jail and versions allow them.
    """
    if scheduler is not None:
        from autograder.workers.dask_cluster import ClusterExecutor  # only needed for a cluster

        return ClusterExecutor(scheduler, conditions)
    if workers == 1:
        return SerialExecutor()
    return _processes(workers, "spawn")


class LastingExecutor(Executor):
    """An executor for many runs, whose processes go on after `shutdown`.

    If `patient` is true, they let all other processes of this machine go first.
    """

    def __init__(self, workers: int, patient: bool = False) -> None:
        self._start = partial(_processes, workers, "spawn", 10 if patient else 0)
        self._now = self._start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future of a task; replace the processes if some have died."""
        try:
            return self._now.submit(fn, *args, **kwargs)
        except BrokenExecutor:
            self._now = self._start()
            return self._now.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Do nothing: the processes are there for the next run, and end with this process."""


class EarlyExecutors:
    """A maker of executors; it starts the first one at once, before a caller asks for it.

    `begin` is called with the first executor and its number of processes. It may submit tasks to
    it, and returns the executor that the first caller gets. A single process or a cluster is not
    started early.
    """

    def __init__(
        self, workers: int, scheduler: str | None, begin: Callable[[Executor, int], Executor]
    ) -> None:
        self._workers, self._scheduler = workers, scheduler
        self._first: Executor | None = None
        if scheduler is None and workers > 1:
            self._first = begin(_processes(workers, _QUICK), workers)

    def __call__(self, conditions: Conditions = _USUAL) -> Executor:
        """Return the executor that was started early; from the second call on, return a new one."""
        first, self._first = self._first, None
        return first or make_executor(self._workers, self._scheduler, conditions)

    def do(self, function: Callable[..., Result], /, *arguments: Any) -> Result:
        """Call a function in a process that was started early, or else in this one."""
        if self._first is not None:
            with suppress(BrokenExecutor):
                return self._first.submit(function, *arguments).result()
            self._first = None
        return function(*arguments)

    def close(self) -> None:
        """End the early executor and cancel its tasks, unless a call has returned this executor."""
        if self._first is not None:
            self._first.shutdown(wait=False, cancel_futures=True)


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processes(workers: int, method: str, nice: int = 0) -> Executor:
    """Return an executor whose processes are started at once; each calls `os.nice(nice)`."""
    if method == "spawn":
        # the tracker warns of resources that killed processes leave behind
        sys.warnoptions.append(quiet := "ignore:resource_tracker")
        # the tracker is started now, because its start unblocks Ctrl+C
        resource_tracker.getfd()
        sys.warnoptions.remove(quiet)
    made = ProcessPoolExecutor(workers, get_context(method), initializer=_begin, initargs=(nice,))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers())  # the workers inherit this mask
    try:
        for _ in range(workers):
            made.submit(int)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return made


def _begin(nice: int) -> None:
    """Set up this worker: Ctrl+C does not reach it; it ends when the grader ends or is killed."""
    grader = parent_process()
    assert grader is not None

    def watch() -> None:
        grader.join()
        end(1)

    os.setpgid(0, 0)
    os.nice(nice)
    for number in numbers() - {signal.SIGINT}:  # the executor sends these if a worker has died
        signal.signal(number, lambda number, _: end(128 + number))
    # Ctrl+C may have come before this worker had its own process group
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers())
    Finalize(None, do_last, exitpriority=0)  # a worker runs no atexit callbacks
    threading.Thread(target=watch, name="ends with the grader", daemon=True).start()


def run(
    do: Callable[[Task], Result],
    tasks: Iterable[tuple[Key, Task]],
    executors: Callable[[], Executor],
    prefetch: int,
) -> Iterator[tuple[Key, Task, Result | Exception]]:
    """Call `do` with each task; yield the key, the task and the result as soon as it is known.

    `tasks` are pairs (key, task). `executors` returns a new executor, to which at most `prefetch`
    tasks are given at a time. If `do` raises an exception, the exception is the result. If a worker
    dies, all tasks without a result are done again, one by one. If a worker dies during such a
    task, the result of this task is a `BrokenExecutor`. Raise `Trouble` if the cluster cannot be
    reached, or is gone.
    """
    waiting = iter(tasks)
    lost = yield from _run_together(do, waiting, executors, prefetch)
    while lost:
        for key, task in lost:
            alone = yield from _run_together(do, iter([(key, task)]), executors, 1)
            if alone:
                yield key, task, BrokenExecutor("it ended the process that graded it, twice")
        lost = yield from _run_together(do, waiting, executors, prefetch)


def _run_together(
    do: Callable[[Task], Result],
    waiting: Iterator[tuple[Key, Task]],
    executors: Callable[[], Executor],
    prefetch: int,
) -> Generator[tuple[Key, Task, Result | Exception], None, list[tuple[Key, Task]]]:
    """Yield results as `run` does; return the tasks that got no result because a worker died."""
    executor = executors()
    running: dict[Future[Result], tuple[Key, Task]] = {}
    lost: list[tuple[Key, Task]] = []
    try:
        while True:
            for key, task in islice(waiting, 0 if lost else prefetch - len(running)):
                try:
                    running[executor.submit(do, task)] = key, task
                except BrokenExecutor:
                    lost.append((key, task))
            if not running:
                return lost
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                key, task = running.pop(future)
                try:
                    yield key, task, future.result()
                except BrokenExecutor:
                    lost.append((key, task))
                except CancelledError as error:
                    raise Trouble(_GONE) from error
                except Exception as error:
                    yield key, task, error
    finally:
        for future in running:
            future.cancel()
        executor.shutdown(wait=False)
