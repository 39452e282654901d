"""Mutants of the product: one small change each, and the test that notices it.

    python -m tests.mutants --measure --coverage ../new.coverage
    python -m tests.mutants --coverage ../new.coverage --into ../new.jsonl -m "not deep"
    python -m tests.mutants --coverage ../old.coverage --into ../old.jsonl \
        --only ../new.jsonl --tree ../old-checkout

A copy of the tree is mounted over the project's own folder, for the tests and their children alone:
the editable install, the jail and every child process import the mutant. mutmut (switches inside of
one process, by a variable that the jail clears) and cosmic-ray (one command for all mutants) fit
neither the jail nor a choice of tests.

A mutant is killed by a test that passes without it. It is alive if all tests that run through its
line and all in the folder of the same name pass, not covered if besides no test runs through it,
undecided if some of these did not fit into the time (try again with more `--minutes`), and gone if
the tree has no such line. Coverage must be measured with the same `--tree`.
"""

import argparse
import ast
import importlib
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.lessons.mutations import CHANGES, _statements

ROOT = Path(__file__).resolve().parent.parent
STATES = ("killed", "alive", "not covered", "undecided", "gone")
SKIPPED_FILES = {"__main__.py", "damages.py"}
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "type_params"}
# Inside of an f-string, Python 3.11 does not know where a node is.
SKIPPED_NODES = ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom
# Nothing changes when these are left out, or only how soon.
SKIPPED_KEYWORDS = {"strict", "encoding", "check", "stacklevel", "maxsize", "daemon"}
QUESTIONS = {"isinstance", "issubclass", "startswith", "endswith", "suppress"}
FIRST = 40  # tests
QUICK = 5.0  # seconds
START = 10.0  # seconds that pytest takes to begin, on a busy machine
ALSO = {"autograder/jail": ["tests/autograder/judge"]}  # folders that test another room too


@dataclass(frozen=True)
class Mutant:
    """One change; `text` is the line as it was, `nth` counts equal changes of equal lines."""

    file: str
    line: int
    text: str
    change: str
    nth: int

    @property
    def id(self) -> str:
        return f"{self.file}:{self.line} {self.change}" + (f" ({self.nth})" if self.nth else "")

    @property
    def room(self) -> str:
        return str(Path(self.file).parent)


@dataclass(frozen=True)
class Edit:
    """A piece of a file, from byte to byte, its lines in a function, and what replaces it."""

    start: int
    end: int
    lines: range | None
    new: str


def edits(tree: Path, file: str) -> dict[Mutant, Edit]:
    """Every change of a file, also those that do not compile."""
    source = (tree / file).read_bytes()
    starts = [0]
    for row in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    found: dict[Mutant, Edit] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for node, statement in _nodes(ast.parse(source), None, None):
        for change in CHANGES:
            if change is _statements and not (statement and _has_effect(node)):
                continue
            for changed in change(node):
                old, new = _piece(node, changed)
                start = starts[old.lineno - 1] + old.col_offset
                end = starts[old.end_lineno - 1] + old.end_col_offset
                label = _label(ast.unparse(old), ast.unparse(ast.fix_missing_locations(new)))
                if (_keywords(old) - _keywords(new)) & SKIPPED_KEYWORDS:
                    continue
                line = source[starts[old.lineno - 1] : starts[old.lineno]].decode().strip()
                text = ast.unparse(new)
                if isinstance(new, ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.Compare):
                    text = f"({text})"
                mutant = Mutant(file, old.lineno, line, label, counts[line, label])
                counts[line, label] += 1
                lines = range(statement.lineno, old.end_lineno + 1) if statement else None
                found[mutant] = Edit(start, end, lines, text)
    return found


def _nodes(
    node: ast.AST, parent: ast.AST | None, statement: ast.stmt | None
) -> Iterator[tuple[Any, ast.stmt | None]]:
    """The nodes that may be changed, each with the statement of a function that it is part of."""
    wiring = isinstance(node, ast.If) and ast.unparse(node.test).startswith(("__name__", "TYPE_"))
    names = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("__")
    if isinstance(node, SKIPPED_NODES) or wiring or names:
        return
    if statement and isinstance(node, ast.stmt):
        statement = node
    is_set = isinstance(node, ast.Tuple) and (
        isinstance(parent, ast.Subscript | ast.Compare | ast.ExceptHandler) or _is_question(parent)
    )
    if not is_set and not _is_question(node):
        yield node, statement
    for name, value in ast.iter_fields(node):
        if name not in SKIPPED_FIELDS:
            is_body = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and name == "body"
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _nodes(child, node, child if is_body else statement)


