"""The plan of an assignment: which test runs outside, and which only inside.

The answer key is graded to find out, and the stub as nbgrader gives it out to see that it gets no
point. What a test cannot do outside is done inside, by name and with a reason.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from autograder.judge import Uses
from autograder.needs import helper_needs_inside, needs_inside
from autograder.notebook.collect import Handin
from autograder.notebook.master import Master
from autograder.reasons import not_right, only_inside
from autograder.submission import CheckResult, Kind, Verdict
from autograder.taint import tests_that_use

_MOST_WORDS = 300
_MISSING = re.compile(r"^ModuleNotFoundError: No module named '(\w+)")
_GIVEN = 20  # given cells that are found, one after the other, to run inside only


class Grade(Protocol):
    """Grades the answer key, from which the uses are learned, and the stub."""

    def __call__(self, handin: Handin, master: Master, *, uses: Uses) -> Verdict:
        """The verdict on a hand-in."""


class Place(StrEnum):
    """The place where a test runs: outside, it is protected."""

    OUTSIDE = "outside"
    INSIDE = "inside"
    NOWHERE = "fails"


@dataclass(frozen=True)
class Planned:
    """One test: where it runs and why, and the points that the answer key and the stub get."""

    id: str
    points: float
    place: Place
    why: str
    key: float
    stub: float

    @property
    def trouble(self) -> str:
        """The trouble with the test itself, or an empty text."""
        if self.place is Place.NOWHERE:
            return f"the answer key gets {self.key:g} of {self.points:g}: {self.why}"
        return ""

    @property
    def warning(self) -> str:
        """The flaw of a test that is used all the same, or an empty text."""
        if self.stub > 0:
            return f"the stub gets {self.stub:g} of {self.points:g}: it asks nothing of the answer"
        return ""


@dataclass(frozen=True)
class Plan:
    """The plan of one notebook; `given` are cells that run inside only, with the reason.

    `failing` are those of them that fail there, too. `uses` are what the tests use of the answer
    key's objects, as JSON. `missing` are packages that the answer key imports and that are not
    there.
    """

    notebook: str
    tests: tuple[Planned, ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    uses: Mapping[str, Any] = field(default_factory=dict)
    failing: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def inside(self) -> tuple[Planned, ...]:
        """The tests that are not protected."""
        return tuple(test for test in self.tests if test.place is Place.INSIDE)

    @property
    def troubles(self) -> tuple[str, ...]:
        """The troubles with given cells and tests, a sentence each."""
        given = [f"the given cell {name} fails: {why}" for name, why in self.failing]
        tests = [f"{test.id}: {test.trouble}" for test in self.tests if test.trouble]
        cause = (
            f"the answer key imports {name}, which is not installed here: pip install {name}"
            for name in self.missing
        )
        return (*cause, *given, *tests) if given or tests else ()

    def applied(self, master: Master) -> Master:
        """The master whose cells know where they run."""
        inside = [test.id for test in self.tests if test.place is not Place.OUTSIDE]
        return replace(_placed(master, {*inside, *dict(self.given)}), uses=self.uses)

    def as_json(self) -> dict[str, Any]:
        """The plan as it is kept."""
        return asdict(self)


def plan_from(said: Mapping[str, Any]) -> Plan:
    """The plan that `as_json` gave."""
    tests = tuple(Planned(**{**one, "place": Place(one["place"])}) for one in said["tests"])
    given, failing = (tuple((name, why) for name, why in said[key]) for key in ("given", "failing"))
    return Plan(said["notebook"], tests, given, said["uses"], failing, tuple(said["missing"]))


def make_plan(master: Master, key: Handin, stub: Handin, grade: Grade) -> Plan:
    """The plan of a notebook, worked out by grading its answer key and its stub."""
    if not any(cell.kind is Kind.TEST for cell in master.cells):
        return Plan(master.notebook)
    needs = {
        cell.id: why
        for cell in master.cells
        if cell.kind is Kind.TEST and (why := needs_inside(cell.source, master.defined))
    }
    given, verdict, uses = _with_given(master, key, grade, set(needs))
    touched = tests_that_use(given, master.cells)
    outside = {check.id: check for check in verdict.checks}
    failed = {
        name: only_inside(check, master.by_id[name].source)
        for name, check in outside.items()
        if not _is_full(check)
    }
    moved = set(touched) - set(needs)
    needs = touched | needs
    tried = {name for name in failed if master.by_id[name].kind is Kind.TEST} - set(needs)
    placed = _placed(master, {*needs, *tried, *given})
    if tried or moved:
        uses = Uses(is_learning=True)
        verdict = grade(key, placed, uses=uses)
    got = _points(verdict)
    lost = {check.id: not_right(check, master.by_id[check.id].source) for check in verdict.checks}
    stubs = _points(grade(stub, placed, uses=Uses.from_json(uses.as_json())))
    tests = []
    for cell in master.cells:
        if cell.kind is not Kind.TEST:
            continue
        is_full, is_inside = got[cell.id] >= cell.points, cell.id in {*needs, *tried}
        place = Place.NOWHERE if not is_full else Place.INSIDE if is_inside else Place.OUTSIDE
        why = needs.get(cell.id) or failed.get(cell.id, "")
        if not is_full:
            why = lost[cell.id] if cell.id not in needs else f"{why}; {lost[cell.id]}"
        tests.append(Planned(cell.id, cell.points, place, why, got[cell.id], stubs[cell.id]))
    errors = list(_errors(verdict))
    failing = tuple((name, why) for name, why in errors if name in given)
    missing = tuple(dict.fromkeys(found[1] for _, why in errors if (found := _MISSING.search(why))))
    in_order = tuple(sorted(given.items()))
    return Plan(master.notebook, tuple(tests), in_order, uses.as_json(), failing, missing)


def _with_given(
    master: Master, key: Handin, grade: Grade, inside: set[str]
) -> tuple[dict[str, str], Verdict, Uses]:
    """The given cells that cannot run outside, with the reason, and the verdict without them."""
    cells = (cell for cell in master.cells if cell.kind is Kind.GIVEN)
    given = {cell.id: why for cell in cells if (why := helper_needs_inside(cell.source))}
    for _ in range(_GIVEN):
        uses = Uses(is_learning=True)
        verdict = grade(key, _placed(master, {*inside, *given}), uses=uses)
        new = {name: why[:_MOST_WORDS] for name, why in verdict.broken.items() if name not in given}
        if not new:
            break
        given |= new
    return given, verdict, uses


def _errors(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """The cells that stopped with an error in the jail, where none is wanted, and the error."""
    for cell in json.loads(verdict.notebook or "{}").get("cells", ()):
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if "raises-exception" in cell["metadata"].get("tags", ()):
            continue
        for output in cell.get("outputs", ()):
            if output["output_type"] == "error":
                yield name, f"{output['ename']}: {output['evalue']}"[:_MOST_WORDS]


def _placed(master: Master, inside: set[str]) -> Master:
    cells = tuple(replace(cell, is_inside=cell.id in inside) for cell in master.cells)
    return replace(master, cells=cells)


def _is_full(check: CheckResult) -> bool:
    return check.points >= check.max_points


def _points(verdict: Verdict) -> dict[str, float]:
    return {check.id: check.points for check in verdict.checks}


def troubles_of(plans: Sequence[Plan]) -> list[str]:
    """Return the troubles of an assignment's tests, each with its notebook if there are many."""
    if len(plans) == 1:
        return list(plans[0].troubles)
    return [f"{plan.notebook}, {trouble}" for plan in plans for trouble in plan.troubles]


def wrong_tests(assignment: str, troubles: Sequence[str], anyway: str) -> str:
    """Return the message of a run that graded nothing because something is wrong with the tests."""
    listed = "".join(f"\n  {trouble}" for trouble in troubles)
    return (
        f"Nothing was graded: something is wrong with the tests of {assignment}.{listed}\n"
        f"Mend them, and look with: autograder verify {assignment}. {anyway}."
    )
