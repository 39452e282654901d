"""`make lab`: it copies lessons without overwriting files, sets up JupyterLab, and starts it."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_core.paths import jupyter_config_path
from jupyter_server.extension.config import ExtensionConfigManager
from jupyter_server.extension.manager import ExtensionPoint
from jupyter_server.gateway.connections import GatewayWebSocketConnection
from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyterlab_server.config import get_page_config
from tornado.web import Application

from course.lab.promptly import CONNECTION, PromptConnection
from course.lab.start import MAP, SETTINGS, command, copy_missing, open_course, run
from course.lessons import lessons
from course.mine.passed_checks import Results, write


def release(folder: Path) -> Path:
    (folder / "release" / "1-a" / "pictures").mkdir(parents=True)
    (folder / "release" / "1-a" / "a.ipynb").write_text("new", encoding="utf-8")
    (folder / "release" / "1-a" / "pictures" / "a.svg").write_text("<svg/>", encoding="utf-8")
    return folder / "release"


def test_a_new_folder_gets_every_file(tmp_path: Path):
    copied = copy_missing(release(tmp_path), tmp_path / "mine")
    assert [path.name for path in copied] == ["a.ipynb", "a.svg"]
    assert (tmp_path / "mine" / "1-a" / "a.ipynb").read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("work", [b"my work \xff\x00", b""], ids=["edited", "empty"])
def test_a_notebook_that_is_there_is_kept_byte_for_byte(work: bytes, tmp_path: Path):
    own = tmp_path / "mine" / "1-a" / "a.ipynb"
    own.parent.mkdir(parents=True)
    own.write_bytes(work)
    copied = copy_missing(release(tmp_path), tmp_path / "mine")
    assert (own.read_bytes(), [path.name for path in copied]) == (work, ["a.svg"])


def test_a_dangling_link_is_kept_too(tmp_path: Path):
    (tmp_path / "mine" / "1-a" / "pictures").mkdir(parents=True)
    (tmp_path / "mine" / "1-a" / "pictures" / "a.svg").symlink_to(tmp_path / "nowhere")
    assert [each.name for each in copy_missing(release(tmp_path), tmp_path / "mine")] == ["a.ipynb"]
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()], ids=repr)
def test_a_copy_that_breaks_off_leaves_no_half_of_a_file_and_is_made_at_the_next_start(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def half(original: Path, own: Path) -> None:
        own.write_text("ne", encoding="utf-8")
        raise error

    course, mine = release(tmp_path), tmp_path / "mine"
    monkeypatch.setattr(shutil, "copyfile", half)
    with pytest.raises(type(error)):
        copy_missing(course, mine)
    monkeypatch.undo()
    assert [path for path in mine.rglob("*") if path.is_file()] == []
    assert [path.name for path in copy_missing(course, mine)] == ["a.ipynb", "a.svg"]


def test_a_new_folder_gets_the_map_too_and_all_new_files_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("VERBOSE", "1")  # no file for the log
    monkeypatch.setattr("course.lab.start.hear_signals", lambda: None)
    monkeypatch.setattr("course.lab.start.run", lambda *_: 0)
    open_course(tmp_path)
    new = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert tmp_path / MAP.name in new
    assert f": {len(new)} new files, " in capsys.readouterr().out


def test_jupyterlab_opens_the_first_lesson_and_once_that_is_done_the_map(tmp_path: Path):
    first = lessons()[0]
    start = command(tmp_path, browser=True)
    assert f"--LabApp.default_url=/lab/tree/{first.id}/{first.notebook}" in start
    assert "--no-browser" not in start
    assert "--no-browser" in command(tmp_path, browser=False)
    write(tmp_path, {first.id: Results(set(first.checks))})
    assert f"--LabApp.default_url=/lab/tree/{MAP.name}" in command(tmp_path, browser=True)


def test_what_only_instructors_need_is_switched_off_wherever_it_is_installed(tmp_path: Path):
    found = ExtensionConfigManager(read_config_path=jupyter_config_path()).get_jpserver_extensions()
    of_nbgrader = [name for name in found if name.startswith("nbgrader.")]
    assert len(of_nbgrader) == 4
    start = command(tmp_path, browser=False)
    assert [
        n for n in of_nbgrader if f"--ServerApp.jpserver_extensions={n}=False" not in start
    ] == []
    assert "@jupyter/nbgrader" in get_page_config([], str(SETTINGS))["disabledExtensions"]


def test_a_long_line_of_code_is_wrapped_and_never_cut_off():
    overrides = json.loads((SETTINGS / "overrides.json").read_text("utf-8"))
    notebook = overrides["@jupyterlab/notebook-extension:tracker"]
    assert notebook["codeCellConfig"]["lineWrap"] is True


def test_every_jupyter_of_this_environment_loads_the_extension():
    found = ExtensionConfigManager(read_config_path=jupyter_config_path()).get_jpserver_extensions()
    assert found["course.lab.promptly"] is True


@pytest.mark.parametrize(
    ("was", "then"),
    [
        (ZMQChannelsWebsocketConnection, PromptConnection),
        (GatewayWebSocketConnection, GatewayWebSocketConnection),
    ],
    ids=["the-servers-own", "one-that-was-chosen"],
)
def test_the_extension_sends_promptly_where_nothing_else_was_chosen(was: type, then: type):
    server = ServerApp()
    server.web_app = Application([], **{CONNECTION: was})
    ExtensionPoint(metadata={"module": "course.lab.promptly"}).load(server)
    assert server.web_app.settings[CONNECTION] is then


UP = """import socket, sys, time
socket.socket(fileno=0).sendall(b"http://here\\n")
time.sleep(float(sys.argv[1]))
sys.exit(int(sys.argv[2]))"""


def a_server(seconds: int, status: int) -> list[str]:
    """Return the command of a stand-in for Jupyter, which reports an address and then ends."""
    return [sys.executable, "-c", UP, str(seconds), str(status)]


@pytest.mark.parametrize("status", [0, 3])
def test_a_server_that_ends_by_itself_gives_its_status(status: int, capfd: Any):
    assert run(a_server(0, status), None) == status
    assert "    http://here\n" in capfd.readouterr().out


def test_no_address_is_printed_of_a_server_that_never_answers(capfd: Any):
    assert run([sys.executable, "-c", "raise SystemExit(2)"], None) == 2
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_server_without_a_word(number: signal.Signals):
    start = f"hear_signals(); raise SystemExit(run({a_server(600, 0)!r}, None))"
    program = f"from course.lab.start import hear_signals, run; {start}"
    own = {"start_new_session": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen([sys.executable, "-c", program], text=True, **own) as started:
        lines = [started.stdout.readline() for _ in range(4)]
        server = psutil.Process(started.pid).children()
        started.send_signal(number)
        assert started.stdout.read() == ""
    assert lines[2] == "    http://here\n"
    assert started.returncode == 0
    assert psutil.wait_procs(server, timeout=10)[1] == []


def open_lab(folder: Path) -> subprocess.Popen[str]:
    """Start `course lab mine` in a folder, which also has the settings of the server."""
    return subprocess.Popen(
        [sys.executable, "-m", "course", "lab", "mine"],
        cwd=folder,
        env={**os.environ, "JUPYTER_CONFIG_DIR": str(folder), "NO_BROWSER": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path):
    (tmp_path / "mine").write_text("a file")
    with open_lab(tmp_path) as ended:
        _, error = ended.communicate()
    assert ended.returncode == 1
    assert re.fullmatch(r"The lessons cannot be copied to mine \(mine.*\)\.\n", error)


def test_a_server_that_dies_names_its_log(tmp_path: Path):
    settings = tmp_path / "jupyter_server_config.json"
    settings.write_text(json.dumps({"ServerApp": {"ip": "not an address"}}))
    with open_lab(tmp_path) as ended:
        output, error = ended.communicate()
    assert ended.returncode == 1
    assert output.startswith("Your lessons are in the folder mine")
    assert "http" not in output
    said = r"JupyterLab ended, and it was not asked to. The end of (\S+) says why.\n"
    named = re.fullmatch(said, error)
    assert "not an address" in (tmp_path / named[1]).read_text(encoding="utf-8")


def test_the_server_ends_even_when_make_lab_is_killed(tmp_path: Path):
    with open_lab(tmp_path) as started:
        lines = [started.stdout.readline() for _ in range(5)]
        server = psutil.Process(started.pid).children()
        started.kill()
    assert lines[3].startswith("    http://")
    assert len(server) == 1
    assert psutil.wait_procs(server, timeout=20)[1] == []
