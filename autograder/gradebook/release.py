"""Make `release/` from `source/`, with nbgrader's own `generate_assignment`."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.course import ROOT, lessons
from autograder.gradebook.visible import write_visible


# nbgrader calls `alembic` by name, so the environment's own programs come first on the PATH.
def generate(release: Path = ROOT / "release", root: Path = ROOT) -> None:
    """Generate every lesson of the manifest from `root/source` into the folder `release`.

    The instructor's gradebook is not touched. Raise `RuntimeError` with what nbgrader said if it
    refuses a lesson.
    """
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run(
            [
                *(sys.executable, "-m", "autograder.gradebook.generating"),
                *(entry.id for entry in lessons()),
                "--",
                f"--CourseDirectory.root={root}",
                f"--CourseDirectory.release_directory={release}",
                f"--CourseDirectory.db_url=sqlite:///{scratch}/gradebook.db",
            ],
            cwd=root,
            env={
                **os.environ,
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            },
            capture_output=True,
            text=True,
            check=False,
        )
    if run.returncode != 0:
        raise RuntimeError(run.stderr)


if __name__ == "__main__":
    generate()
    write_visible(ROOT / "release")