def _is_question(node: ast.AST | None) -> bool:
    """A call in which the order of the classes or the beginnings is nothing to change."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in QUESTIONS


def _keywords(node: ast.AST) -> set[str | None]:
    return {keyword.arg for keyword in node.keywords} if isinstance(node, ast.Call) else set()


def _has_effect(node: ast.AST) -> bool:
    """Leaving out what gives a name its value is noticed by every test, and tells nothing."""
    names = isinstance(node, ast.Assign) and all(isinstance(n, ast.Name) for n in node.targets)
    return not (names or isinstance(node, ast.AnnAssign | ast.Global | ast.Nonlocal))


def _piece(node: Any, changed: Any) -> tuple[Any, Any]:
    """The smallest part that is exchanged: of a condition with branches, only the condition."""
    if isinstance(node, ast.comprehension):
        return node.ifs[0], ast.Constant(True)
    is_condition = isinstance(node, ast.If | ast.While | ast.IfExp) and type(changed) is type(node)
    return (node.test, changed.test) if is_condition else (node, changed)


def _label(old: str, new: str) -> str:
    """Both texts without the words that they have in common at either end."""
    before, after = old.split("\n")[0].split(" "), new.split("\n")[0].split(" ")
    while len(before) > 1 and len(after) > 1 and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while len(before) > 1 and len(after) > 1 and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return f"{_short(' '.join(before))} → {_short(' '.join(after))}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def mutated(source: bytes, edit: Edit) -> bytes | None:
    """The text of the mutant; `None` if it does not compile or is the same program."""
    text = source[: edit.start] + edit.new.encode() + source[edit.end :]
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return None
    return text if ast.dump(ast.parse(text)) != ast.dump(ast.parse(source)) else None


def sample(tree: Path, size: int, seed: int) -> list[Mutant]:
    """Mutants of all rooms, in proportion to the changes that each room has room for."""
    rooms: dict[str, dict[Mutant, Edit]] = defaultdict(dict)
    for part in ("course", "autograder"):
        for path in sorted((tree / part).rglob("*.py")):
            file = path.relative_to(tree)
            if path.name not in SKIPPED_FILES:
                rooms[str(file.parent)] |= edits(tree, str(file))
    rooms = {room: found for room, found in rooms.items() if found}
    total = sum(map(len, rooms.values()))
    chosen: list[Mutant] = []
    for room, found in rooms.items():
        share = max(1, round(size * len(found) / total))
        order = random.Random(f"{seed} {room}").sample(list(found), len(found))
        lines: set[tuple[str, int]] = set()
        for mutant in order:
            source = (tree / mutant.file).read_bytes()
            if (mutant.file, mutant.line) not in lines and mutated(source, found[mutant]):
                lines.add((mutant.file, mutant.line))
                chosen.append(mutant)
            if len(lines) == share:
                break
    # Ended early, the rooms are all there.
    return random.Random(seed).sample(chosen, len(chosen))


def find_again(tree: Path, mutant: Mutant) -> Mutant | None:
    """The same change of the same line, in a tree in which lines may have moved."""
    if not (tree / mutant.file).exists():
        return None
    same = [
        m for m in edits(tree, mutant.file) if (m.text, m.change) == (mutant.text, mutant.change)
    ]
    return min(same, key=lambda m: abs(m.nth - mutant.nth), default=None)


class Copy:
    """A copy of a tree, and pytest in it, where it stands in the place of the project."""

    def __init__(self, tree: Path, work: Path, expression: str) -> None:
        self.work, self.folder, self._expression, self._stamp = work, work / "copy", expression, 0
        self._server: Any = None
        ignored = shutil.ignore_patterns(".venv", ".hypothesis", "site", "my-course", "*.coverage*")
        shutil.copytree(tree, self.folder, symlinks=True, ignore=ignored)
        (self.folder / ".venv").mkdir()
        shutil.copy(__file__, work)

    def run(self, *options: str, tests: list[str] | None = None, limit: float | None = None) -> Any:
        """Runs tests and returns what the plugin below wrote; no `status` where time was over."""
        told, log = self.work / "told.json", self.work / "log"
        told.unlink(missing_ok=True)
        (self.work / "asked.json").write_text(json.dumps(tests))
        files = sorted({test.partition("::")[0] for test in tests or ()})
        words = ["-q", "-p", "mutants", "-p", "no:randomly", "--hypothesis-seed=0", *options]
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
        """From now on tests run in forks of a process that has imported the libraries."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self._server = self._inside(str(self.work / "mutants.py"), "serve", *modules, **pipes)
        try:
            yield
        finally:
            self._server.stdin.close()
            self._server.wait()
            self._server = None

    def _inside(self, *words: str, **pipes: Any) -> Any:
        """Python, to which the copy is the project."""
        command = ["bwrap", "--dev-bind", "/", "/", "--bind", str(self.folder), str(ROOT)]
        if (ROOT / ".venv").exists():
            command += ["--bind", str(ROOT / ".venv"), str(ROOT / ".venv")]
        command += ["--cap-add", "ALL"] if os.geteuid() == 0 else []
        command += ["--die-with-parent", "--chdir", str(ROOT), sys.executable, *words]
        own = {"PYTHONPATH": str(self.work), "MUTANTS": str(self.work)}
        return subprocess.Popen(command, env={**os.environ, **own}, **pipes)

    @contextmanager
    def changed(self, mutant: Mutant, text: bytes) -> Iterator[None]:
        """The mutant, with a time of its own: nobody takes another one's compiled file for it."""
        file = self.folder / mutant.file
        source, stat = file.read_bytes(), file.stat()
        self._stamp += 1
        try:
            file.write_bytes(text)
            os.utime(file, (10**9 + self._stamp,) * 2)
            yield
        finally:
            file.write_bytes(source)
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


