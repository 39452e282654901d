"""A Jupyter server with formgrader, on loopback, and the requests that its pages make."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from autograder.bench.started import SCRATCH, none_outlives
from autograder.scratch import scratch_folder
from autograder.trouble import Trouble

_START = 60  # seconds
_LOOK = 0.05
_EXTENSION = "nbgrader.server_extensions.formgrader"
_OPTIONS = (
    *("--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0"),
    f"--ServerApp.jpserver_extensions={{'{_EXTENSION}': True}}",
)

PAGES = (
    "assignments",
    "submissions of an assignment",
    "notebooks to grade by hand",
    "submissions to grade by hand",
    "one submission",
    "the one after it",
    "students",
    "one student",
)


@dataclass(frozen=True)
class Formgrader:
    """A running server, and the token that it asks for."""

    pid: int
    address: str
    token: str

    def get(self, place: str) -> bytes:
        """Return the server's answer for a place; redirects are followed."""
        request = Request(
            f"{self.address}formgrader/{place}", headers={"Authorization": f"token {self.token}"}
        )
        with urlopen(request, timeout=600) as answer:
            found: bytes = answer.read()
        return found

    def cpu(self) -> float:
        """Return the processor seconds that the server has used by now."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def places(self, lesson: str) -> dict[str, str]:
        """Return page → the place that is requested for it."""
        [notebook] = json.loads(self.get(f"api/notebooks/{lesson}"))
        list_of_all = f"api/submitted_notebooks/{lesson}/{notebook['name']}"
        one = json.loads(self.get(list_of_all))[0]
        places = (
            "api/assignments",
            f"api/submissions/{lesson}",
            f"api/notebooks/{lesson}",
            list_of_all,
            f"submissions/{one['id']}/",
            f"submissions/{one['id']}/next",
            "api/students",
            f"api/student_submissions/{one['student']}",
        )
        return dict(zip(PAGES, places, strict=True))


@contextmanager
def formgrader(course: Path) -> Iterator[Formgrader]:
    """Start formgrader in a course folder, and end it after the block.

    Raise `Trouble` if it does not start.
    """
    with scratch_folder(SCRATCH) as place, none_outlives():
        names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        own = {name: str(Path(place, name.lower())) for name in names}
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyter_server", *_OPTIONS],
            cwd=course,
            env={**os.environ, **own},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield _answering(process, Path(own["JUPYTER_RUNTIME_DIR"]))
        finally:
            process.terminate()
            process.wait()


def _answering(process: "subprocess.Popen[bytes]", runtime: Path) -> Formgrader:
    """Return the server once it has said its address. Raise `Trouble` if it does not start."""
    deadline = time.monotonic() + _START
    while time.monotonic() < deadline and process.poll() is None:
        for path in runtime.glob("jpserver-*.json"):
            try:
                known = json.loads(path.read_text("utf-8"))
                server = Formgrader(process.pid, known["url"], known["token"])
                server.get("api/assignments")
            except (OSError, ValueError):  # not yet
                continue
            return server
        time.sleep(_LOOK)
    raise Trouble("jupyter server did not start with formgrader; try it in the course folder.")
