"""What tests of the instructor's side share: a lesson, its sample, a course folder to grade in."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from autograder.cli import app
from autograder.grading import plans_of
from autograder.jail import Jail
from autograder.jail.folder import remove_orphans
from autograder.notebook.master import Master
from autograder.records.folder import CourseFolder
from autograder.records.release import ROOT
from autograder.records.remembered import FOLDER
from autograder.sample import Sampler
from tests.autograder.submissions import LESSON, the_master

Autograder = Callable[..., Result]


@pytest.fixture(scope="session")
def master() -> Master:
    return the_master()


@pytest.fixture(scope="session")
def jail() -> Iterator[Jail]:
    """One jail for all tests: whatever a submission does to it, the next one is not touched."""
    with Jail(LESSON) as made:
        yield made


@pytest.fixture(scope="session")
def sampler() -> Sampler:
    return Sampler(ROOT, LESSON)


def make_course(folder: Path, lesson: str = LESSON) -> Path:
    """A course folder with the masters of one lesson, to which nothing was handed in."""
    folder.mkdir(exist_ok=True)
    shutil.copytree(ROOT / "source" / lesson, folder / "source" / lesson)
    shutil.copyfile(ROOT / "nbgrader_config.py", folder / "nbgrader_config.py")
    return folder


@pytest.fixture(scope="session")
def new_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook to copy: nbgrader takes seconds to make one."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    environment = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", environment)
        Gradebook(f"sqlite:///{path}", "2048").close()
    return path


@pytest.fixture(scope="session")
def kept_plans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plan of the lesson, to copy: it is worked out by grading."""
    folder = make_course(tmp_path_factory.mktemp("plans") / "course")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        plans_of(CourseFolder(), LESSON)
    return folder / FOLDER


@pytest.fixture
def course(
    tmp_path: Path, new_gradebook: Path, kept_plans: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    folder = make_course(tmp_path / "a course")
    shutil.copyfile(new_gradebook, folder / "gradebook.db")
    shutil.copytree(kept_plans, folder / FOLDER)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def next_grader() -> Iterator[None]:
    """After a test that kills a grader: what that has left is removed, as the next one does."""
    yield
    remove_orphans(Path(tempfile.gettempdir()))


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Dask cluster of two workers, each a process of its own, which is patient."""
    import dask
    from distributed import LocalCluster  # it takes a second to load

    folder = tmp_path_factory.mktemp("cluster")
    # A worker that is killed is begun anew; on a busy machine that takes longer than usual.
    patient = {f"distributed.comm.timeouts.{kind}": "600s" for kind in ("connect", "tcp")}
    with (
        dask.config.set(patient),
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", local_directory=folder
        ) as made,
    ):
        yield made


@pytest.fixture(scope="session")
def autograder() -> Autograder:
    """Runs the program in this process; what it prints and its exit status come back."""
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])
