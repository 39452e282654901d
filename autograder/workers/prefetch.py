"""Grading that begins before nbgrader is loaded, with the masters that the run before has left.

Loading nbgrader takes longer than grading a small class. Meanwhile, hand-ins that have no result
yet are graded by the masters of the run before. If the masters, the conditions or a hand-in turn
out to have changed, the hand-in is graded anew.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from glob import escape
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from autograder.gradebook.cache import Cache, programs
from autograder.jail import Conditions
from autograder.notebook.collect import Handin, collect
from autograder.notebook.master import Master
from autograder.pipeline import get_ready, grade_all
from autograder.workers.executors import cores

_MOST = 64  # hand-ins
_KEPT = "masters and conditions of the run before"

Handins = tuple[Handin, ...]
Masters = tuple[Master, ...]
Do = partial[Any]

_asked = get_context().Event()  # shared by this process and those forked from it


class PrefetchExecutor(Executor):
    """An executor that is given hand-ins before anybody asks for their results.

    Until somebody asks, `resting` of its processes get ready and then do nothing, so that a
    processor is free for the process that will ask.
    """

    def __init__(
        self, executor: Executor, do: Do, handins: Iterable[Handins], resting: int = 0
    ) -> None:
        self._executor = executor
        self._do = do
        for _ in range(resting):
            executor.submit(rest, do)
        self._begun = [(one, executor.submit(do, one)) for one in handins]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future of a task, which may be done already."""
        _asked.set()
        if self._begun and fn is not self._do:
            if not isinstance(fn, partial) or _parts(fn) != _parts(self._do):
                self._forget()
            else:
                self._do = fn
        for place, (handins, future) in enumerate(self._begun):
            if args == (handins,):
                del self._begun[place]
                return future
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the executor; hand-ins that nobody has asked for are not graded any more."""
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
    """Get ready for a task, and wait until somebody has asked for a result."""
    get_ready(do.keywords["masters"][0].lesson, do.keywords["conditions"])
    _asked.wait()


def begin(lesson: str, confined: bool, force: bool, executor: Executor, workers: int) -> Executor:
    """Let an executor begin with the hand-ins in this folder; return the executor to be used.

    If the run before has left no masters that fit, its processes only start their jails.
    """
    is_name = Path(lesson).name == lesson
    left = Cache(Path(), lesson).get(_KEPT, programs()) if is_name else None
    if left is None or left[1].confined is not confined:
        for _ in range(workers):
            executor.submit(get_ready, lesson, Conditions(confined))
        return executor
    masters, conditions = left
    do = partial(grade_all, masters=masters, conditions=conditions)
    handins = islice(_handed_in(lesson, masters, force), _MOST)
    return PrefetchExecutor(executor, do, handins, resting=int(workers >= cores()))


def remember(root: Path, masters: Masters, conditions: Conditions) -> None:
    """Keep the masters and conditions that the next run in a course folder may begin with."""
    cache = Cache(root, masters[0].lesson)
    if cache.get(_KEPT, programs()) != (masters, conditions):
        cache.put(_KEPT, programs(), (masters, conditions))


def _handed_in(lesson: str, masters: Masters, force: bool) -> Iterator[Handins]:
    """Yield the hand-ins in `submitted/`, of students without a result or, if `force`, of all."""
    for folder in sorted(Path("submitted").glob(f"*/{escape(lesson)}")):
        is_graded = Path("autograded", folder.parent.name, lesson).exists()
        if force or not is_graded:
            yield tuple(collect(folder.absolute(), master) for master in masters)