class Suite:
    """The tests that there are, what each took, and the lines that it ran through."""

    def __init__(self, coverage: Path, ids: Iterable[str]) -> None:
        from coverage import CoverageData

        self._lines = CoverageData(str(coverage))
        self._lines.read()
        self.ids = set(ids)
        times = json.loads(Path(f"{coverage}.times").read_text())
        self.times = {self._plain(test): took for test, took in times.items()}

    def _plain(self, test: str) -> str:
        """Its name without the group that it runs in."""
        return test if test in self.ids else test.rpartition("@")[0]

    def covering(self, mutant: Mutant, edit: Edit) -> set[str]:
        """Tests that ran these lines; what runs at import is anybody's who uses the file."""
        contexts = self._lines.contexts_by_lineno(mutant.file)
        lines = contexts if edit.lines is None else edit.lines
        seen = {name for line in lines for name in contexts.get(line, ())}
        return {self._plain(name.rpartition("|")[0]) for name in seen if name} & self.ids

    def mirrored(self, mutant: Mutant) -> set[str]:
        """Tests in the folder of the same name, or in the one around it, and its own doctests."""
        own, room = Path(mutant.file), Path("tests") / Path(mutant.file).parent
        while not any(test.startswith(f"{room}/") for test in self.ids) and room.name:
            room = room.parent
        rooms = [str(room)]
        for start, others in ALSO.items():
            rooms += others if mutant.room.startswith(start) else []
        return {
            test
            for test in self.ids
            if str(Path(test.partition("::")[0]).parent) in rooms or test.startswith(f"{own}::")
        }

    def ordered(self, tests: Iterable[str], mutant: Mutant) -> list[str]:
        """One row of each table first; of these those of the same name, near ones, quick ones."""
        near, rows, found = self.mirrored(mutant), Counter[str](), []
        stem = Path(mutant.file).stem
        for test in sorted(tests, key=self.time):
            name = test.partition("[")[0]
            is_far = (stem not in name.partition("::")[0], test not in near)
            found.append((rows[name], *is_far, self.time(test), test))
            rows[name] += 1
        return [test for *_, test in sorted(found)]

    def time(self, test: str) -> float:
        return float(self.times.get(test, 1.0))


