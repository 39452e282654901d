"""A Jupyter server for tests, with its own folders, configuration and process group."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.waiting import until

TOKEN = "learner"
# No news and no autosave: if one ran during a save by the test, JupyterLab would open a dialog.
QUIET = {
    "apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "docmanager-extension/plugin": {"autosave": False},
}


@dataclass(frozen=True)
class Server:
    """A running server of JupyterLab and Notebook 7, for the files in the folder `root`."""

    address: str
    root: Path

    def url(self, app: str, path: str) -> str:
        """Return the address at which an app ("lab" or "notebook") shows a file in the root."""
        place = {"lab": "lab/tree", "notebook": "notebooks"}[app]
        return f"{self.address}/{place}/{path}?token={TOKEN}" + ("&reset" if app == "lab" else "")


def jupyter_folders(home: Path) -> dict[str, str]:
    """Return environment variables with which Jupyter keeps a user's files below `home`."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    return {name: str(home / name.lower()) for name in names}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def jupyter_server(home: Path, environment: dict[str, str] | None = None) -> Iterator[Server]:
    """Start a server that writes only below `home`; yield it, and end it afterwards."""
    root, log = home / "root", home / "log"
    for name, values in QUIET.items():
        file = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(values))
    root.mkdir()
    port = free_port()
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
    own = {
        **jupyter_folders(home),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    named = (f"--{name}={value}" for name, value in options.items())
    with log.open("wb") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", *named],
            env={**os.environ, **own, **(environment or {})},
            cwd=root,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = Server(f"http://127.0.0.1:{port}", root)

    def answers() -> bool:
        assert process.poll() is None, f"Jupyter has ended:\n{log.read_text()[-2000:]}"
        with suppress(URLError, OSError), urlopen(f"{server.address}/api/status?token={TOKEN}"):
            return True
        return False

    try:
        until(answers, f"Jupyter answers; its log is {log}")
        yield server
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
