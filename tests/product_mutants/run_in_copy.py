"""Runs of tests in a copy of a tree, into which mutants are put.

The tests, and all processes that they start, see the copy mounted over the project's own folder. So
the editable install and the jail import the mutant, too.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.product_mutants.make_mutants import Mutant

ROOT = Path(__file__).resolve().parents[2]
INSIDE = Path(__file__).with_name("pytest_fork_server.py")
PLUGIN = "product_mutants"  # the name of the copy of `pytest_fork_server.py` that the tests import


class Copy:
    """A copy of a tree, in which pytest runs as if the copy was the project."""

    def __init__(self, tree: Path, work: Path, expression: str) -> None:
        self.work, self.folder, self._expression, self._stamp = work, work / "copy", expression, 0
        self._server: Any = None
        ignored = shutil.ignore_patterns(".venv", ".hypothesis", "site", "my-course", "*.coverage*")
        shutil.copytree(tree, self.folder, symlinks=True, ignore=ignored)
        (self.folder / ".venv").mkdir()
        shutil.copy(INSIDE, work / f"{PLUGIN}.py")

    def run(self, *options: str, tests: list[str] | None = None, limit: float | None = None) -> Any:
        """Run tests, by default all; return what `pytest_fork_server.py` has noted about them.

        `status` is pytest's exit status, or `None` after `limit` seconds. If a test failed, `by` is
        the first such test, and `saw` is its error.
        """
        told, log = self.work / "told.json", self.work / "log"
        told.unlink(missing_ok=True)
        (self.work / "asked.json").write_text(json.dumps(tests))
        files = sorted({test.partition("::")[0] for test in tests or ()})
        words = ["-q", "-p", PLUGIN, "-p", "no:randomly", "--hypothesis-seed=0", *options]
        words += ["-m", self._expression, *files]
        if self._server is None:
            with log.open("wb") as out:
                status = self._inside("-m", "pytest", *words, stdout=out, stderr=out).wait()
        else:
            self._server.stdin.write(json.dumps(words) + "\n")
            process = int(self._server.stdout.readline())
            is_done, *_ = select.select([self._server.stdout], [], [], limit)
            if not is_done:
                os.killpg(process, signal.SIGKILL)
            status = int(self._server.stdout.readline()) if is_done else None
            if not is_done:
                self._server.stdout.readline()
        last = log.read_text(errors="replace").strip().rpartition("\n")[2]
        seen = json.loads(told.read_text()) if told.exists() else {}
        return {"by": "", "saw": last, **seen, "status": status}

    @contextmanager
    def warm(self, modules: list[str]) -> Iterator[None]:
        """Run the tests of the `with` block in forks of a process that has imported `modules`."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self._server = self._inside(str(self.work / f"{PLUGIN}.py"), *modules, **pipes)
        try:
            yield
        finally:
            self._server.stdin.close()
            self._server.wait()
            self._server = None

    def _inside(self, *words: str, **pipes: Any) -> Any:
        """Start Python so that it sees the copy in place of the project; return the process."""
        command = ["bwrap", "--dev-bind", "/", "/", "--bind", str(self.folder), str(ROOT)]
        if (ROOT / ".venv").exists():
            command += ["--bind", str(ROOT / ".venv"), str(ROOT / ".venv")]
        command += ["--cap-add", "ALL"] if os.geteuid() == 0 else []
        command += ["--die-with-parent", "--chdir", str(ROOT), sys.executable, *words]
        own = {"PYTHONPATH": str(self.work), "MUTANTS": str(self.work)}
        return subprocess.Popen(command, env={**os.environ, **own}, **pipes)

    @contextmanager
    def changed(self, mutants: Iterable[Mutant]) -> Iterator[None]:
        """Put mutants into the copy for the time of the `with` block.

        Each changed file gets a modification time of its own, so that Python never uses the
        compiled file of another mutant.
        """
        by_file = defaultdict[str, list[Mutant]](list)
        for mutant in mutants:
            by_file[mutant.file].append(mutant)
        with ExitStack() as stack:
            for name, mutants_of_file in by_file.items():
                file = self.folder / name
                text, stat = file.read_bytes(), file.stat()
                stack.callback(os.utime, file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
                stack.callback(file.write_bytes, text)
                for mutant in sorted(mutants_of_file, key=lambda one: one.start, reverse=True):
                    text = mutant.put_into(text)
                self._stamp += 1
                file.write_bytes(text)
                os.utime(file, (10**9 + self._stamp,) * 2)
            yield


def measure(copy: Copy, coverage: Path, processes: str) -> None:
    """Run all tests once; write the lines that each runs through, and its seconds (`.times`)."""
    settings, data = copy.work / "coveragerc", copy.work / "coverage"
    settings.write_text(f"[run]\nrelative_files = true\ndata_file = {data}\n")
    cover = ["--cov=course", "--cov=autograder", "--cov-context=test", "--cov-report="]
    spread = ["-n", processes, "--dist", "loadgroup"]
    seen = copy.run(*spread, *cover, f"--cov-config={settings}")
    print((copy.work / "log").read_text()[-2000:])
    shutil.copy(data, coverage)
    Path(f"{coverage}.times").write_text(json.dumps(seen["times"]))