class Trial:
    """Mutants, tried one after another; what is known is kept in a file."""

    def __init__(self, copy: Copy, suite: Suite, into: Path, minutes: float) -> None:
        self._copy, self._suite, self._into, self._longest = copy, suite, into, 60 * minutes
        self._passing = {row["test"]: row["passes"] for row in _rows(into) if "test" in row}

    def note(self, row: dict[str, Any]) -> None:
        with self._into.open("a") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def of(self, mutant: Mutant, edit: Edit, text: bytes) -> dict[str, Any]:
        covering = self._suite.covering(mutant, edit)
        first = [
            test for test in self._suite.ordered(covering, mutant) if self._suite.time(test) < QUICK
        ][:FIRST]
        rest = self._suite.ordered(covering - {*first}, mutant)
        rest += self._suite.ordered(self._suite.mirrored(mutant) - {*first, *rest}, mutant)
        chosen, seconds = [], START
        for test in rest:
            if seconds + self._suite.time(test) <= self._longest / 3:
                chosen.append(test)
                seconds += self._suite.time(test)
        for tests in (first, chosen):
            found = self._noticed(mutant, text, tests)
            if found["state"] != "alive":
                return found
        if len(chosen) < len(rest):
            return {"state": "undecided", "saw": f"{len(rest) - len(chosen)} tests left out"}
        return {"state": "alive" if covering else "not covered"}

    def _noticed(self, mutant: Mutant, text: bytes, tests: list[str]) -> dict[str, Any]:
        """Killed by a test that passes without the mutant, or alive, or neither."""
        while tests := [test for test in tests if self._passing.get(test, True)]:
            usual = START + sum(map(self._suite.time, tests))
            limit = min(self._longest, 3 * usual)
            with self._copy.changed(mutant, text):
                seen = self._copy.run("-x", tests=tests, limit=limit)
            if seen["status"] in (0, 5):
                break
            if seen["status"] is None:
                is_usual = self._copy.run("-x", tests=tests, limit=limit / 3)["status"] == 0
                return {"state": "killed" if is_usual else "undecided", "saw": "no end"}
            by = seen["by"]
            if by not in tests or self._passes(by):  # else the file could not be imported
                return {"state": "killed", "by": by, "saw": seen["saw"]}
        return {"state": "alive"}

    def _passes(self, test: str) -> bool:
        """It passes without the mutant, alone."""
        if test not in self._passing:
            self._passing[test] = self._copy.run(tests=[test], limit=self._longest)["status"] == 0
            self.note({"test": test, "passes": self._passing[test]})
        return self._passing[test]


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(rows: list[dict[str, Any]]) -> str:
    """Room by room, how many were made and what became of them, and those that live."""
    rooms = defaultdict[str, Counter[str]](Counter)
    for row in rows:
        for room in (str(Path(row["file"]).parent), "together"):
            rooms[room][row["state"]] += 1
    rooms["together"] = rooms.pop("together", Counter())
    lines = [f"{'room':32}{'made':>6}" + "".join(f"{state:>13}" for state in STATES)]
    for room, counts in rooms.items():
        numbers = "".join(f"{counts[state]:13}" for state in STATES)
        lines.append(f"{room:32}{counts.total():6}{numbers}")
    others = [f"{row['state']}: {row['id']}" for row in rows if row["state"] != "killed"]
    return "\n".join([*lines, "", *sorted(others)])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--coverage", type=Path, required=True, help="what --measure has written")
    parser.add_argument("--measure", action="store_true", help="run the tests once, for --coverage")
    parser.add_argument("--processes", default="2", help="of --measure")
    parser.add_argument("--into", type=Path, help="results, one a line; goes on where it was ended")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=3, help="for a run of tests, at the most")
    parser.add_argument("--tree", type=Path, default=ROOT, help="another checkout, with its tests")
    parser.add_argument("--only", type=Path, help="the mutants of these results")
    lived = ("alive", "not covered", "undecided")
    parser.add_argument("--state", nargs="+", choices=STATES, default=lived, help="for --only")
    parser.add_argument("-m", dest="expression", default="", help="which tests, as for pytest")
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2:])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as work:
        copy = Copy(given.tree.resolve(), Path(work), given.expression)
        if given.measure:
            measure(copy, given.coverage, given.processes)
        else:
            run(copy, given)


