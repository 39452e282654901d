"""`make lab`: the learner's folder is filled, and never overwritten."""

import json
from pathlib import Path

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
from course.lab.start import MAP, SETTINGS, command, copy_missing
from course.lessons import lessons
from course.mine.results import Results, write


def release(folder: Path) -> Path:
    (folder / "release" / "1-a" / "pictures").mkdir(parents=True)
    (folder / "release" / "1-a" / "a.ipynb").write_text("new", encoding="utf-8")
    (folder / "release" / "1-a" / "pictures" / "a.svg").write_text("<svg/>", encoding="utf-8")
    return folder / "release"


def test_a_new_folder_gets_every_file(tmp_path: Path):
    copied = copy_missing(release(tmp_path), tmp_path / "mine")
    assert [path.name for path in copied] == ["a.ipynb", "a.svg"]
    assert (tmp_path / "mine" / "1-a" / "a.ipynb").read_text(encoding="utf-8") == "new"


def test_an_edited_notebook_is_kept_byte_for_byte(tmp_path: Path):
    (tmp_path / "mine" / "1-a").mkdir(parents=True)
    own = tmp_path / "mine" / "1-a" / "a.ipynb"
    own.write_bytes(b"my work \xff\x00")
    copied = copy_missing(release(tmp_path), tmp_path / "mine")
    assert own.read_bytes() == b"my work \xff\x00"
    assert [path.name for path in copied] == ["a.svg"]


def test_an_empty_notebook_and_a_dangling_link_are_kept_too(tmp_path: Path):
    (tmp_path / "mine" / "1-a" / "pictures").mkdir(parents=True)
    (tmp_path / "mine" / "1-a" / "a.ipynb").touch()
    (tmp_path / "mine" / "1-a" / "pictures" / "a.svg").symlink_to(tmp_path / "nowhere")
    assert copy_missing(release(tmp_path), tmp_path / "mine") == []
    assert not (tmp_path / "nowhere").exists()


def test_jupyterlab_opens_the_first_lesson(tmp_path: Path):
    first = lessons()[0]
    start = command(tmp_path, browser=True)
    assert f"--LabApp.default_url=/lab/tree/{first.id}/{first.notebook}" in start
    assert "--no-browser" not in start


def test_without_a_browser_only_the_address_is_printed(tmp_path: Path):
    assert "--no-browser" in command(tmp_path, browser=False)


def test_once_lesson_0_is_done_jupyterlab_opens_the_map(tmp_path: Path):
    first = lessons()[0]
    write(tmp_path, {first.id: Results(set(first.checks))})
    assert f"--LabApp.default_url=/lab/tree/{MAP.name}" in command(tmp_path, browser=True)


@pytest.mark.parametrize("tool", ["create-assignment", "formgrader", "course-list"])
def test_what_only_instructors_need_is_hidden(tool: str):
    page = get_page_config([], str(SETTINGS))
    assert f"@jupyter/nbgrader:{tool}" in page["disabledExtensions"]
    assert "@jupyter/nbgrader" not in page["disabledExtensions"]


def test_validate_stays():
    page = get_page_config([], str(SETTINGS))
    assert "@jupyter/nbgrader:validate-assignment" not in page["disabledExtensions"]


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
