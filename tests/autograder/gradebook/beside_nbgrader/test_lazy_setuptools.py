"""`setuptools`, which grading does not need, is loaded only if nbgrader unpacks an archive."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PROGRAM = """
import sys
import autograder.grade_assignment
assert "setuptools" not in sys.modules
from nbgrader.utils import unzip
unzip("handed-in.zip", ".")
assert "setuptools" in sys.modules
"""


@pytest.mark.deep
def test_setuptools_is_loaded_when_an_archive_is_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "handed-in.zip", "w") as archive:
        archive.writestr("merge-a-line.ipynb", "{}")
    subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, check=True)
    assert (tmp_path / "merge-a-line.ipynb").read_text() == "{}"
