"""Grading ahead of time: workers begin to grade while this process still loads nbgrader.

Each run saves its masters, which are the instructor's notebooks, and its conditions, such as the
limits of time. In the next run, workers use what was saved, and begin at once to grade the hand-ins
without a result. A hand-in is graded again if it, the masters or the conditions have changed.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from functools import partial
from glob import escape
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from autograder.grade_submission import get_ready, grade_all
from autograder.gradebook.staleness import Cache, programs
from autograder.jail import Conditions
from autograder.notebook.find_submitted_notebook import Handin, collect
from autograder.notebook.master import Master
from autograder.workers.executors import cores

_MOST = 64  # hand-ins that are graded ahead of time
_KEPT = "masters and conditions of the run before"

Do = partial[Any]

# set when the first task is submitted; this process and its forked workers share the event
_asked = get_context().Event()


class PrefetchExecutor(Executor):
    """An executor that calls `do` with each of the `handins` before anybody submits these tasks.

    `executor` does the work. Until the first task is submitted, `resting` of its processes only
    start their jails and wait, so that a processor is free to load nbgrader.
    """

    def __init__(
        self, executor: Executor, do: Do, handins: Iterable[tuple[Handin, ...]], resting: int
    ) -> None:
        self._executor = executor
        self._do: Any = do
        for _ in range(resting):
            executor.submit(rest, do)
        self._begun = [(one, executor.submit(do, one)) for one in handins]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future of a task, which may have begun ahead of time.

        If `fn` would do something else than this executor's `do`, cancel all that was begun.
        """
        _asked.set()
        if self._begun and fn is not self._do:
            if not isinstance(fn, partial) or _parts(fn) != _parts(self._do):
                self._forget()
            self._do = fn
        for place, (handins, future) in enumerate(self._begun):
            if args == (handins,):
                del self._begun[place]
                return future
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down; cancel the work on hand-ins that were never submitted as tasks."""
        _asked.set()
        self._forget()
        self._executor.shutdown(wait, cancel_futures=cancel_futures)

    def _forget(self) -> None:
        for _, future in self._begun:
            future.cancel()
        self._begun.clear()


def _parts(do: Do) -> tuple[Any, ...]:
    return do.func, do.args, do.keywords


def rest(do: Do) -> None:
    """Start this worker's jail, and wait until the first task is submitted or the executor ends."""
    get_ready(do.keywords["masters"][0].lesson, do.keywords["conditions"])
    _asked.wait()


def begin(lesson: str, confined: bool, force: bool, executor: Executor, workers: int) -> Executor:
    """Let the processes of `executor` begin to grade; return the executor for all further tasks.

    Hand-ins without a result are graded, at most `_MOST`; if `force` is true, also those with one.
    If the last run saved no masters that can be used, the processes only start their jails.
    """
    is_name = Path(lesson).name == lesson
    left = Cache(Path(), lesson).get(_KEPT, programs()) if is_name else None
    if left is None or left[1].confined is not confined:
        for _ in range(workers):
            executor.submit(get_ready, lesson, Conditions(confined))
        return executor
    masters, conditions = left
    do = partial(grade_all, masters=masters, conditions=conditions)
    folders = (
        folder.absolute()
        for folder in sorted(Path("submitted").glob(f"*/{escape(lesson)}"))
        if force or not Path("autograded", folder.parent.name, lesson).exists()
    )
    handins = (tuple(collect(one, by) for by in masters) for one in islice(folders, _MOST))
    return PrefetchExecutor(executor, do, handins, resting=int(workers >= cores()))


def remember(root: Path, masters: tuple[Master, ...], conditions: Conditions) -> None:
    """Save the masters and conditions in a course folder's cache, for `begin` in the next run."""
    cache = Cache(root, masters[0].lesson)
    if cache.get(_KEPT, programs()) != (masters, conditions):
        cache.put(_KEPT, programs(), (masters, conditions))
