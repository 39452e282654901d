"""The audit of an assignment, which finds out if its tests notice small changes to the answer key.

A mutant is the answer key with one small change. If the tests give a mutant full marks, the audit
asks it probes, which are questions such as `merge([2, 2])`. If a mutant answers a probe otherwise
than the answer key does, the tests let a wrong program pass.
"""

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
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from autograder.audit.compare_replies import (
    AT_ONCE,
    ProbeReply,
    as_assert,
    calls_in_tests,
    differs,
    is_reordered,
    replies_to,
    seconds_of_cells,
)
from autograder.audit.generate_probes import (
    Probe,
    constants_in,
    names_in_cell,
    place_of,
    varied,
    written_probes,
)
from autograder.audit.mutations import changed_sources
from autograder.audit.programs_in_jail import LONGEST
from autograder.grade_submission import grade, jail_of
from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.plans_and_limits import plan_assignment
from autograder.gradebook.staleness import Cache, digest_of, shared_dependencies
from autograder.grading_data import CellKind, CheckResult, Outcome
from autograder.jail import Conditions, JailMissing
from autograder.notebook.find_submitted_notebook import Handin, understand
from autograder.notebook.master import Master, MasterCell
from autograder.workers import run

_TIMES = 6  # how often the answer key is asked each probe
_KEPT = 12  # the most asserts that are kept for one mutant
_SLOWER = 5  # a cell of a mutant may take this many times as long as the whole answer key
_OFTEN = 3  # if tests fail together for so many mutants, a remark says so
_LONG = 1.0  # if a test takes so many seconds, a remark says so


@dataclass(frozen=True)
class Mutant:
    """The answer key with one changed cell, whose new text is `source`.

    The change begins in the line with the number `line`. It replaces the lines `before` by the
    lines `after`.
    """

    notebook: str
    cell: str
    line: int
    before: str
    after: str
    source: str


class Question(NamedTuple):
    """A probe, the answer key's reply to it, and lines of a test that fail for any other reply."""

    probe: Probe
    reply: ProbeReply
    lines: str


@dataclass(frozen=True)
class Subject:
    """A notebook that is audited, with what was learned about its answer key.

    Cells are given by their ids. `places` is a dictionary from answer cells to cells: at the end of
    such a cell, the probes of the answer are asked, and asserts about it are to be pasted. `asked`
    is a dictionary from answer cells to probes with the answer key's replies. `seconds` is a
    dictionary from cells to processor times. `failing` are the tests that the answer key does not
    pass; they have no points.
    """

    master: Master
    key: Handin
    places: Mapping[str, str]
    asked: Mapping[str, Sequence[Question]]
    seconds: Mapping[str, float]
    failing: frozenset[str]

    def where(self, answer: str) -> str:
        """Return words that tell an instructor where to paste the asserts for an answer."""
        place = self.places[answer]
        name = self.master.titles.get(place, place)
        is_test = self.master.by_id[place].kind is CellKind.TEST
        there = "at the end of the test" if is_test else "into a new test below"
        book = f" in {self.master.notebook}" if self.master.siblings else ""
        return f"To paste {there} {name}{book}:"