def measure(copy: Copy, coverage: Path, processes: str) -> None:
    """One run of all tests: the lines that each runs through, and what it takes."""
    settings, data = copy.work / "coveragerc", copy.work / "coverage"
    settings.write_text(f"[run]\nrelative_files = true\ndata_file = {data}\n")
    cover = ["--cov=course", "--cov=autograder", "--cov-context=test", "--cov-report="]
    spread = ["-n", processes, "--dist", "loadgroup"]
    seen = copy.run(*spread, *cover, f"--cov-config={settings}")
    print((copy.work / "log").read_text()[-2000:])
    shutil.copy(data, coverage)
    Path(f"{coverage}.times").write_text(json.dumps(seen["times"]))


def run(copy: Copy, given: argparse.Namespace) -> None:
    if given.only:
        wanted = [
            Mutant(**{key: row[key] for key in Mutant.__dataclass_fields__})
            for row in _rows(given.only)
            if row.get("state") in given.state
        ]
    else:
        wanted = sample(copy.folder, given.sample, given.seed)
    seen = copy.run("--collect-only")
    if seen["status"] != 0:
        sys.exit((copy.work / "log").read_text()[-2000:])
    suite = Suite(given.coverage, seen["ids"])
    trial = Trial(copy, suite, given.into, given.minutes)
    with copy.warm(seen["modules"]):
        try_all(wanted, copy, trial, given.into)


def try_all(wanted: list[Mutant], copy: Copy, trial: Trial, into: Path) -> None:
    """Those that were not yet tried; tells what became of each, and of all."""
    done = {row["id"] for row in _rows(into) if "id" in row}
    for number, mutant in enumerate(wanted, 1):
        if mutant.id in done:
            continue
        begun, here = time.monotonic(), find_again(copy.folder, mutant)
        edit = edits(copy.folder, mutant.file)[here] if here else None
        source = (copy.folder / mutant.file).read_bytes() if here else b""
        text = mutated(source, edit) if edit else None
        found = trial.of(here, edit, text) if here and edit and text else {"state": "gone"}
        seconds = round(time.monotonic() - begun, 1)
        row = {"id": mutant.id, **asdict(mutant), "by": "", "saw": "", **found, "seconds": seconds}
        trial.note(row)
        print(f"{number}/{len(wanted)} {row['state']} {mutant.id} {row['by']}", flush=True)
    print(table([row for row in _rows(into) if "id" in row]))


# The rest runs in the process of the tests: forks, and a plugin of pytest.


def serve(modules: list[str]) -> None:
    """Forks for each line of pytest's arguments; tells the fork's number, then its status."""
    sys.path[0] = ""
    for name in modules:
        with suppress(Exception):
            importlib.import_module(name)
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            os.setsid()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            log = os.open(
                Path(os.environ["MUTANTS"]) / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            )
            os.dup2(log, 1)
            os.dup2(log, 2)
            sys.exit(pytest.main(json.loads(line)))
        print(process, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
    sys.exit()


_told: dict[str, Any] = {"times": {}, "ids": []}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Only the tests that are asked for, in the order in which they are."""
    asked = json.loads((Path(os.environ["MUTANTS"]) / "asked.json").read_text())
    if asked is not None:
        places = {test: place for place, test in enumerate(asked)}
        items[:] = sorted(
            (item for item in items if item.nodeid in places), key=lambda i: places[i.nodeid]
        )
    _told["ids"] = [item.nodeid for item in items]


def _is_library(module: Any) -> bool:
    return "site-packages" in (getattr(module, "__file__", None) or "")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    times = _told["times"]
    times[report.nodeid] = times.get(report.nodeid, 0) + report.duration
    _tell_failure(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _tell_failure(report)


def _tell_failure(report: Any) -> None:
    if report.failed and "by" not in _told:
        last = [line for line in report.longreprtext.splitlines() if line.startswith("E  ")]
        _told.update(by=report.nodeid, saw=(last or [report.longreprtext])[0][:300])


def pytest_sessionfinish() -> None:
    libraries = (name for name, module in sys.modules.items() if _is_library(module))
    _told["modules"] = list(libraries)
    if not os.environ.get("PYTEST_XDIST_WORKER"):
        (Path(os.environ["MUTANTS"]) / "told.json").write_text(json.dumps(_told))


if __name__ == "__main__":
    main()
