"""Code in the jail: it can see and reach nothing on the machine that it does not need."""

from pathlib import Path

import pytest

import course
from autograder.course_adapter import ROOT
from autograder.jail import WarmJail
from tests.autograder.grading_helpers import printed

SIGHTS = {
    "notebooks": "any('ipynb' in n for p, _, ns in os.walk('/lesson') for n in ns)",
    "project": f"os.path.exists({str(Path(course.__file__).parents[1])!r})",
    "own home": f"os.path.exists({str(Path.home())!r})",
    "home": "os.path.exists('/home')",
    "etc": "os.listdir('/etc') != ['passwd']",
    "processes": "sum(name.isdigit() for name in os.listdir('/proc')) > 0",
    "environment": "'autograder' in os.environ.get('PATH', '') or len(os.environ) > 12",
}


def test_nothing_of_the_machine_can_be_seen(jail: WarmJail):
    session = jail.session()
    seen = {name: printed(session, f"import os; print({what})") for name, what in SIGHTS.items()}
    assert seen == dict.fromkeys(SIGHTS, "False\n")


def test_nothing_that_helps_can_be_imported(jail: WarmJail):
    session = jail.session()
    names = ("rules.line", "cases", "lessons", "widgets")
    modules = [*(f"course.{name}" for name in names), "autograder.judge", "nbgrader.course"]
    for module in modules:
        source = f"try:\n    import {module}\nexcept ImportError as error:\n    print('no')"
        assert printed(session, source) == "no\n", module


def test_no_file_of_an_exercise_is_there(jail: WarmJail):
    names = {file.name for file in (ROOT / "course" / "exercises").rglob("*.toml")}
    assert len(names) > 40
    source = f"""
import os
for place, folders, files in os.walk("/"):
    print(*{names!r}.intersection(files), end="")
    if place in ("/proc", "/usr", "/python"):
        folders.clear()
"""
    assert printed(jail, source) == ""


def test_there_is_one_user(jail: WarmJail):
    source = "import os, pwd; print(len(pwd.getpwall()), pwd.getpwuid(os.getuid()).pw_dir)"
    assert printed(jail, source) == "1 /tmp\n"


@pytest.mark.parametrize("name", ["course", "autograder"])
def test_installed_copies_of_the_course_are_masked(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from autograder.jail import bubblewrap

    package = tmp_path / "site-packages" / name
    package.mkdir(parents=True)
    assert name in {folder.name for folder in bubblewrap._PACKAGES}
    monkeypatch.setattr(bubblewrap, "_PACKAGES", (package,))
    flags = bubblewrap._masks(tmp_path, "/site0", tmp_path / "a course")
    mask = f"/site0/site-packages/{name}"
    assert flags == ["--tmpfs", mask, "--remount-ro", mask]


def test_only_the_private_folders_can_be_written_to(jail: WarmJail):
    source = """
import os
for place, folders, _ in os.walk("/"):
    if os.access(place, os.W_OK):
        print(place)
    if place in ("/usr", "/python") or place.startswith("/site"):
        folders.clear()
"""
    assert printed(jail, source).split() == ["/tmp", "/dev/shm"]


def test_there_is_no_way_to_the_network(jail: WarmJail):
    source = """
import socket
for address in [("127.0.0.1", 22), ("192.0.2.1", 80)]:
    try:
        socket.create_connection(address, timeout=5)
    except OSError as error:
        print(error)
"""
    no = "[Errno 97] Address family not supported by protocol\n"
    assert printed(jail, source) == 2 * no