@dataclass(frozen=True)
class Audit:
    """The results of an audit; `count` is the number of all mutants, tried or not.

    `tried` has a dictionary for each mutant that was tried, in the order of the cells. It has the
    fields of `Mutant` except `source`, the items of the dictionary that `examine` returned, and
    `where`, a text that says where to paste asserts.
    """

    assignment: str
    subjects: tuple[Subject, ...]
    count: int
    tried: tuple[dict[str, Any], ...]

    @property
    def wrong(self) -> list[dict[str, Any]]:
        """The mutants that get full marks, but answer a usual probe wrongly.

        An answer that has the right items in another order does not count as wrong.
        """
        return [one for one in self.tried if one.get("found") and not one["is_arguable"]]

    @property
    def arguable(self) -> list[dict[str, Any]]:
        """The mutants that get full marks, and of which a person must judge if they are wrong.

        They answer only unusual probes wrongly, or give the right items in another order.
        """
        return [one for one in self.tried if one.get("found") and one["is_arguable"]]

    @property
    def alike(self) -> list[dict[str, Any]]:
        """The mutants that get full marks, and answer all probes as the answer key does."""
        return [one for one in self.tried if one.get("found") == []]

    @property
    def to_paste(self) -> dict[str, list[str]]:
        """A dictionary from places to asserts to paste there, which catch all `wrong` mutants."""
        left = [{(one["where"], lines) for *_, lines in one["found"]} for one in self.wrong]
        chosen = defaultdict(list)
        while left:
            count = Counter(pair for one in left for pair in one)
            best = min(count, key=lambda pair: (-count[pair], len(pair[1]), pair))
            chosen[best[0]].append(best[1])
            left = [one for one in left if best not in one]
        return chosen

    @property
    def remarks(self) -> list[str]:
        """Sentences on what an instructor should look at in the tests themselves."""
        found = []
        for subject in self.subjects:
            own = [one for one in self.tried if one["notebook"] == subject.master.notebook]
            tests = [cell for cell in subject.master.cells if cell.kind is CellKind.TEST]
            alike = defaultdict(list)
            for test in (test for test in tests if test.points):
                failed = tuple(n for n, one in enumerate(own) if test.id in one.get("failed", ()))
                alike[failed].append(subject.master.titles.get(test.id, test.id))
            for failed, names in alike.items():
                if not failed and len(self.tried) == self.count:
                    idle = "no change to the answer key made it fail."
                    found += [f"{name}: {idle}" for name in names]
                if len(names) > 1 and len(failed) >= _OFTEN:
                    listed = f"{', '.join(names[:-1])} and {names[-1]} failed together each time"
                    why = "their points may hang on one idea"
                    found.append(f"{listed}, for {len(failed)} changes: {why}.")
            for test in tests:
                if (spent := subject.seconds.get(test.id, 0.0)) >= _LONG:
                    found.append(f"{test.id} takes {spent:.1f} s with the answer key.")
        troubles = dict.fromkeys(one["trouble"] for one in self.tried if "trouble" in one)
        return found + [f"A change could not be graded: {trouble}" for trouble in troubles]

    @property
    def summary(self) -> list[str]:
        """Sentences that say how many mutants were tried, were caught, and keep full marks."""
        kept = len(self.wrong) + len(self.arguable) + len(self.alike)
        said = [
            f"{len(self.tried)} of {self.count} small changes to the answer key were tried; "
            f"{len(self.tried) - kept} are caught, {kept} keep full marks: {len(self.wrong)} "
            f"answer otherwise than the answer key, {len(self.arguable)} are arguable, "
            f"{len(self.alike)} are perhaps the same program."
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

    The results are kept in `audits/` of the course folder, so the next audit tries other mutants.
    `executors` returns an executor, to which at most `prefetch` mutants are given at a time.
    `on_progress` is called with the number of mutants tried, and the number of all. Raise `Trouble`
    if the answer key does not get full marks; may raise `FileNotFoundError` or `JailMissing`.
    """
    planned = plan_assignment(course, assignment, confined)
    planned.refuse_wrong_tests("An audit needs an answer key that is right")
    conditions = planned.conditions
    pairs = list(zip(planned.notebooks, planned.masters, strict=True))
    kept_with = [(shared_dependencies(one, conditions), its.key.digest) for its, one in pairs]
    programs = [path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))]
    digest = digest_of([kept_with, programs])
    cache, subjects = Cache(course.root, assignment), dict[str, Subject]()
    for its, master in pairs:
        name = f"audit of {master.notebook}"
        learned = cache.get(name, digest)
        if learned is None:
            cache.put(name, digest, learned := _learned(master, its.key, conditions))
        subjects[master.notebook] = learned
    end = time.monotonic() + 60 * minutes
    file = course.root / "audits" / f"{assignment}.jsonl"
    file.parent.mkdir(exist_ok=True)
    tried = dict[str, dict[str, Any]]()
    before = file.read_text("utf-8") if file.exists() else ""
    for line in before.splitlines():
        with suppress(ValueError):  # a run was killed while it wrote this line
            if (one := json.loads(line)).get("digest") == digest:
                tried[one["mutant"]] = one
    made = _mutants(subjects.values())
    names = {digest_of([one.notebook, one.cell, one.source]): one for one in made}
    on_progress(len(names.keys() & tried.keys()), len(names))
    waiting = [pair for pair in names.items() if pair[0] not in tried] if minutes else []
    todo = (task for task in waiting if time.monotonic() < end)
    do = partial(examine, subjects=subjects, conditions=_quick(conditions, subjects.values()))
    done = run(do, todo, partial(executors, conditions), prefetch) if waiting else ()
    with file.open("a", encoding="utf-8") as kept:
        kept.write("\n" if before and not before.endswith("\n") else "")
        for name, mutant, found in done:
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
    cells = [(name, cell.id) for name, one in subjects.items() for cell in one.master.cells]
    results = [tried[name] for name in names if name in tried]
    results.sort(key=lambda one: (cells.index((one["notebook"], one["cell"])), one["line"]))
    for one in results:
        subject = subjects[one["notebook"]]
        one["where"] = subject.where(one["cell"])
        one["cell"] = subject.master.titles.get(one["cell"], one["cell"])
    return Audit(assignment, tuple(subjects.values()), len(names), tuple(results))


def _quick(conditions: Conditions, subjects: Iterable[Subject]) -> Conditions:
    """Return the conditions with shorter time limits, so that an endless mutant costs little."""
    limits = conditions.limits
    spent = sum(sum(one.seconds.values()) for one in subjects)
    most = min(limits.cell, max(2.0, _SLOWER * spent))
    whole = min(limits.submission, 3 * most)
    quick = replace(limits, cell=most, call=most, patience=most, submission=whole)
    return replace(conditions, limits=quick)


def _mutants(subjects: Iterable[Subject]) -> Iterator[Mutant]:
    """Yield mutants of all solutions: one of each cell in turn, so that all cells get time."""
    of_cells = []
    for subject in subjects:
        for cell in subject.master.cells:
            if cell.kind is CellKind.STUDENT and cell.cell_type == "code":
                made = list(_mutants_of(subject.master.notebook, cell))
                of_cells.append(Random(cell.id).sample(made, len(made)))
    yield from filter(None, chain.from_iterable(zip_longest(*of_cells)))


def _mutants_of(notebook: str, cell: MasterCell) -> Iterator[Mutant]:
    old, given = cell.solution.split("\n"), cell.shown.split("\n")
    lines = set(range(1, len(old) + 1))
    for block in SequenceMatcher(None, old, given, autojunk=False).get_matching_blocks():
        lines -= set(range(block.a + 1, block.a + block.size + 1))
    for line, source in changed_sources(cell.solution, lines):
        changed = list(ndiff(old, source.split("\n")))
        before, after = ("\n".join(one[2:] for one in changed if one[0] == sign) for sign in "-+")
        yield Mutant(notebook, cell.id, line, before, after, source)


def _learned(master: Master, key: Handin, conditions: Conditions) -> Subject:
    """Run the answer key of a notebook in the jail; return its probes, replies and times."""
    jail, submission = jail_of(master.lesson, conditions), understand(key, master)
    jail.lay(submission.files)
    tests = [cell for cell in submission.code if cell.kind is CellKind.TEST]
    shown = [*(cell.source for cell in tests), *(c.shown for c in master.cells if c.is_answer)]
    words = {word for text in shown for word in re.findall(r"\w+", text)}
    names = master.answered.keys() & words
    found: dict[str, list[Probe]] = defaultdict(list)
    for cell in tests:
        for probe in written_probes(cell.source, names):
            for name in names & set(re.findall(r"\w+", probe.setup + " " + probe.asked)):
                found[name].append(probe)
    for name, calls in calls_in_tests(jail, submission, names).items():
        found[name] += [Probe("", call) for call in calls if len(call) < LONGEST]
    values = constants_in(cell.solution for cell in master.cells if cell.cell_type == "code")
    made = (one for name in sorted(found) for one in varied(found[name], name, values))
    probes = sorted(dict.fromkeys(made), key=lambda probe: probe.order)
    failing = frozenset(_failed(grade(key, master, conditions).checks))
    told = [(cell, names_in_cell(cell.source)) for cell in submission.code]
    places, own_probes = {}, {}
    at: dict[str, list[Probe]] = defaultdict(list)
    for n, (cell, facts) in enumerate(told):
        if cell.kind is CellKind.STUDENT and cell.id in master.by_id:
            own = [one for one in probes if facts.bound & one.needed] or probes
            place = place_of(cell, facts.bound & names, told[n + 1 :], failing)
            at[place] += [one for one in own if one not in at[place]]
            own_probes[cell.id], places[cell.id] = own, place
    known: dict[str, dict[Probe, Question]] = {}
    for place, replies in replies_to(jail, submission, at, _TIMES).items():
        pairs = zip(at[place], replies, strict=True)
        known[place] = {one: Question(one, r, as_assert(one, r)) for one, r in pairs if r.is_useful}
    holds = {at: [Probe(one.lines, "") for one in ones.values()] for at, ones in known.items()}
    for place, replies in replies_to(jail, submission, holds).items():
        checked = zip(known[place].values(), replies, strict=True)
        known[place] = {one.probe: one for one, reply in checked if reply.kind == "value"}
    plain = {probe for ones in found.values() for probe in ones}
    usual = {one.reply.form for ones in known.values() for one in ones.values() if one[0] in plain}
    asked = {
        answer: sorted(
            (known[place][one] for one in own_probes[answer] if one in known[place]),
            key=lambda one: (one.probe.tier, one.reply.form not in usual),
        )
        for answer, place in places.items()
    }
    return Subject(master, key, places, asked, seconds_of_cells(jail, submission), failing)


def _failed(checks: Iterable[CheckResult]) -> list[str]:
    """Return the ids of the tests that a program does not pass, with or without points."""
    tests = (one for one in checks if one.outcome is not Outcome.MANUAL)
    return [
        one.id for one in tests if one.outcome is not Outcome.PASSED or one.points < one.max_points
    ]


def examine(
    mutant: Mutant, subjects: Mapping[str, Subject], conditions: Conditions
) -> dict[str, Any]:
    """Grade a mutant, and return a dictionary of what was found.

    `failed` are the ids of the tests that the mutant does not pass. If the answer key passes one of
    these tests, the dictionary has nothing else. Otherwise, the mutant is asked probes until one
    shows clearly that it is wrong. `asked` is the number of all probes for the changed cell.
    `found` has a list for each of a few probes that the mutant answers wrongly, the plainest first:
    the probe, the key's reply, the mutant's reply, an assert that catches the mutant. `is_arguable`
    is true if each of these probes is unusual, or its two replies differ only in the order of
    items. If the mutant's notebook cannot be read, there is only `trouble`, the reason.
    """
    subject = subjects[mutant.notebook]
    master, handin = subject.master, subject.key.with_answer(mutant.cell, mutant.source)
    verdict = grade(handin, master, conditions)
    if not verdict.is_readable:
        return {"trouble": verdict.problems[0]}
    failed = _failed(verdict.checks)
    if set(failed) - subject.failing:
        return {"failed": failed}
    asked, place = subject.asked[mutant.cell], subject.places[mutant.cell]
    jail, program = jail_of(master.lesson, conditions), understand(handin, master)

    def replies(probes: Iterable[Probe]) -> list[ProbeReply]:
        return replies_to(jail, program, {place: list(probes)})[place]

    found: list[tuple[bool, list[str]]] = []
    for start in range(0, len(asked), AT_ONCE):
        part = asked[start : start + AT_ONCE]
        told = zip(part, replies(one.probe for one in part), strict=True)
        telling = [(one, wrong) for one, wrong in told if differs(one.reply, wrong)]
        caught = replies(Probe(one.lines, "") for one, _ in telling)
        for (one, wrong), said in zip(telling, caught, strict=True):
            if said.is_caught:
                is_arguable = one.probe.tier > 0 or is_reordered(one.reply, wrong)
                texts = [one.probe.text, str(one.reply), str(wrong), one.lines]
                found.append((is_arguable, texts))
        if not all(is_arguable for is_arguable, _ in found):
            break
    best = min((is_arguable for is_arguable, _ in found), default=False)
    entries = [texts for is_arguable, texts in found if is_arguable is best][:_KEPT]
    return {"failed": failed, "asked": len(asked), "found": entries, "is_arguable": best}
