"""A running JupyterHub for the tests, made as `autograder/serve/hub/README.md` says."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from playwright.sync_api import Page

import autograder.serve
from autograder.course_adapter import ROOT
from tests.autograder.conftest import make_course
from tests.autograder.grading_helpers import LESSON
from tests.autograder.serve.conftest import TWICE, add_twice
from tests.browser.servers import free_port
from tests.project.conftest import run
from tests.waiting import SECONDS, until

RECIPE = Path(autograder.serve.__file__).parent / "hub" / "jupyterhub_config.py"
PASSWORD = "learn-2048"
OTHER = "other-service-" + "0" * 32  # the token of another service of the hub, which makes tokens
COURSES = 'COURSES = {"2048": {"instructors": ["ida"], "students": ["ann", "ben"]}}\n'
TWO_COURSES = """
COURSES = {"2048": {"instructors": ["ida"], "students": ["ann", "ben", "cy"]}}
COURSES["twos"] = {"instructors": ["ida"], "students": ["ann"]}
"""
MORE = f"""
c.JupyterHub.services.append({{"name": "other", "api_token": "{OTHER}"}})
scopes = ["tokens", "list:users", "access:services"]
c.JupyterHub.load_roles.append({{"name": "other", "services": ["other"], "scopes": scopes}})
apps = ["LabApp", "JupyterNotebookApp"]
c.Spawner.args.extend(f"--{{app}}.expose_app_in_browser=True" for app in apps)
"""
PROGRAMS = Path(sys.executable).parent
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
    "PYTHONPATH": str(ROOT),
}


@dataclass
class Hub:
    """A hub with two courses, in the folder `root`."""

    root: Path
    ports: list[int]  # of the proxy, of the hub itself, and of the proxy's API
    process: "subprocess.Popen[bytes]" = field(init=False)

    @property
    def address(self) -> str:
        """The address at which people find the hub."""
        return f"http://127.0.0.1:{self.ports[0]}"

    def start(self, *courses: str) -> None:
        """Start the hub, and wait until it and the servers of the courses answer."""
        public, own, proxys = self.ports
        command = [PROGRAMS / "jupyterhub", f"--JupyterHub.hub_port={own}"]
        command.append(f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{proxys}")
        environment = {**ENVIRONMENT, "HUB_PASSWORD": PASSWORD, "HUB_PORT": str(public)}
        with (self.root / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.root, env=environment, stdout=log, stderr=log
            )

        def is_open() -> bool:
            assert self.process.poll() is None, (self.root / "log").read_text()[-3000:]
            with suppress(httpx.HTTPError):
                doors = (httpx.get(f"{self.door(course)}/health") for course in courses)
                return all(answer.is_success for answer in doors)
            return False

        until(is_open, "the hub and its services answer")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(SECONDS)

    def door(self, course: str = "2048") -> str:
        """Return the address of a course's `autograder serve`."""
        return f"{self.address}/services/{course}"

    def course(self, name: str = "2048") -> Path:
        return self.root / "courses" / name

    def home(self, person: str) -> Path:
        return self.root / "homes" / person

    def new_token(self, person: str, *scopes: str) -> str:
        """Return a new token of a person, which permits what the scopes say."""
        answer = httpx.post(
            f"{self.address}/hub/api/users/{person}/tokens",
            headers={"Authorization": f"Bearer {OTHER}"},
            json={"scopes": list(scopes)},
        )
        return str(answer.raise_for_status().json()["token"])

    def log_in(self, page: Page, person: str) -> None:
        page.get_by_label("Username").fill(person)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()


def nbgrader(folder: Path, *words: str) -> None:
    done = run(sys.executable, "-m", "nbgrader", *words, folder=folder, **ENVIRONMENT)
    assert done.returncode == 0, done.stderr


def release(course: Path, lesson: str, *options: str) -> None:
    nbgrader(course, "generate_assignment", lesson, *options)
    nbgrader(course, "release_assignment", lesson, *options)


@contextmanager
def running_hub(root: Path) -> Iterator[Hub]:
    """Make a hub with two courses in the folder `root`, start and yield it, and end it at last."""
    (root / "courses").mkdir()
    for name in ("2048", "twos"):
        course = make_course(root / "courses" / name)
        with (course / "nbgrader_config.py").open("a") as file:
            file.write(f"\nc.CourseDirectory.course_id = {name!r}\n")
            file.write(f"c.Exchange.root = {str(root / 'exchange')!r}\n")
    add_twice(root / "courses" / "twos")
    recipe = RECIPE.read_text()
    assert COURSES in recipe
    (root / RECIPE.name).write_text(recipe.replace(COURSES, TWO_COURSES) + MORE)
    hub = Hub(root, [free_port() for _ in range(3)])
    hub.start("2048", "twos")
    try:
        release(hub.course(), LESSON)
        release(hub.course("twos"), TWICE)
        yield hub
    finally:
        hub.stop()
