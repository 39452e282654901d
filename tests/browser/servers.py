"""A Jupyter server for tests, with its own folders, configuration and process group."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.waiting import until

TOKEN = "learner"
PLAIN_LAB = (sys.executable, "-m", "jupyterlab")
NO_NEWS = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}


@dataclass(frozen=True)
class Server:
    """A running server: `root` is the folder it shows; JupyterLab and Notebook 7 both answer."""

    address: str
    root: Path

    def url(self, app: str, path: str) -> str:
        """Return the address at which an app ("lab" or "notebook") shows a file of the root."""
        place = {"lab": "lab/tree", "notebook": "notebooks"}[app]
        return f"{self.address}/{place}/{path}?token={TOKEN}" + ("&reset" if app == "lab" else "")


@contextmanager
def jupyter_server(
    home: Path, start: Sequence[str] = PLAIN_LAB, *, environment: dict[str, str] | None = None
) -> Iterator[Server]:
    """Start a server that keeps everything below `home`; at last end it, and only it."""
    root = home / "root"
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(NO_NEWS))
    root.mkdir()
    port = _free_port()
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            [*start, *_options(home, root, port)],
            env={**_environment(home), **(environment or {})},
            cwd=root,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        server = Server(f"http://127.0.0.1:{port}", root)
        _until_it_answers(server, process, home / "log")
        yield server
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _options(home: Path, root: Path, port: int) -> list[str]:
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": root,
        "IdentityProvider.token": TOKEN,
        "LabApp.expose_app_in_browser": True,
        "JupyterNotebookApp.expose_app_in_browser": True,
        "LabApp.workspaces_dir": home / "workspaces",
        "LabApp.user_settings_dir": home / "settings",
        "LabApp.extension_manager": "readonly",
    }
    named = (f"--{name}={value}" for name, value in options.items())
    return ["--allow-root", "--no-browser", *named]


def _environment(home: Path) -> dict[str, str]:
    own = {
        name: str(home / name.lower())
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    binaries = str(Path(sys.executable).parent)
    project = str(Path(__file__).parents[2])
    path = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **own, "PATH": path, "PYTHONPATH": project}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_it_answers(server: Server, process: "subprocess.Popen[bytes]", log: Path) -> None:
    def answers() -> bool:
        assert process.poll() is None, f"Jupyter has ended:\n{log.read_text()[-2000:]}"
        with suppress(URLError, OSError), urlopen(server.address + "/api/status?token=" + TOKEN):
            return True
        return False

    until(answers, f"Jupyter answers; its log is {log}")
