"""Executors: tasks have equal results in this process, in several processes, and on a cluster."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from functools import partial
from pathlib import Path

import pytest

from autograder.jail.temporary_folder import TemporaryFolder
from autograder.workers import make_executor, run
from tests.waiting import until

Executors = Callable[[], Executor]


in_group = pytest.mark.xdist_group("cluster")  # the group that has the cluster


@pytest.fixture(params=["serial", "processes", pytest.param("cluster", marks=in_group)])
def executors(request: pytest.FixtureRequest) -> Executors:
    if request.param == "cluster":
        scheduler = request.getfixturevalue("cluster").scheduler_address
        return partial(make_executor, 2, scheduler)
    return partial(make_executor, 1 if request.param == "serial" else 2)


def numbered(tasks: list[int]) -> list[tuple[str, int]]:
    return [(f"task {task}", task) for task in tasks]


def half(number: int) -> int:
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number // 2


def half_or_die(number: int) -> int:
    if number == 13:
        os._exit(1)
    return number // 2


def test_every_task_has_its_result_under_its_key(executors: Executors) -> None:
    results = {key: result for key, _, result in run(half, numbered([0, 2, 4, 6]), executors, 2)}
    assert results == {"task 0": 0, "task 2": 1, "task 4": 2, "task 6": 3}


def test_what_a_task_raises_is_its_result_and_the_others_go_on(executors: Executors) -> None:
    results = {task: result for _, task, result in run(half, numbered([2, 3, 4]), executors, 2)}
    assert (results[2], str(results[3]), results[4]) == (1, "3 is odd", 2)


@pytest.mark.deep
def test_a_task_that_kills_its_worker_is_the_only_one_that_pays() -> None:
    executors = partial(make_executor, 2)
    tasks = numbered([*range(10), 13, *range(20, 30)])
    results = {task: result for _, task, result in run(half_or_die, tasks, executors, 4)}
    assert isinstance(results.pop(13), BrokenExecutor)
    assert results == {task: task // 2 for task in results}
    assert len(results) == 20


def waits_or_dies(place: Path, number: int) -> int:
    if (begun := place.with_name(f"begun {number}")).exists():
        return number  # this task is run again, alone
    begun.touch()
    if number == 13:
        until(lambda: list(place.iterdir()), "the other has a folder")
        os._exit(1)
    else:
        tempfile.tempdir = str(place)
        TemporaryFolder()
        signal.pause()
    return number


@pytest.mark.deep
def test_a_worker_that_ends_because_another_died_leaves_no_folder(tmp_path: Path) -> None:
    (place := tmp_path / "temporary").mkdir()
    task = partial(waits_or_dies, place)
    for _ in run(task, numbered([0, 13]), partial(make_executor, 2), 2):
        pass
    assert list(place.iterdir()) == []


def test_tasks_are_read_only_when_their_turn_comes() -> None:
    read: list[int] = []

    def tasks() -> Iterator[tuple[int, int]]:
        for number in range(0, 100, 2):
            read.append(number)
            yield number, number

    next(run(half, tasks(), partial(make_executor, 1), 3))
    assert read == [0, 2, 4]


# In a program of its own: a process with threads, such as that of the tests, cannot safely fork.
EARLY = """
import os
from autograder.workers import EarlyExecutors

def ends_elsewhere(here):
    if os.getpid() != here:
        os._exit(1)
    return "here"

early = EarlyExecutors(2, None, lambda executor, workers: executor)
print(early.do(os.getpid) != os.getpid())
print(early.do(ends_elsewhere, os.getpid()), early.do(os.getpid) == os.getpid())
early.close()
"""


def test_a_process_that_was_started_early_is_used_until_it_dies() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.split() == ["True", "here", "True"]
