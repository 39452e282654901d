"""Grading on a Dask cluster: the gradebook is as from one machine, even if workers are killed."""

import os
import platform
import shutil
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from autograder.gradebook.staleness import FOLDER as PLANS
from autograder.grading_run import run
from autograder.sample import Sampler, real_class
from tests.autograder.conftest import LESSON, Autograder, make_course
from tests.autograder.gradebook.contents import files_of, rows_of
from tests.autograder.gradebook.nbgrader_helpers import Grade, address_of
from tests.waiting import SECONDS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("cluster"),
    pytest.mark.usefixtures("next_grader"),
]


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as made:
        made.wait_for_workers(2, timeout=SECONDS)
        yield made


@pytest.fixture(scope="module")
def alone(
    tmp_path_factory: pytest.TempPathFactory,
    new_gradebook: Path,
    kept_plans: Path,
    sampler: Sampler,
    autograder: Autograder,
) -> Path:
    """Grade a class in this process alone; return the course folder."""
    course = make_course(tmp_path_factory.mktemp("alone") / "course")
    for student in real_class(sampler, 8):
        student.hand_in(course / "submitted" / student.name / LESSON)
    shutil.copyfile(new_gradebook, course / "gradebook.db")
    shutil.copytree(kept_plans, course / PLANS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        assert autograder("grade", LESSON, "--workers", 1).exit_code == 0
    return course


@pytest.fixture
def grade(alone: Path, course: Path, cluster: LocalCluster, autograder: Autograder) -> Grade:
    """Return a function that grades the same class on the cluster."""
    shutil.copytree(alone / "submitted", course / "submitted")
    return partial(autograder, "grade", LESSON, "--scheduler", cluster.scheduler_address)


def assert_equal(course: Path, alone: Path) -> None:
    assert rows_of(address_of(course)) == rows_of(address_of(alone))
    assert files_of(course / "autograded") == files_of(alone / "autograded")


def on_first_result(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> None:
    """Call `do` once, when the first result has come, and others are still to come."""
    rest = iter([do])

    def run_and_do(*arguments: Any) -> Any:
        for result in run(*arguments):
            for now in rest:
                now()
            yield result

    monkeypatch.setattr("autograder.grading_run.run", run_and_do)


@pytest.mark.deep
def test_a_worker_that_is_killed_in_the_middle_changes_nothing(
    course: Path, alone: Path, client: Client, grade: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = client.run(os.getpid)
    killed = []

    def kill() -> None:
        killed.extend(worker for worker, tasks in client.processing().items() if tasks)
        os.kill(workers[killed[0]], signal.SIGKILL)

    on_first_result(monkeypatch, kill)
    result = grade()
    assert result.exit_code == 0, result.output
    assert (len(workers), len(killed)) == (2, 2)
    assert_equal(course, alone)
    client.wait_for_workers(2, timeout=SECONDS)


def pretend(python: str, path: str) -> None:
    """Pretend that this worker has another version of Python, and another `PATH`."""
    platform.python_version = lambda: python
    os.environ["PATH"] = path


@pytest.mark.deep
def test_a_worker_that_lacks_something_is_refused_by_name_and_the_others_grade(
    course: Path, alone: Path, client: Client, grade: Grade
) -> None:
    first, other = sorted(client.nthreads())
    python, path = platform.python_version(), os.environ["PATH"]
    client.run(pretend, "3.99.0", path, workers=[first])
    result = grade()
    assert result.exit_code == 0, result.output
    said = f"The worker {first} gets no work: it has Python 3.99.0, not {python}"
    assert said in result.stderr
    assert_equal(course, alone)
    client.run(pretend, python, "/nowhere", workers=[other])
    none = grade("--force")
    client.run(pretend, python, path)
    assert none.exit_code == 2
    assert f"The worker {other} gets no work: Students' code runs in a jail" in none.stderr
    assert "No worker of the cluster at tcp://127.0.0.1:" in none.stderr
    assert_equal(course, alone)


@pytest.mark.deep
def test_a_scheduler_that_ends_in_the_middle_is_said_and_the_next_run_goes_on(
    course: Path,
    alone: Path,
    autograder: Autograder,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    shutil.copytree(alone / "submitted", course / "submitted")
    with LocalCluster(
        1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        dashboard_address=":0",
        local_directory=tmp_path,
    ) as cluster:
        on_first_result(monkeypatch, cluster.close)
        monkeypatch.setattr("autograder.grading_run._BATCH", 1)
        result = autograder("grade", LESSON, "--scheduler", cluster.scheduler_address)
    assert result.exit_code == 1, result.output
    assert "The cluster is gone" in result.stderr
    assert 0 < len(os.listdir("autograded")) < len(os.listdir("submitted"))
    assert "Traceback" not in result.output
    assert autograder("grade", LESSON, "--workers", 1).exit_code == 0
    assert_equal(course, alone)
