"""Handing out the work: to this process, to several, or to a cluster, all as one `Executor`."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from autograder.trouble import Trouble

# how processes begin that need not load again what is loaded; later on threads forbid it
_QUICK = "fork" if sys.platform == "linux" else "spawn"
_CONNECT = 10.0  # seconds in which a scheduler must answer

Key = TypeVar("Key")
Task = TypeVar("Task")
Result = TypeVar("Result")


class SerialExecutor(Executor):
    """Does each task at once, in this thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The future of a task that is already done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class ClusterExecutor(Executor):
    """Hands tasks to the Dask cluster whose scheduler is at an address.

    Raises `Trouble` if none answers there.
    """

    def __init__(self, scheduler: str) -> None:
        self._client = _connect(scheduler)
        self._executor = self._client.get_executor()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The future of a task that some worker does."""
        future: Future[Any] = self._executor.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leaves the cluster; it goes on for others."""
        self._executor.shutdown(wait=wait)
        self._client.close()


def make_executor(workers: int, scheduler: str | None = None) -> Executor:
    """One process, `workers` processes on this machine, or the cluster at `scheduler`."""
    if scheduler is not None:
        return ClusterExecutor(scheduler)
    if workers == 1:
        return SerialExecutor()
    return _processes(workers, "spawn")


def _processes(workers: int, method: str) -> Executor:
    return ProcessPoolExecutor(workers, get_context(method), initializer=_end_with_parent)


class Begun:
    """Executors, of which the first is begun at once: its processes work in the meantime.

    `begin` is given that executor and its number of processes, and says what is used in its place.
    Where there is one process only, or a cluster, there is nothing to begin.
    """

    def __init__(
        self, workers: int, scheduler: str | None, begin: Callable[[Executor, int], Executor]
    ) -> None:
        self._make = partial(make_executor, workers, scheduler)
        self._first: Executor | None = None
        if scheduler is None and workers > 1:
            self._first = begin(_processes(workers, _QUICK), workers)

    def __call__(self) -> Executor:
        """The executor that was begun, once; then new ones."""
        first, self._first = self._first, None
        return first or self._make()

    def close(self) -> None:
        """Ends what was begun and is not needed."""
        if self._first is not None:
            self._first.shutdown(wait=False, cancel_futures=True)


def cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _connect(scheduler: str) -> Any:
    try:
        from distributed import Client  # only where there is a cluster
    except ImportError as error:
        raise Trouble(
            "--scheduler needs the Python package distributed: pip install 'course-2048[cluster]'."
        ) from error
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # the sentence below says it
    try:
        return Client(scheduler, timeout=_CONNECT)  # type: ignore[no-untyped-call]
    except Exception as error:  # Dask raises errors of many kinds, an `AssertionError` among them
        raise Trouble(
            f"No Dask scheduler answers at {scheduler} ({error}). Its address is like "
            "tcp://10.0.0.1:8786; start one with: dask scheduler"
        ) from error
    finally:
        logger.setLevel(level)


def _end_with_parent() -> None:
    """Has a worker end when the grader ends, kill -9 included."""
    grader = parent_process()
    assert grader is not None

    def watch() -> None:
        grader.join()
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, name="ends with the grader", daemon=True).start()


def run(
    do: Callable[[Task], Result],
    tasks: Iterable[tuple[Key, Task]],
    executors: Callable[[], Executor],
    ahead: int,
) -> Iterator[tuple[Key, Task, Result | Exception]]:
    """Each task with its key and its result, as they are done; `ahead` are handed out at a time.

    What a task raises is its result. When a worker dies, the tasks that it may have had are done
    again one by one; the one that ends its worker again has a `BrokenExecutor` as its result.
    """
    waiting = iter(tasks)
    lost = yield from _run_together(do, waiting, executors, ahead)
    while lost:
        for key, task in lost:
            alone = yield from _run_together(do, iter([(key, task)]), executors, 1)
            if alone:
                yield key, task, BrokenExecutor("it ended the process that graded it, twice")
        lost = yield from _run_together(do, waiting, executors, ahead)


def _run_together(
    do: Callable[[Task], Result],
    waiting: Iterator[tuple[Key, Task]],
    executors: Callable[[], Executor],
    ahead: int,
) -> Generator[tuple[Key, Task, Result | Exception], None, list[tuple[Key, Task]]]:
    """Runs tasks until all are done or a worker died; returns those that were lost with it."""
    executor = executors()
    running: dict[Future[Result], tuple[Key, Task]] = {}
    lost: list[tuple[Key, Task]] = []
    try:
        while True:
            for key, task in islice(waiting, 0 if lost else ahead - len(running)):
                running[_submit(executor, do, task)] = key, task
            if not running:
                return lost
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                key, task = running.pop(future)
                try:
                    yield key, task, future.result()
                except BrokenExecutor:
                    lost.append((key, task))
                except Exception as error:
                    yield key, task, error
    finally:
        for future in running:
            future.cancel()
        executor.shutdown(wait=False)


def _submit(executor: Executor, do: Callable[[Task], Result], task: Task) -> Future[Result]:
    try:
        return executor.submit(do, task)
    except BrokenExecutor as error:
        broken: Future[Result] = Future()
        broken.set_exception(error)
        return broken
