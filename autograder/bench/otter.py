"""Otter-Grader on the same class: `otter run` for one submission after the other.

`python -m autograder.bench.otter OTTER LESSON`, in a course folder. Each test cell of the master
becomes a test case of Otter's, word for word.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from autograder.bench.started import SCRATCH
from autograder.ending import take_signals
from autograder.scratch import scratch_folder
from autograder.trouble import Trouble

SCORES = "otter.json"
_ROOT = Path(__file__).parents[2]  # the course, which the notebooks import
_HEAD = """from otter.test_files import test_case

OK_FORMAT = False
name = "lesson"
points = None
"""
_CASE = """
@test_case(name={name!r}, points={points!r})
def test_{number}(env):
    exec({source!r}, env)
"""


def main(otter: str, lesson: str) -> None:
    """Grade what was handed in, and write student → score."""
    [master] = Path("source", lesson).glob("*.ipynb")
    scores = {}
    with scratch_folder(SCRATCH) as place:
        test = Path(place, "tests", "lesson.py")
        test.parent.mkdir()
        test.write_text(otter_tests(json.loads(master.read_text("utf-8"))), "utf-8")
        archive, quiet = str(Path(place, "autograder.zip")), ["--no-config", "--no-environment"]
        _run(otter, "generate", "-t", str(test.parent), "-o", archive, *quiet)
        for handed_in in sorted(Path("submitted").glob(f"*/{lesson}/{master.name}")):
            _run(otter, "run", str(handed_in), "-a", archive, "-o", str(place), "--no-logo")
            tests = json.loads(Path(place, "results.json").read_text("utf-8"))["tests"]
            scores[handed_in.parts[1]] = sum(float(test.get("score", 0)) for test in tests)
    Path(SCORES).write_text(json.dumps(scores), "utf-8")


def otter_tests(master: dict[str, object]) -> str:
    """Return the test cells of a master as a test file for Otter-Grader."""
    cells = [(cell, cell["metadata"].get("nbgrader", {})) for cell in master["cells"]]  # type: ignore[attr-defined]
    tests = [(cell, marks) for cell, marks in cells if marks.get("grade") and marks.get("locked")]
    return _HEAD + "".join(
        _CASE.format(
            name=marks["grade_id"],
            points=marks["points"],
            number=number,
            source="".join(cell["source"]),
        )
        for number, (cell, marks) in enumerate(tests)
    )


def _run(otter: str, *arguments: str) -> None:
    """Run Otter-Grader with its own programs first on the PATH, so that it finds its own kernel.

    Raise `Trouble` with its last line if it fails.
    """
    path = os.pathsep.join([str(Path(otter).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(_ROOT)}
    command = [otter, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble((done.stderr.strip() or done.stdout.strip()).splitlines()[-1])


if __name__ == "__main__":
    take_signals()
    try:
        main(*sys.argv[1:])
    except Trouble as trouble:
        sys.exit(str(trouble))
