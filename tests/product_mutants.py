"""Mutants of the product: one small change each, and the test that notices it.

    python -m tests.product_mutants --measure --coverage ../new.coverage
    python -m tests.product_mutants --coverage ../new.coverage --into ../new.jsonl -m "not deep"
    python -m tests.product_mutants --coverage ../old.coverage --into ../old.jsonl \
        --only ../new.jsonl --tree ../old-checkout

The tests, and all processes that they start, see a copy of the tree that is mounted over the
project's own folder. So the editable install and the jail import the mutant, too. Two other tools
do not fit: mutmut chooses a mutant by an environment variable, which the jail clears; cosmic-ray
runs the same tests for all mutants.

Each mutant is first tried alone, with quick tests that run through its line. If none of them fails,
the mutant is left. Mutants that are left are tried together, many in one tree, with all tests that
run through their lines and all tests in the folders of the same names. If a test fails then, it is
run again, alone, with each mutant that it could have noticed.

    killed         a test fails with the mutant, and passes without it
    alive          no test fails with the mutant
    not covered    no test fails with the mutant, and none runs through its line
    left           no quick test fails; the mutant was not yet tried together with others
    gone           the tree has no such line

Coverage must be measured with the same `--tree`.
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
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.lessons.mutations import CHANGES, _statements

ROOT = Path(__file__).resolve().parent.parent
STATES = ("killed", "alive", "not covered", "left", "gone")
TOGETHER = 30  # mutants that are tried together, at most
SKIPPED_FILES = {"__main__.py", "damages.py"}
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "type_params"}
# Inside of an f-string, Python 3.11 does not know where a node is.
SKIPPED_NODES = ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom
# If one of these arguments is left out, the program does the same, or only fails later.
SKIPPED_KEYWORDS = {"strict", "encoding", "check", "stacklevel", "maxsize", "daemon"}
QUESTIONS = {"isinstance", "issubclass", "startswith", "endswith", "suppress"}
FIRST = 40  # quick tests with which a mutant is tried alone, at most
QUICK = 5.0  # seconds that a quick test takes, at most
START = 10.0  # seconds that pytest takes to begin, on a busy machine
ALSO = {"autograder/jail": ["tests/autograder/judge"]}  # room: more folders with tests of it


@dataclass(frozen=True)
class Mutant:
    """A change in a file. `text` is the line before the change, `change` describes the change.

    `nth` counts equal changes of equal lines.
    """

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
    """The place of a change: the bytes of a file from `start` to `end` are replaced by `new`.

    `lines` are the lines from the beginning of the statement to the end of the change; `None` if
    the statement is in no function.
    """

    start: int
    end: int
    lines: range | None
    new: str


def edits(tree: Path, file: str) -> dict[Mutant, Edit]:
    """Return all mutants of a file, even those that do not compile, each with its edit."""
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
    """Yield the nodes that may be changed, each with the statement that it is part of.

    For a node in no function, `None` takes the place of the statement.
    """
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
    """Return true for a call in which the order does not matter, as in `isinstance(a, (B, C))`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in QUESTIONS


def _keywords(node: ast.AST) -> set[str | None]:
    return {keyword.arg for keyword in node.keywords} if isinstance(node, ast.Call) else set()


def _has_effect(node: ast.AST) -> bool:
    """Return false if a statement only gives a name its value.

    If such a statement is left out, every test fails, which tells nothing about the tests.
    """
    names = isinstance(node, ast.Assign) and all(isinstance(n, ast.Name) for n in node.targets)
    return not (names or isinstance(node, ast.AnnAssign | ast.Global | ast.Nonlocal))


def _piece(node: Any, changed: Any) -> tuple[Any, Any]:
    """Return the smallest part of a node that a change replaces, and its new form.

    Of a statement or expression with branches, this part is only the condition.
    """
    if isinstance(node, ast.comprehension):
        return node.ifs[0], ast.Constant(True)
    is_condition = isinstance(node, ast.If | ast.While | ast.IfExp) and type(changed) is type(node)
    return (node.test, changed.test) if is_condition else (node, changed)


