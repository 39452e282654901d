"""An `Executor` for a Dask cluster; it uses only workers with the same versions as here."""

import asyncio
import json
import logging
import platform
import threading
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from contextlib import suppress
from hashlib import sha256
from typing import Any

from autograder.console_output import say
from autograder.gradebook.staleness import programs, version_of
from autograder.jail import Conditions, JailMissing, WarmJail
from autograder.system import Trouble

_CONNECT = 10.0  # seconds in which a scheduler must answer
_LOOK = 2.0  # seconds between two looks at the workers
_LOOKS = 30  # after so many looks without a usable worker, the tasks are cancelled

Versions = Mapping[str, str]


class ClusterExecutor(Executor):
    """An executor that gives tasks to a Dask cluster; `scheduler` is the address of its scheduler.

    Every worker is tested before its first task, even if it joins later. A usable worker gets a
    mark, a Dask resource that all tasks require. If a worker is not usable, the reason is printed.
    Raise `Trouble` if no scheduler answers, or if no worker is usable.
    """

    def __init__(self, scheduler: str, conditions: Conditions) -> None:
        self._client = _connect(scheduler)
        self._conditions = conditions
        self._wanted = _versions_here(conditions)
        said = json.dumps([dict(self._wanted), conditions.confined])
        self._mark = f"autograder-{sha256(said.encode()).hexdigest()[:12]}"
        self._refusals: dict[str, str] = {}  # worker → why it is refused; empty: usable
        self._executor = self._client.get_executor(pure=False, resources={self._mark: 1})
        self._futures: weakref.WeakSet[Future[Any]] = weakref.WeakSet()
        self._is_gone = False
        self._ended = threading.Event()
        if not self._look():
            self.shutdown()
            if self._refusals:
                raise Trouble(
                    f"No worker of the cluster at {scheduler} can do this. Each needs bubblewrap, "
                    "and the versions of this grader, of Python and of IPython that are here."
                )
            raise Trouble(
                f"The cluster at {scheduler} has no worker. Start one on each machine with: dask "
                f"worker {scheduler} --nworkers=-1 --nthreads 1"
            )
        threading.Thread(target=self._watch, name="looks at the cluster", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future of a task; if the cluster is gone, this future is already cancelled."""
        is_there = self._client.status == "running"
        future = self._executor.submit(fn, *args, **kwargs) if is_there else Future[Any]()
        self._futures.add(future)
        if not is_there or self._is_gone:
            _cancel(future)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster, which goes on running for others."""
        self._ended.set()
        self._executor.shutdown(wait=wait)
        self._client.close(timeout=_LOOK)

    def _look(self) -> bool:
        """Test the workers that are new; return true if at least one worker is usable."""
        there = set(self._client.nthreads())
        new = sorted(there - set(self._refusals))
        tried = (self._wanted, self._conditions, self._mark)
        answers = self._client.run(_admit, *tried, workers=new, on_error="return") if new else {}
        for worker, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # the worker has gone, or will be tested again
            if isinstance(answer, Exception):  # the worker does not have the function `_admit`
                cause = f"{type(answer).__name__}: {answer}"
                answer = f"it has not this version of course-2048 ({cause})"
            self._refusals[worker] = str(answer)
            if self._refusals[worker]:
                say(f"The worker {worker} gets no work: {self._refusals[worker]}", "yellow")
        return any(self._refusals.get(worker) == "" for worker in there)

    def _watch(self) -> None:
        """Cancel all tasks if no worker is usable for a minute, or if the scheduler is gone."""
        missed = 0
        while missed < _LOOKS and not self._ended.wait(_LOOK):
            try:
                missed = 0 if self._look() else missed + 1
            except Exception:  # Dask raises many kinds of errors if the scheduler is gone
                break
        if not self._ended.is_set():
            self._is_gone = True
            # Dask itself forgets to cancel futures whose results were on their way
            for future in list(self._futures):
                _cancel(future)


def _cancel(future: Future[Any]) -> None:
    """Cancel the future of a task, and wake up the threads that wait for it."""
    with suppress(RuntimeError):  # the task has just ended
        if not future.done() and future.cancel():
            future.set_running_or_notify_cancel()


async def _admit(wanted: Versions, conditions: Conditions, mark: str, dask_worker: Any) -> str:
    """Mark the worker on which this function runs, or return the reason why it is not usable."""
    reason = await asyncio.to_thread(_why_refused, wanted, conditions)
    if not reason:
        await dask_worker.set_resources(**{mark: dask_worker.state.nthreads})
    return reason


def _versions_here(conditions: Conditions) -> Versions:
    """Return the versions on this machine of all programs on which a result depends."""
    packages = {name.partition(".")[0] for name in conditions.preload}
    return {
        "course-2048": programs()[:12],
        "Python": platform.python_version(),
        "IPython": version_of("ipython"),
        **{name: version_of(name) for name in sorted(packages)},
    }


def _why_refused(wanted: Versions, conditions: Conditions) -> str:
    """Return why this machine cannot grade with the `wanted` versions, or "" if it can."""
    here = _versions_here(conditions)
    reasons = [
        f"it has {name} {here.get(name)}, not {version}"
        for name, version in wanted.items()
        if here.get(name) != version
    ]
    if not reasons and conditions.confined:
        try:
            WarmJail("", conditions.limits).close()
        except JailMissing as error:
            reasons.append(" ".join(str(error).split()))
    return "; ".join(reasons)[:1000]


def _connect(scheduler: str) -> Any:
    try:
        from distributed import Client  # only needed for a cluster
    except ImportError as error:
        raise Trouble(
            "--scheduler needs the Python package distributed: pip install 'course-2048[cluster]'."
        ) from error
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a `Trouble` is raised instead
    try:
        return Client(scheduler, timeout=_CONNECT)  # type: ignore[no-untyped-call]
    except Exception as error:  # Dask raises errors of many kinds, an `AssertionError` among them
        raise Trouble(
            f"No Dask scheduler answers at {scheduler} ({error}). Its address is like "
            "tcp://10.0.0.1:8786; start one with: dask scheduler"
        ) from error
