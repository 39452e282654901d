"""Planning of an assignment: a plan for each of its notebooks, and the limits of a submission.

Students' code runs in a jail. A plan says for each test if the test can run outside of the jail.
Plans are cached until the instructor's notebook, the grader, or the version of a package changes.
"""

import platform
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from nbgrader.preprocessors import Execute
from traitlets import Float, Integer, List, Unicode
from traitlets.config import Configurable

from autograder.grade_submission import grade
from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.prepare_masters import Prepared, prepare
from autograder.gradebook.staleness import Cache, digest_of, shared_dependencies, version_of
from autograder.jail import CHECKS, Conditions, Limits
from autograder.notebook.master import Master
from autograder.plan import Plan, make_plan, troubles_of, wrong_tests
from autograder.system import Trouble

_MIB = 2**20
_USUAL = Limits()
_IMPORTS_CHECKS = re.compile(r"^\s*(?:from|import) course\b", re.MULTILINE)
Do = Callable[[Callable[[], Plan]], Plan]
_VERY_LONG = 3600  # seconds; used if nbgrader's configuration sets no time limit
_OF_A_CELL = "Seconds of a cell or a test: nbgrader's own."
_OF_A_CALL = "Seconds of a call that a test makes: those of a cell."
_OF_A_NOTEBOOK = "Seconds of a notebook: those of ten cells."


@dataclass(frozen=True)
class PlannedAssignment:
    """An assignment that is ready for grading, with a plan for each of its notebooks.

    `masters` are the instructor's notebooks, with a mark on each cell that must run in the jail.
    """

    name: str
    notebooks: tuple[Prepared, ...]
    conditions: Conditions
    plans: tuple[Plan, ...]
    masters: tuple[Master, ...]

    def refuse_wrong_tests(self, anyway: str) -> None:
        """Raise `Trouble` if tests are wrong; `anyway` is the last sentence of the message."""
        if troubles := troubles_of(self.plans):
            raise Trouble(wrong_tests(self.name, troubles, anyway))


def plan_assignment(
    course: CourseFolder, assignment: str, confined: bool, do: Do | None = None
) -> PlannedAssignment:
    """Return an assignment with its plans, which come from the cache or are made now.

    A plan is made by grading two notebooks: the answer key, and the stub (what students get). If
    `do` is given, plans are made through it, perhaps in another process. Raise
    `JailMissing` if `confined` is true and there is no jail, and the same errors as `prepare`.
    """
    notebooks = prepare(course, assignment)
    cells = (cell for one in notebooks if one.key.notebook for cell in one.key.notebook.cells)
    code = "\n".join(cell.source for cell in cells)
    conditions = conditions_of(course.app, confined, code)
    cache, plans = Cache(course.root, assignment), []
    packages = ("ipython", *(name.partition(".")[0] for name in conditions.preload))
    versions = {name: version_of(name) for name in packages}
    for one in notebooks:
        shared = shared_dependencies(one.master, conditions)
        digest = digest_of([shared, one.key.digest, platform.python_version(), versions])
        name = f"plan of {one.master.notebook}"
        plan: Plan | None = cache.get(name, digest)
        if plan is None:
            grader = partial(grade, conditions=conditions)
            make = partial(make_plan, one.master, one.key, one.stub, grader)
            plan = make() if do is None else do(make)
            if not plan.troubles:  # troubles may have a temporary cause, such as a full disk
                cache.put(name, digest, plan)
        plans.append(plan)
    masters = tuple(plan.applied(one.master) for plan, one in zip(plans, notebooks, strict=True))
    return PlannedAssignment(assignment, notebooks, conditions, tuple(plans), masters)


def conditions_of(parent: Any, confined: bool, code: str = "") -> Conditions:
    """Return the conditions for running submissions, from an nbgrader program's configuration.

    `code` is the code of the answer keys. The jail preloads a configured module only if `code`
    names that module, and the checks of this project's course only if `code` imports `course`.
    """
    jail = Jail(parent=parent)
    preload = tuple(name for name in jail.preload if name.partition(".")[0] in code)
    if _IMPORTS_CHECKS.search(code):
        preload = (CHECKS, *preload)
    return Conditions(confined, jail.limits(), preload)


class Jail(Configurable):
    """The configuration of the jail: a submission's limits, and modules to be loaded beforehand."""

    memory = Integer(_USUAL.memory // _MIB, min=64, help="MiB of memory.").tag(config=True)
    file_size = Integer(_USUAL.file_size // _MIB, min=1, help="MiB of one file.").tag(config=True)
    folder_size = Integer(
        _USUAL.folder_size // _MIB, min=1, help="MiB of all files, data that is given included."
    ).tag(config=True)
    processes = Integer(_USUAL.processes, min=8, help="Processes and threads.").tag(config=True)
    cell = Float(None, min=0.5, allow_none=True, help=_OF_A_CELL).tag(config=True)
    call = Float(None, min=0.5, allow_none=True, help=_OF_A_CALL).tag(config=True)
    submission = Float(None, min=1.0, allow_none=True, help=_OF_A_NOTEBOOK).tag(config=True)
    preload = List(
        Unicode(),
        ["numpy", "pandas", "scipy", "matplotlib.pyplot"],
        help="Modules that are loaded once for all submissions of an assignment that names them.",
    ).tag(config=True)

    def limits(self) -> Limits:
        """Return the limits of one submission."""
        timeout = Execute(parent=self.parent).timeout
        usual = _VERY_LONG if timeout is None or timeout < 0 else timeout or 1
        cell = float(self.cell or usual)
        call = float(self.call or cell)
        return replace(
            _USUAL,
            memory=self.memory * _MIB,
            file_size=self.file_size * _MIB,
            folder_size=self.folder_size * _MIB,
            processes=self.processes,
            cell=cell,
            call=call,
            submission=self.submission or max(_USUAL.submission, 10 * cell),
            patience=2 * call,
            last_chance=max(_USUAL.last_chance, call / 10),
        )
