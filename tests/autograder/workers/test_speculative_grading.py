"""Grading that begins while nbgrader is still loading, with what the run before has saved.

That run has saved its masters, the instructor's notebooks. A result is used only if nothing that
the result depends on has changed since.
"""

from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder.grade_submission import get_ready, grade_all
from autograder.jail import Conditions
from autograder.notebook.find_submitted_notebook import Handin, collect
from autograder.notebook.master import Master
from autograder.sample import Sampler
from autograder.workers.speculative_grading import PrefetchExecutor, begin, remember, rest
from tests.autograder.gradebook.nbgrader_helpers import hands_in
from tests.autograder.grading_helpers import LESSON

USUAL = Conditions()


class Noted(Executor):
    """An executor that notes the tasks it is given, and runs none."""

    def __init__(self) -> None:
        self.tasks: list[tuple[Any, ...]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if fn is not rest:
            self.tasks.append((fn, *args))
        return Future()


@pytest.fixture
def here(course: Path, sampler: Sampler, master: Master, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a course folder with two submissions, and the instructor's notebook, saved by a run."""
    hand_in = hands_in(course, sampler)
    for student in ("ada", "ben"):
        hand_in(student)
    remember(course, (master,), USUAL)
    monkeypatch.chdir(course)
    return course


def handed_in(course: Path, student: str, master: Master) -> tuple[Handin, ...]:
    return (collect(course / "submitted" / student / LESSON, master),)


def test_what_has_a_result_is_not_begun_with_unless_all_is_graded_again(here: Path) -> None:
    (here / "autograded" / "ada" / LESSON).mkdir(parents=True)
    (here / "autograded" / "ben" / "another lesson").mkdir(parents=True)
    some, every = Noted(), Noted()
    begin(LESSON, True, False, some, 2)
    begin(LESSON, True, True, every, 2)
    assert (len(some.tasks), len(every.tasks)) == (1, 2)


def test_a_result_is_that_of_the_same_hand_in_masters_and_conditions(
    here: Path, master: Master
) -> None:
    inner = Noted()
    prefetching = begin(LESSON, True, False, inner, 2)
    assert isinstance(prefetching, PrefetchExecutor)
    do = partial(grade_all, masters=(master,), conditions=USUAL)
    ada, ben = (handed_in(here, student, master) for student in ("ada", "ben"))
    prefetching.submit(do, ben)
    assert len(inner.tasks) == 2  # ben's submission was begun before
    prefetching.submit(do, (replace(ada[0], fingerprint="another"),))
    assert len(inner.tasks) == 3
    others = replace(master, imports="import numpy")
    prefetching.submit(partial(grade_all, masters=(others,), conditions=USUAL), ada)
    assert len(inner.tasks) == 4


def test_without_anything_to_begin_with_the_jails_get_ready(here: Path) -> None:
    for lesson, confined in ((LESSON, False), (f"../{here.name}/{LESSON}", True), (LESSON, True)):
        inner = Noted()
        if confined:
            (here / ".autograder-plans" / f"{LESSON}.pickle").write_bytes(b"of another version")
        assert begin(lesson, confined, False, inner, 2) is inner
        assert inner.tasks == [(get_ready, lesson, Conditions(confined))] * 2
