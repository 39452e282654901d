"""The plan of an assignment, which says for each test where it runs, and why.

A test runs outside of the jail, where students' code cannot change its outcome, if the answer key
passes the test there. All other tests run inside. To make the plan, the answer key is graded. The
stub, which is the notebook as students get it, is graded, too: it should get no points.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from autograder.grading_data import CellKind, CheckResult, Outcome, Verdict
from autograder.judge import Uses
from autograder.notebook.find_submitted_notebook import Handin
from autograder.notebook.master import Master
from autograder.notebook.safe_text import with_titles
from autograder.plan.must_run_inside import (
    student_names_in_tests,
    why_helper_unprotected,
    why_unlocked,
    why_unprotected,
)

_MOST_WORDS = 300  # characters of a reason
_OF_PROXIES = (
    "StudentProxy",
    "beside the program can ask",
    "cannot be given to the student's code",
)
_MISSING = re.compile(r"^ModuleNotFoundError: No module named '(\w+)")
_DISTRIBUTIONS = {  # packages that have another name in pip than in Python
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "cv2": "opencv-python",
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "yaml": "pyyaml",
}
_MOST_GIVEN = 20  # most gradings that are made to find given cells that run only inside


class Place(StrEnum):
    """The place where a test runs; `NOWHERE` if the answer key does not get all of its points."""

    OUTSIDE = "outside"
    INSIDE = "inside"
    NOWHERE = "fails"


@dataclass(frozen=True)
class Planned:
    """One test in the plan, with the points that the answer key and the stub get for it.

    `why` says why it does not run outside of the jail, or why the answer key fails it.
    """

    id: str
    points: float
    place: Place
    why: str
    key: float
    stub: float

    @property
    def trouble(self) -> str:
        """If the answer key fails the test, a clause that says so, and why; else an empty text."""
        if self.place is Place.NOWHERE:
            return f"the answer key gets {self.key:g} of {self.points:g}: {self.why}"
        return ""

    @property
    def warning(self) -> str:
        """If the stub gets points for the test, a clause that warns of this; else an empty text."""
        if self.stub > 0:
            return f"the stub gets {self.stub:g} of {self.points:g}: it asks nothing of the answer"
        return ""


@dataclass(frozen=True)
class Plan:
    """The plan of one notebook.

    - `given`: pairs (id, why) of the instructor's cells that can run only inside the jail
    - `failing`: pairs (id, error) of those cells in `given` that fail inside the jail as well
    - `uses`: JSON data of `Uses`, the notes on what the tests got from the answer key
    - `missing`: packages that the answer key imports and that are not installed
    - `titles`: id → title, for cells whose ids an editor has made up
    """

    notebook: str
    tests: tuple[Planned, ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    uses: Mapping[str, Any] = field(default_factory=dict)
    failing: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def inside(self) -> tuple[Planned, ...]:
        """The tests that run inside of the jail, and so are not protected."""
        return tuple(test for test in self.tests if test.place is Place.INSIDE)

    @property
    def troubles(self) -> tuple[str, ...]:
        """Sentences that say which given cells fail, which tests the answer key fails, and why.

        >>> Plan("ps1", failing=(("load", "it is late"),), missing=("cv2",)).troubles[0]
        'the answer key imports cv2, which is not installed here: pip install opencv-python'
        """
        given = [f"the given cell {name} fails: {why}" for name, why in self.failing]
        tests = [f"{test.id}: {test.trouble}" for test in self.tests if test.trouble]
        cause = (
            f"the answer key imports {name}, which is not installed here: pip install "
            + _DISTRIBUTIONS.get(name, name)
            for name in self.missing
        )
        told = (*cause, *given, *tests) if given or tests else ()
        return tuple(with_titles(sentence, self.titles) for sentence in told)

    def applied(self, master: Master) -> Master:
        """Return a copy of the master with this plan: `is_inside` of each cell, and the `uses`."""
        inside = [test.id for test in self.tests if test.place is not Place.OUTSIDE]
        return replace(_placed(master, {*inside, *dict(self.given)}), uses=self.uses)

    def as_json(self) -> dict[str, Any]:
        """Return the plan as `autograder verify --json` prints it, that is, without the traces."""
        uses = {name: notes for name, notes in self.uses.items() if name != "traces"}
        return asdict(replace(self, uses=uses))


def make_plan(master: Master, key: Handin, stub: Handin, grade: Callable[..., Verdict]) -> Plan:
    """Grade the answer key and the stub of a notebook with `grade`; return its plan."""
    tests = [cell for cell in master.cells if cell.kind is CellKind.TEST]
    if not tests:
        return Plan(master.notebook)
    unlocked = master.unlocked - master.answered.keys()
    inside: dict[str, str] = {}  # test → why it runs inside
    for cell in tests:
        why = why_unprotected(cell.source, master.defined) or why_unlocked(cell.source, unlocked)
        if why:
            inside[cell.id] = why
    cells = (cell for cell in master.cells if cell.kind is CellKind.GIVEN)
    given = {cell.id: why for cell in cells if (why := why_helper_unprotected(cell.source))}
    for _ in range(_MOST_GIVEN):  # until no more given cells fail outside
        uses = Uses(is_learning=True)
        verdict = grade(key, _placed(master, {*inside, *given}), uses=uses)
        new = {name: why[:_MOST_WORDS] for name, why in verdict.broken.items() if name not in given}
        if not new:
            break
        given |= new
    were_inside = set(inside)
    inside = student_names_in_tests(given, master.cells) | inside
    unprotected = set(inside)
    checks = {check.id: check for check in verdict.checks}
    for cell in tests:
        check = checks[cell.id]
        if check.points < check.max_points or check.outcome is not Outcome.PASSED:  # 0 of 0 points
            inside.setdefault(cell.id, _why(check, cell.source, is_lost=False))
    placed = _placed(master, {*inside, *given})
    if inside.keys() != were_inside:
        uses = Uses(is_learning=True)
        verdict = grade(key, placed, uses=uses)
        checks = {check.id: check for check in verdict.checks}
    graded = grade(stub, placed, uses=Uses.from_json(uses.as_json()))
    stubs = {check.id: check.points for check in graded.checks}
    planned = []
    for cell in tests:
        check, why = checks[cell.id], inside.get(cell.id, "")
        place = Place.INSIDE if cell.id in inside else Place.OUTSIDE
        if check.points < cell.points:
            place, lost = Place.NOWHERE, _why(check, cell.source, is_lost=True)
            why = f"{why}; {lost}" if cell.id in unprotected else lost
        planned.append(Planned(cell.id, cell.points, place, why, check.points, stubs[cell.id]))
    errors = list(_errors(verdict))
    failing = tuple((name, why) for name, why in errors if name in given)
    missing = tuple(dict.fromkeys(found[1] for _, why in errors if (found := _MISSING.search(why))))
    facts = tuple(planned), tuple(sorted(given.items())), uses.as_json(), failing, missing
    return Plan(master.notebook, *facts, master.titles)


def _errors(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Yield pairs (cell id, error) of a verdict's notebook, except for errors that a tag allows."""
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


