"""Fixtures for the tests of the grader: a lesson, sample submissions, a course folder, a jail."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from autograder.cli import app
from autograder.course_adapter import ROOT
from autograder.grade_assignment import verified
from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.staleness import FOLDER
from autograder.jail import WarmJail
from autograder.jail.temporary_folder import remove_orphans
from autograder.notebook.master import Master
from autograder.sample import Sampler
from tests.autograder.grading_helpers import LESSON, the_master
from tests.lessons.right import StyledSampler

Autograder = Callable[..., Result]


@pytest.fixture(scope="session")
def master() -> Master:
    return the_master()


@pytest.fixture(scope="session")
def jail() -> Iterator[WarmJail]:
    """Start one jail for all tests; nothing that one submission does there reaches the next."""
    with WarmJail(LESSON) as made:
        yield made


@pytest.fixture(scope="session")
def sampler() -> Sampler:
    return StyledSampler(ROOT, LESSON)


def make_course(folder: Path, lesson: str = LESSON) -> Path:
    """Make a course folder with the source of one lesson and no submissions; return its path."""
    folder.mkdir(exist_ok=True)
    shutil.copytree(ROOT / "source" / lesson, folder / "source" / lesson)
    shutil.copyfile(ROOT / "nbgrader_config.py", folder / "nbgrader_config.py")
    return folder


def made_once(folders: pytest.TempPathFactory, name: str, fill: Callable[[Path], object]) -> Path:
    """Return a folder that is filled once for all processes of a run; tests may only copy it."""
    root = folders.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    folder, done = root / name, root / f"{name}.done"
    with (root / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            fill(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def new_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an empty gradebook for tests to copy, because nbgrader takes seconds to make one."""
    environment = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", environment)
        folder = made_once(
            tmp_path_factory,
            "gradebook",
            lambda folder: Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "2048").close(),
        )
    return folder / "gradebook.db"


@pytest.fixture(scope="session")
def kept_plans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the lesson's plan, for tests to copy.

    The plan says which tests run outside of the jail. To make it, the answer key is graded.
    """

    def fill(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(make_course(folder))
            verified(CourseFolder(), LESSON)

    return made_once(tmp_path_factory, "plans", fill) / FOLDER


def course_in(folder: Path, new_gradebook: Path, kept_plans: Path) -> Path:
    """Make a course folder with an empty gradebook and the lesson's plan of where tests run."""
    make_course(folder)
    shutil.copyfile(new_gradebook, folder / "gradebook.db")
    shutil.copytree(kept_plans, folder / FOLDER)
    return folder


@pytest.fixture
def course(
    tmp_path: Path, new_gradebook: Path, kept_plans: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    folder = course_in(tmp_path / "a course", new_gradebook, kept_plans)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def next_grader() -> Iterator[None]:
    """Remove, when the test has ended, what a killed grader has left, as the next grader would."""
    yield
    remove_orphans(Path(tempfile.gettempdir()))


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start a Dask cluster of two workers, each a process of its own, with long timeouts."""
    import dask
    from distributed import LocalCluster  # loading it takes a second

    folder = tmp_path_factory.mktemp("cluster")
    # A worker that is killed is started again. On a busy machine that takes longer than usual; by
    # default, the cluster gives up such a worker after 15 seconds.
    waits = ("comm.timeouts.connect", "comm.timeouts.tcp", "deploy.lost-worker-timeout")
    patient = {f"distributed.{wait}": "600s" for wait in waits}
    with (
        dask.config.set(patient),
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", local_directory=folder
        ) as made,
    ):
        yield made


@pytest.fixture(scope="session")
def autograder() -> Autograder:
    """Return a function that runs `autograder` in this process, and returns its result."""
    wide = {"COLUMNS": None}  # xdist sets it, and tables would be as narrow as that
    return lambda *said: CliRunner().invoke(app, [str(one) for one in said], env=wide)
