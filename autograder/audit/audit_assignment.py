"""The audit of an assignment: small changes to the answer key are graded by its own tests.

A mutant is the answer key with one small change. A mutant that keeps full marks survives. If it
answers some probe otherwise than the answer key does, the tests let a wrong program pass.
"""

import ast
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, ndiff
from functools import partial
from inspect import getsource
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any

from autograder.audit import mutations, probes
from autograder.audit.probes import Probe, ProbeReply
from autograder.grade_submission import grade, jail_of
from autograder.gradebook.assignment_plan import plan_assignment
from autograder.gradebook.cache import digest_of, shared_dependencies
from autograder.gradebook.course_folder import CourseFolder
from autograder.grading_data import Cell, CellKind, Outcome, Submission
from autograder.jail import Conditions, JailMissing, Lost, WarmJail
from autograder.jail.inside.names_in_code import names_of
from autograder.judge import Uses
from autograder.judge.clock import Clock
from autograder.judge.setup_lines import shared_lines
from autograder.judge.tests_inside import run_inside
from autograder.notebook.find_submitted_notebook import Handin, understand
from autograder.notebook.master import Master, MasterCell
from autograder.plan import wrong_tests
from autograder.system.trouble import Trouble
from autograder.workers import run

_AT_ONCE = 60  # probes in one question to the jail
_ASKED = 10.0  # seconds of the processor for them
_TIMES = 6  # that the answer key is asked the same
_EACH = 0.5  # seconds for one probe
_TEXT = 400  # characters of a reply
_RECORDED = 150  # calls of a function
_KEPT = 12  # asserts that catch one mutant
_SLOWER = 5  # times as long as all of the answer key takes, for a cell of a mutant
_OFTEN = 3  # changes, so that tests that fail together are told
_LONG = 1.0  # seconds of a test
_TIME = "import time as _time; print('seconds', _time.process_time())"


@dataclass(frozen=True)
class Mutant:
    """The answer key with one change: the notebook and cell, the line, and the cell's new text."""

    notebook: str
    cell: str
    line: int
    before: str
    after: str
    source: str


@dataclass(frozen=True)
class Subject:
    """A notebook that is audited; `asked` are probes, each with the answer key's reply.

    `seconds` is the time that the answer key takes in each test.
    """

    master: Master
    key: Handin
    asked: tuple[tuple[Probe, ProbeReply], ...] = ()
    seconds: Mapping[str, float] | None = None