def _label(old: str, new: str) -> str:
    """Return "old → new", without the words that both texts have at their beginning or end."""
    before, after = old.split("\n")[0].split(" "), new.split("\n")[0].split(" ")
    while len(before) > 1 and len(after) > 1 and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while len(before) > 1 and len(after) > 1 and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return f"{_short(' '.join(before))} → {_short(' '.join(after))}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def mutated(source: bytes, edit: Edit) -> bytes | None:
    """Return the text of the mutant; `None` if it does not compile or is the same program."""
    text = source[: edit.start] + edit.new.encode() + source[edit.end :]
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return None
    return text if ast.dump(ast.parse(text)) != ast.dump(ast.parse(source)) else None


def sample(tree: Path, size: int, seed: int) -> list[Mutant]:
    """Return about `size` mutants, drawn at random; a folder with more changes gets more."""
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
    # In mixed order: if the run is ended early, no folder is missing.
    return random.Random(seed).sample(chosen, len(chosen))


def find_again(tree: Path, mutant: Mutant) -> Mutant | None:
    """Return the same mutant in a tree in which lines may have moved; `None` if it is gone."""
    if not (tree / mutant.file).exists():
        return None
    same = [
        m for m in edits(tree, mutant.file) if (m.text, m.change) == (mutant.text, mutant.change)
    ]
    return min(same, key=lambda m: abs(m.nth - mutant.nth), default=None)


