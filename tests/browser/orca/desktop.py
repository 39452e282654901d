"""A desktop on a virtual screen, with a window manager, two buses and the screen reader Orca."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.waiting import until

SETTINGS = {
    "general": {"speechServerFactory": "paper_voice", "startingProfile": ["Default", "default"]},
    "profiles": {
        "default": {"profile": ["Default", "default"], "pronunciations": {}, "keybindings": {}}
    },
    "pronunciations": {},
    "keybindings": {},
}
RESTS = 1.0  # after so many seconds without a new line in its log, Orca says no more


class Orca:
    """A running Orca; the file `paper` has the words that it says, `log` all that it does."""

    def __init__(self, home: Path, environment: dict[str, str]) -> None:
        self.paper, self.log = home / "paper", home / "log"
        self.environment = environment

    def press(self, key: str) -> list[str]:
        """Press a key, which Orca gets before the browser; return what Orca says."""
        before = len(self._lines())
        subprocess.run(["xdotool", "key", key], env=self.environment, check=True)
        self.until_it_rests()
        return [line[5:] for line in self._lines()[before:] if line.startswith("says ")]

    def until_it_rests(self) -> None:
        """Wait until Orca has dealt with all events of the page, for a minute at most."""
        size, since = -1, time.monotonic()
        deadline = since + 60
        while time.monotonic() < min(since + RESTS, deadline):
            now = self.log.stat().st_size
            if now != size:
                size, since = now, time.monotonic()
            time.sleep(0.05)  # between two looks at the log

    def _lines(self) -> list[str]:
        return self.paper.read_text("utf-8").splitlines() if self.paper.exists() else []


@contextmanager
def orca_on_a_desktop(home: Path) -> Iterator[Orca]:
    """Start Orca and all that it needs, with all files below `home`; end only these afterwards."""
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("DATA", "CONFIG", "CACHE")}
    (home / "run").mkdir(mode=0o700)
    (home / "data" / "orca").mkdir(parents=True)
    (home / "data" / "orca" / "user-settings.conf").write_text(json.dumps(SETTINGS))
    voice = {"PYTHONPATH": str(Path(__file__).parent), "ORCA_PAPER": str(home / "paper")}
    with ExitStack() as stack:
        env = {**os.environ, **folders, "XDG_RUNTIME_DIR": str(home / "run")}
        env["DISPLAY"] = ":" + _first_line(stack, ["Xvfb", "-displayfd", "1"], env)
        bus = ["dbus-daemon", "--session", "--nofork", "--print-address"]
        env["DBUS_SESSION_BUS_ADDRESS"] = _first_line(stack, bus, env)
        launcher = "/usr/libexec/at-spi-bus-launcher"
        _start(stack, [launcher, "--launch-immediately", "--a11y=1", "--screen-reader=1"], env)
        _start(stack, ["openbox"], env)
        command = ["orca", "--disable", "braille", "--debug-file", str(home / "log")]
        _start(stack, command, {**env, **voice})
        log = home / "log"
        is_ready = "ORCA: Starting registry"
        until(lambda: log.exists() and is_ready in log.read_text("utf-8"), "Orca listens")
        yield Orca(home, env)


def _start(stack: ExitStack, command: list[str], env: dict[str, str]) -> "subprocess.Popen[str]":
    started = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    stack.callback(_end, started)
    return started


def _first_line(stack: ExitStack, command: list[str], env: dict[str, str]) -> str:
    output = _start(stack, command, env).stdout
    assert output is not None
    return output.readline().strip()


def _end(started: "subprocess.Popen[str]") -> None:
    started.terminate()
    try:
        started.wait(5)
    except subprocess.TimeoutExpired:
        started.kill()
        started.wait()