def troubles_of(plans: Sequence[Plan]) -> list[str]:
    """Return the troubles in all plans, with the names of the notebooks if there are several."""
    if len(plans) == 1:
        return list(plans[0].troubles)
    return [f"{plan.notebook}, {trouble}" for plan in plans for trouble in plan.troubles]


def wrong_tests(assignment: str, troubles: Sequence[str], anyway: str) -> str:
    """Return a message that says that nothing was graded; `anyway` is its last sentence."""
    listed = "".join(f"\n  {trouble}" for trouble in troubles)
    return (
        f"Nothing was graded: something is wrong with the tests of {assignment}.{listed}\n"
        f"Mend them, and look with: autograder verify {assignment}. {anyway}."
    )


def _why(check: CheckResult, source: str, is_lost: bool) -> str:
    """Return why a test must run inside or, with `is_lost`, why the answer key loses its points.

    The reason comes from the test's `check`.

    >>> check = CheckResult("dog", 0, 1, Outcome.FAILED, "AssertionError: no dog", line=2)
    >>> _why(check, "dog = Dog()\\nassert is_dog(dog)", is_lost=False)
    'line 2, `assert is_dog(dog)`, holds only beside the program: no dog'
    >>> check = CheckResult("two", 0, 1, Outcome.FAILED, "AssertionError", line=1)
    >>> _why(check, "assert double(1) == 3", is_lost=True)
    'line 1, `assert double(1) == 3`, does not hold'
    """
    is_failed = check.outcome is Outcome.FAILED
    if not is_lost:
        what = f"{'holds' if is_failed else 'works'} only beside the program"
    elif check.outcome is Outcome.PASSED:
        return "its last value gives no more"
    elif check.outcome in (Outcome.TIMEOUT, Outcome.CRASHED):
        what = "does not come to its end"
    else:
        what = "does not hold" if is_failed else "fails"
    # quote the first line of the message, unless it is about the grader's own proxies
    lines = filter(None, map(str.strip, check.message.splitlines()))
    said, line = next(lines, ""), check.line_in(source)
    is_of_proxies = any(word in said for word in _OF_PROXIES)
    said = "" if is_of_proxies else said.removeprefix("AssertionError").removeprefix(":").strip()
    if line:
        return f"line {check.line}, `{line}`, {what}{f': {said}' if said else ''}"[:_MOST_WORDS]
    return (said or check.outcome.value.replace("_", " "))[:_MOST_WORDS]