@dataclass(frozen=True)
class Audit:
    """The outcome of an audit: the number of all mutants, and the results of those that were tried.

    A result in `tried` is what `examine` returns.
    """

    assignment: str
    subjects: tuple[Subject, ...]
    count: int
    tried: tuple[dict[str, Any], ...]

    @property
    def wrong(self) -> list[dict[str, Any]]:
        """The mutants that keep full marks and answer otherwise, in the order of the cells."""
        return self._in_order(lambda one: bool(one.get("found")))

    @property
    def alike(self) -> list[dict[str, Any]]:
        """The mutants that keep full marks and that no probe tells from the answer key."""
        return self._in_order(lambda one: one.get("found") == [])

    def _in_order(self, is_asked: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        cells = [
            (one.master.notebook, cell.id) for one in self.subjects for cell in one.master.cells
        ]
        chosen = [one for one in self.tried if is_asked(one)]
        return sorted(
            chosen, key=lambda one: (cells.index((one["notebook"], one["cell"])), one["line"])
        )

    @property
    def to_paste(self) -> list[str]:
        """A few asserts that catch all wrong programs together."""
        left = [{lines for *_, lines in one["found"]} for one in self.wrong]
        chosen = []
        while left:
            count = Counter(lines for one in left for lines in one)
            best = min(count, key=lambda lines: (-count[lines], len(lines), lines))
            chosen.append(best)
            left = [one for one in left if best not in one]
        return chosen

    @property
    def remarks(self) -> list[str]:
        """A sentence for each thing about the tests themselves that should be looked at."""
        found = []
        for subject in self.subjects:
            own = [one for one in self.tried if one["notebook"] == subject.master.notebook]
            tests = [cell for cell in subject.master.cells if cell.kind is CellKind.TEST]
            alike = defaultdict(list)
            for test in (test for test in tests if test.points):
                failed = tuple(n for n, one in enumerate(own) if test.id in one.get("failed", ()))
                alike[failed].append(test.id)
            for failed, names in alike.items():
                if not failed:
                    found += [
                        f"{name}: no change to the answer key made it fail." for name in names
                    ]
                elif len(names) > 1 and len(failed) >= _OFTEN:
                    listed = f"{', '.join(names[:-1])} and {names[-1]}"
                    found.append(
                        f"{listed} failed together each time, for {len(failed)} changes: their "
                        "points may hang on one idea."
                    )
            for test in tests:
                if (spent := (subject.seconds or {}).get(test.id, 0.0)) >= _LONG:
                    found.append(f"{test.id} takes {spent:.1f} s with the answer key.")
        troubles = dict.fromkeys(one["trouble"] for one in self.tried if "trouble" in one)
        return found + [f"A change could not be graded: {trouble}" for trouble in troubles]

    @property
    def summary(self) -> list[str]:
        """Sentences on the numbers of mutants."""
        kept = len(self.wrong) + len(self.alike)
        said = [
            f"{len(self.tried)} of {self.count} small changes to the answer key were tried; "
            f"{len(self.tried) - kept} lose points, {kept} keep full marks: {len(self.wrong)} "
            f"answer otherwise than the answer key, {len(self.alike)} are perhaps the same program."
        ]
        if len(self.tried) < self.count:
            said.append("The time was over; the same command goes on from there.")
        return said


def audit_assignment(
    course: CourseFolder,
    assignment: str,
    confined: bool,
    executors: Callable[[Conditions], Executor],
    prefetch: int,
    minutes: float,
    on_progress: Callable[[int, int], object],
) -> Audit:
    """Try mutants of an assignment's answer key for some minutes, and return what was found.

    What was tried is kept in `audits/` of the course folder. `on_progress` is called with the
    numbers of mutants that were tried, and of all. Raise `Trouble` if the answer key does not get
    full marks, and `FileNotFoundError` or `JailMissing` if nothing can be begun.
    """
    end = time.monotonic() + 60 * minutes
    planned = plan_assignment(course, assignment, confined)
    if troubles := [trouble for plan in planned.plans for trouble in plan.troubles]:
        raise Trouble(
            wrong_tests(assignment, troubles, "An audit needs an answer key that is right")
        )
    conditions = planned.conditions
    subjects = {}
    for one, master in zip(planned.notebooks, planned.masters, strict=True):
        subjects[master.notebook] = _asked(Subject(master, one.key), conditions)
    spent = sum(sum((one.seconds or {}).values()) for one in subjects.values())
    limits = conditions.limits
    most = min(limits.cell, max(2.0, _SLOWER * spent))
    quick = replace(
        limits, cell=most, call=most, patience=most, submission=min(limits.submission, 3 * most)
    )
    mutants = list(_mutants(subjects.values()))
    digest = digest_of(
        [
            [
                (shared_dependencies(one.master, conditions), one.key.digest)
                for one in subjects.values()
            ],
            [
                Path(file).read_text("utf-8")
                for file in (__file__, mutations.__file__, probes.__file__)
            ],
        ]
    )
    file = course.root / "audits" / f"{assignment}.jsonl"
    file.parent.mkdir(exist_ok=True)
    tried = {line["mutant"]: line for line in _lines(file) if line.get("digest") == digest}
    names = {digest_of([one.notebook, one.cell, one.source]): one for one in mutants}
    on_progress(len(names.keys() & tried.keys()), len(names))
    waiting = ((name, one) for name, one in names.items() if name not in tried)
    todo = (task for task in waiting if time.monotonic() < end)
    do = partial(examine, subjects=subjects, conditions=replace(conditions, limits=quick))
    is_torn = file.exists() and not file.read_bytes().endswith(b"\n")
    with file.open("a", encoding="utf-8") as kept:
        kept.write("\n" if is_torn else "")
        for name, mutant, found in run(do, todo, partial(executors, conditions), prefetch):
            if isinstance(found, JailMissing):
                raise found
            if isinstance(found, Exception):
                found = {"trouble": f"{type(found).__name__}: {found}"}
            told = {k: v for k, v in vars(mutant).items() if k != "source"}
            tried[name] = {"digest": digest, "mutant": name, **told, **found}
            if "trouble" not in found:
                kept.write(json.dumps(tried[name]) + "\n")
                kept.flush()
            on_progress(len(names.keys() & tried.keys()), len(names))
    return Audit(
        assignment,
        tuple(subjects.values()),
        len(names),
        tuple(tried[n] for n in names if n in tried),
    )


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        try:
            yield json.loads(line)
        except ValueError:  # the run that wrote it was killed
            continue


def _mutants(subjects: Iterable[Subject]) -> Iterator[Mutant]:
    """Yield mutants of all solutions, in turn one of each cell, so that time is shared fairly."""
    cells = []
    for subject in subjects:
        for cell in subject.master.cells:
            if cell.kind is CellKind.STUDENT and cell.cell_type == "code":
                made = list(_mutants_of(subject.master.notebook, cell))
                cells.append(Random(cell.id).sample(made, len(made)))
    yield from filter(None, chain.from_iterable(zip_longest(*cells)))


def _mutants_of(notebook: str, cell: MasterCell) -> Iterator[Mutant]:
    old, given = cell.solution.split("\n"), cell.shown.split("\n")
    lines = set(range(1, len(old) + 1))
    for block in SequenceMatcher(None, old, given, autojunk=False).get_matching_blocks():
        lines -= set(range(block.a + 1, block.a + block.size + 1))
    for line, source in mutations.changed_sources(cell.solution, lines):
        changed = list(ndiff(old, source.split("\n")))
        before, after = ([one[2:] for one in changed if one[0] == sign] for sign in "-+")
        yield Mutant(notebook, cell.id, line, "\n".join(before), "\n".join(after), source)


def _asked(subject: Subject, conditions: Conditions) -> Subject:
    """Return a subject with probes, and with the time that its tests take."""
    master = subject.master
    jail = jail_of(master.lesson, conditions)
    submission = understand(subject.key, master)
    jail.lay(submission.files)
    tests = [cell for cell in submission.code if cell.kind is CellKind.TEST]
    words = {word for cell in tests for word in re.findall(r"\w+", cell.source)}
    words |= {w for cell in master.cells if cell.is_answer for w in re.findall(r"\w+", cell.shown)}
    names = master.answered & words
    found: dict[str, list[Probe]] = defaultdict(list)
    for cell in tests:
        for probe in probes.written_probes(cell.source, names):
            for name in names & set(re.findall(r"\w+", probe.setup + " " + probe.asked)):
                found[name].append(probe)
    for name, calls in _recorded(jail, submission, names).items():
        found[name] += [Probe("", call) for call in calls if len(call) < _TEXT]
    answers = (ast.walk(tree) for tree in _trees(master))
    constants = (node for nodes in answers for node in nodes if isinstance(node, ast.Constant))
    values = {one.value for one in constants if isinstance(one.value, int | float | str)}
    made = dict.fromkeys(
        one for name in sorted(found) for one in probes.varied(found[name], name, values)
    )
    asked = sorted(made, key=lambda probe: probe.order)
    replies = _replies(jail, submission, asked, _TIMES)
    pairs = ((probe, reply) for probe, reply in zip(asked, replies, strict=True) if reply.is_useful)
    return replace(subject, asked=tuple(pairs), seconds=_seconds(jail, submission))


def _trees(master: Master) -> Iterator[ast.Module]:
    for cell in master.cells:
        with suppress(SyntaxError, ValueError):
            yield ast.parse(cell.solution if cell.cell_type == "code" else "")


def in_jail(function: Callable[..., object], *arguments: Any) -> str:
    """Return a cell that calls a function of this grader, which needs no other name."""
    text = f"from __future__ import annotations\n{getsource(function)}"
    call = f"_audit[{function.__name__!r}](globals(), *{arguments!r})"
    return f"_audit = {{}}\nexec({text!r}, _audit)\n{call}"


def _recorded(jail: WarmJail, submission: Submission, names: Iterable[str]) -> dict[str, list[str]]:
    """Return the calls that the tests make of functions with these names, as texts, by name."""
    start = in_jail(probes.record_calls, sorted(names), _RECORDED)
    end = "import json, sys\nsys.setprofile(None)\nprint(json.dumps(recorded_calls))"
    cells = [Cell("audit begins", CellKind.GIVEN, start), *submission.cells]
    cells.append(Cell("audit ends", CellKind.GIVEN, end))
    outputs = _run_all(jail, replace(submission, cells=tuple(cells)))
    try:
        found: dict[str, list[str]] = json.loads(outputs.get("audit ends", "{}"))
    except ValueError:
        return {}
    return found


def _seconds(jail: WarmJail, submission: Submission) -> dict[str, float]:
    """Return the processor's seconds that each cell takes with the answer key."""
    cells = [Cell("time 0", CellKind.GIVEN, _TIME)]
    for n, cell in enumerate(submission.code, 1):
        cells += [cell, Cell(f"time {n}", CellKind.GIVEN, _TIME)]
    said = _run_all(jail, replace(submission, cells=tuple(cells)))
    times = [re.search(r"seconds ([\d.]+)", said.get(f"time {n}", "")) for n in range(len(cells))]
    pairs = zip(submission.code, times, times[1:], strict=False)
    return {cell.id: float(b[1]) - float(a[1]) for cell, a, b in pairs if a and b}


def _run_all(jail: WarmJail, submission: Submission) -> dict[str, str]:
    """Run all cells beside the program, hidden lines, too; return what each has printed."""
    beside = jail.beside()
    said = run_inside(submission, beside, Clock(beside.limits), lambda cell: cell.source, Uses())
    return {
        name: "".join(str(one["text"]) for one in outputs if one.get("name") == "stdout")
        for name, outputs in said.outputs.of_cells.items()
    }


def _replies(
    jail: WarmJail, submission: Submission, asked: Sequence[Probe], times: int = 1
) -> list[ProbeReply]:
    """Return a program's replies to probes; what cannot be asked has the kind "chance"."""
    none = ProbeReply("chance", "")
    jail.lay(submission.files)
    shared = shared_lines(submission.code)
    session = jail.session()
    found: list[ProbeReply] = []
    try:
        for cell in submission.code:
            source = shared.get(cell.id, "") if cell.kind is CellKind.TEST else cell.source
            try:
                session.ask(
                    {"do": "run", "source": source, "name": cell.id}, jail.limits.cell, True
                )
            except Lost as lost:
                if not lost.is_stopped:
                    raise
        for start in range(0, len(asked), _AT_ONCE):
            part = [(one.setup, one.asked) for one in asked[start : start + _AT_ONCE]]
            source = in_jail(probes.answer_probes, part, times, _EACH, _TEXT)
            question = {"do": "run", "source": source, "name": "audit"}
            outputs = session.ask(question, _ASKED).get("outputs", ())
            said = json.loads(
                "".join(one["text"] for one in outputs if one.get("name") == "stdout")
            )
            found += [ProbeReply(*pair) for pair in said]
    except (Lost, ValueError, LookupError, TypeError):
        pass
    finally:
        session.close()
    return found + [none] * (len(asked) - len(found))


def examine(
    mutant: Mutant, subjects: Mapping[str, Subject], conditions: Conditions
) -> dict[str, Any]:
    """Return what the tests make of a mutant.

    `failed` are the tests that it fails. If it keeps full marks, `asked` is the number of probes
    and `found` are those that it answers wrongly, the plainest first; each is a list of the probe,
    the key's reply, the mutant's, and the lines that catch it.
    """
    subject = subjects[mutant.notebook]
    master = subject.master
    handin = _with_source(subject.key, mutant.cell, mutant.source)
    verdict = grade(handin, master, conditions)
    if not verdict.is_readable:
        return {"trouble": verdict.problems[0]}
    checks = [check for check in verdict.checks if check.outcome is not Outcome.MANUAL]
    failed = [
        one.id for one in checks if one.outcome is not Outcome.PASSED or one.points < one.max_points
    ]
    found: dict[str, Any] = {"failed": failed}
    if all(one.points >= one.max_points for one in checks):
        own = names_of(ast.parse(mutant.source).body).bound
        asked = [pair for pair in subject.asked if own & pair[0].needed] or list(subject.asked)
        jail = jail_of(master.lesson, conditions)
        key, program = understand(subject.key, master), understand(handin, master)
        found |= {"asked": len(asked), "found": _differences(jail, key, program, asked)}
    return found


def _differences(
    jail: WarmJail, key: Submission, program: Submission, asked: Sequence[tuple[Probe, ProbeReply]]
) -> list[list[str]]:
    found = []
    for start in range(0, len(asked), _AT_ONCE):
        part = asked[start : start + _AT_ONCE]
        replies = _replies(jail, program, [probe for probe, _ in part])
        for (probe, right), wrong in zip(part, replies, strict=True):
            if probes.differs(right, wrong):
                lines = probes.as_assert(probe, right)
                text = "\n".join(filter(None, [probe.setup, probe.asked]))
                found.append([text, _said(right), _said(wrong), lines])
        if found:
            break
    found = found[:_KEPT]
    holds = [Probe(lines, "") for *_, lines in found]
    pairs = zip(found, _replies(jail, key, holds), _replies(jail, program, holds), strict=True)
    return [one for one, right, wrong in pairs if right.kind == "value" and wrong.kind != "value"]


def _said(reply: ProbeReply) -> str:
    words = {
        "printed": f"prints {reply.text!r}",
        "raised": f"raises {reply.text}",
        "error": f"raises {reply.text}",
        "late": "never ends",
        "ended": "ends its process",
        "object": f"gives an object: {reply.text}",
    }
    return words.get(reply.kind, f"gives {reply.text}")


def _with_source(handin: Handin, cell: str, source: str) -> Handin:
    assert handin.notebook is not None
    cells = (
        replace(one, source=source) if one.grade_id == cell else one
        for one in handin.notebook.cells
    )
    return replace(handin, notebook=replace(handin.notebook, cells=tuple(cells)))
