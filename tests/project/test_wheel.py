"""The wheel has all that the programs need, so that they work without this folder."""

import subprocess
import zipfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from autograder.course_adapter import ROOT


def test_the_wheel_holds_every_file_of_both_packages(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "course", "autograder"], cwd=ROOT, capture_output=True, check=True
    )
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = set(zipfile.ZipFile(wheel).namelist())
    assert set(listed.stdout.decode().split()) <= names
    assert any(name.endswith("/jupyter_server_config.d/course_2048.json") for name in names)
    assert not [name for name in names if name.startswith(("source", "release", "tests"))]