class Copy:
    """A copy of a tree, in which pytest runs as if the copy was the project."""

    def __init__(self, tree: Path, work: Path, expression: str) -> None:
        self.work, self.folder, self._expression, self._stamp = work, work / "copy", expression, 0
        self._server: Any = None
        ignored = shutil.ignore_patterns(".venv", ".hypothesis", "site", "my-course", "*.coverage*")
        shutil.copytree(tree, self.folder, symlinks=True, ignore=ignored)
        (self.folder / ".venv").mkdir()
        shutil.copy(__file__, work)

    def run(self, *options: str, tests: list[str] | None = None, limit: float | None = None) -> Any:
        """Run tests, and return what the plugin in this file has noted about them.

        `status` is the status of pytest, or `None` if the time was over before.
        """
        told, log = self.work / "told.json", self.work / "log"
        told.unlink(missing_ok=True)
        (self.work / "asked.json").write_text(json.dumps(tests))
        files = sorted({test.partition("::")[0] for test in tests or ()})
        words = [
            "-q",
            "-p",
            "product_mutants",
            "-p",
            "no:randomly",
            "--hypothesis-seed=0",
            *options,
        ]
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
        """Run tests, in the `with` block, in forks of a process that has imported all libraries."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self._server = self._inside(
            str(self.work / "product_mutants.py"), "serve", *modules, **pipes
        )
        try:
            yield
        finally:
            self._server.stdin.close()
            self._server.wait()
            self._server = None

    def _inside(self, *words: str, **pipes: Any) -> Any:
        """Start Python, which sees the copy in place of the project; return the process."""
        command = ["bwrap", "--dev-bind", "/", "/", "--bind", str(self.folder), str(ROOT)]
        if (ROOT / ".venv").exists():
            command += ["--bind", str(ROOT / ".venv"), str(ROOT / ".venv")]
        command += ["--cap-add", "ALL"] if os.geteuid() == 0 else []
        command += ["--die-with-parent", "--chdir", str(ROOT), sys.executable, *words]
        own = {"PYTHONPATH": str(self.work), "MUTANTS": str(self.work)}
        return subprocess.Popen(command, env={**os.environ, **own}, **pipes)

    @contextmanager
    def changed(self, mutants: Mapping[Mutant, Edit]) -> Iterator[None]:
        """Put mutants into the copy for the time of the `with` block.

        Each changed file gets a time of its own, so that Python never takes the compiled file of
        another mutant for it.
        """
        by_file = defaultdict[str, list[Edit]](list)
        for mutant, edit in mutants.items():
            by_file[mutant.file].append(edit)
        with ExitStack() as stack:
            for name, edits_of_file in by_file.items():
                file = self.folder / name
                text, stat = file.read_bytes(), file.stat()
                stack.callback(os.utime, file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
                stack.callback(file.write_bytes, text)
                for edit in sorted(edits_of_file, key=lambda one: one.start, reverse=True):
                    text = text[: edit.start] + edit.new.encode() + text[edit.end :]
                self._stamp += 1
                file.write_bytes(text)
                os.utime(file, (10**9 + self._stamp,) * 2)
            yield


class Suite:
    """All tests, with the seconds that each took, and the lines that it ran through."""

    def __init__(self, coverage: Path, ids: Iterable[str]) -> None:
        from coverage import CoverageData

        self._lines = CoverageData(str(coverage))
        self._lines.read()
        self._contexts: dict[str, dict[int, list[str]]] = {}
        self.ids = set(ids)
        times = json.loads(Path(f"{coverage}.times").read_text())
        self.times = {self._plain(test): took for test, took in times.items()}

    def _plain(self, test: str) -> str:
        """Return the name of a test without the `xdist_group` in which it ran."""
        return test if test in self.ids else test.rpartition("@")[0]

    def covering(self, mutant: Mutant, edit: Edit) -> set[str]:
        """Return the tests that run through the lines of a mutant.

        For a line in no function, these are all tests that run through any line of the file.
        """
        if mutant.file not in self._contexts:
            self._contexts[mutant.file] = self._lines.contexts_by_lineno(mutant.file)
        contexts = self._contexts[mutant.file]
        lines = contexts if edit.lines is None else edit.lines
        seen = {name for line in lines for name in contexts.get(line, ())}
        return {self._plain(name.rpartition("|")[0]) for name in seen if name} & self.ids

    def mirrored(self, mutant: Mutant) -> set[str]:
        """Return the doctests of a mutant's file, and the tests in the folder of the same name.

        If there is no such folder, the tests are those in the nearest folder around it.
        """
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
        """Return the tests in the order in which they are to be tried.

        First comes one case of each test function, then a second one of each, and so on. Of these,
        tests come first in whose file's name is that of the mutant's file, then the tests of the
        same folder, then quick tests.
        """
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
    """A trial of mutants, each alone and then many together; results are kept in a file."""

    def __init__(self, copy: Copy, suite: Suite, into: Path, patience: float) -> None:
        self._copy, self._suite, self._into, self._patience = copy, suite, into, patience
        self._passing = {row["test"]: row["passes"] for row in _rows(into) if "test" in row}

    def note(self, row: dict[str, Any]) -> None:
        with self._into.open("a") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def alone(self, mutant: Mutant, edit: Edit) -> dict[str, Any]:
        """Try a mutant alone; return that a quick test has killed it, or that it is left."""
        ordered = self._suite.ordered(self._suite.covering(mutant, edit), mutant)
        tests = [test for test in ordered if self._suite.time(test) < QUICK][:FIRST]
        while tests := [test for test in tests if self._passing.get(test, True)]:
            seen = self._run({mutant: edit}, tests, "-x")
            if seen["status"] in (0, 5):
                break
            by = seen["by"]
            if seen["status"] is None or by not in tests or self._passes(by):
                return {"state": "killed", "by": by, "saw": seen["saw"]}
        return {"state": "left"}

    def together(self, left: dict[Mutant, Edit]) -> Iterator[tuple[Mutant, dict[str, Any]]]:
        """Try mutants together, and yield what becomes of each.

        As long as tests fail, the mutants that they notice are taken out, and these tests run again
        with all others.
        """
        tests = {t for m, e in left.items() for t in self._suite.covering(m, e)}
        tests |= {test for mutant in left for test in self._suite.mirrored(mutant)}
        while left:
            seen = self._run(left, sorted(tests))
            failed = set(seen.get("failed", ()))
            if seen["status"] is None or not failed <= tests:  # no end, or a broken file
                if len(left) == 1:
                    yield *left, {"state": "killed", "saw": "no end"}
                    return
                for half in range(2):
                    yield from self.together(dict([*left.items()][half::2]))
                return
            killed = dict(self._noticed(left, [test for test in failed if self._passes(test)]))
            yield from killed.items()
            left = {mutant: edit for mutant, edit in left.items() if mutant not in killed}
            tests = failed
            if not killed:
                break
        for mutant, edit in left.items():
            yield (
                mutant,
                {"state": "alive" if self._suite.covering(mutant, edit) else "not covered"},
            )

    def _noticed(
        self, left: dict[Mutant, Edit], failed: list[str]
    ) -> Iterator[tuple[Mutant, dict[str, Any]]]:
        """Yield mutants that these tests notice: each test runs with one mutant after the other.

        A test stops at the first mutant with which it fails.
        """
        killed: set[Mutant] = set()
        for test in sorted(failed, key=self._suite.time):
            suspects = [m for m, e in left.items() if test in self._suite.covering(m, e)]
            if killed.isdisjoint(suspects):
                for mutant in suspects or left:
                    seen = self._run({mutant: left[mutant]}, [test])
                    if seen["status"] not in (0, 5):
                        killed.add(mutant)
                        yield mutant, {"state": "killed", "by": test, "saw": seen["saw"]}
                        break

    def _run(self, mutants: dict[Mutant, Edit], tests: list[str], *options: str) -> Any:
        limit = self._patience * (START + sum(map(self._suite.time, tests)))
        with self._copy.changed(mutants):
            return self._copy.run(*options, tests=tests, limit=limit)

    def _passes(self, test: str) -> bool:
        """Return true if a test passes alone and without any mutant."""
        if test not in self._passing:
            self._passing[test] = self._copy.run(tests=[test])["status"] == 0
            self.note({"test": test, "passes": self._passing[test]})
        return self._passing[test]


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(rows: list[dict[str, Any]]) -> str:
    """Return a table: the number of mutants in each folder, and of those in each state.

    All mutants that were not killed follow.
    """
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
    parser = argparse.ArgumentParser(prog="python -m tests.product_mutants")
    parser.add_argument("--coverage", type=Path, required=True, help="what --measure has written")
    parser.add_argument("--measure", action="store_true", help="run the tests once, for --coverage")
    parser.add_argument("--processes", default="2", help="of --measure")
    parser.add_argument("--into", type=Path, help="results, one a line; goes on where it was ended")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=3, help="times what tests took, measured")
    parser.add_argument("--tree", type=Path, default=ROOT, help="another checkout, with its tests")
    parser.add_argument("--only", type=Path, help="the mutants of these results")
    lived = ("alive", "not covered", "left")
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
    """Run all tests once; write the lines that each test runs through, and its seconds."""
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
    trial = Trial(copy, suite, given.into, given.patience)
    with copy.warm(seen["modules"]):
        try_all(wanted, copy, trial, given.into)


def try_all(wanted: list[Mutant], copy: Copy, trial: Trial, into: Path) -> None:
    """Try the mutants that were not tried yet; print what became of each, and a table of all."""
    known = {row["id"]: row for row in _rows(into) if "id" in row}
    left: dict[Mutant, Edit] = {}

    def tell(mutant: Mutant, found: dict[str, Any]) -> None:
        known[mutant.id] = {"id": mutant.id, **asdict(mutant), "by": "", "saw": "", **found}
        trial.note(known[mutant.id])
        print(f"{found['state']} {mutant.id} {found.get('by', '')}", flush=True)

    for mutant in wanted:
        here = find_again(copy.folder, mutant)
        edit = edits(copy.folder, mutant.file)[here] if here else None
        if (
            here is None
            or edit is None
            or not mutated((copy.folder / here.file).read_bytes(), edit)
        ):
            tell(mutant, {"state": "gone"})
            continue
        if mutant.id not in known:
            tell(mutant, trial.alone(here, edit))
        if known[mutant.id]["state"] == "left":
            left[here] = edit
    while left:
        group: dict[Mutant, Edit] = {}
        for mutant, edit in left.items():
            if len(group) < TOGETHER and not any(
                one.file == mutant.file and other.start < edit.end and edit.start < other.end
                for one, other in group.items()
            ):
                group[mutant] = edit
        left = {mutant: edit for mutant, edit in left.items() if mutant not in group}
        for mutant, found in trial.together(group):
            tell(mutant, found)
    print(table(list(known.values())))


# The rest runs in the process of the tests: forks, and a plugin of pytest.


def serve(modules: list[str]) -> None:
    """Run pytest in a fork, once for each line of arguments from standard input.

    Print the number of the fork when it begins, and its status when it has ended.
    """
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


_told: dict[str, Any] = {"times": {}, "ids": [], "failed": []}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep only the tests that are asked for, in the order in which they are asked for."""
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
    if report.failed:
        _told["failed"].append(report.nodeid)
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
