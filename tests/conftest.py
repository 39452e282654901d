"""The set-up of every test run: a temporary folder, the slow tests first, a count at the end."""

import gc
import os
import shutil
import signal
import tempfile
from collections import Counter
from multiprocessing.util import _exit_function, get_temp_dir
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from autograder.system.shutdown import do_last
from tests import reset_between_tests

# Hypothesis makes up the same cases in every run; none fails because the machine is busy.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")

KINDS = {"tests/lessons": "course", "tests/browser": "browser"}
# These start nbgrader, jails or many programs, test after test: `make quick` leaves them out.
SLOW = (
    "tests/bench/",
    "tests/autograder/gradebook/",
    "tests/autograder/jail/",
    "tests/autograder/reports/",
    "tests/autograder/judge/test_judge_memory_and_time.py",
    "tests/autograder/judge/test_instructor_tests.py",
    "tests/autograder/judge/test_secrecy.py",
    "tests/autograder/judge/test_time_limits.py",
    "tests/autograder/judge/test_accepted_objects.py",
    "tests/autograder/notebook/test_fuzz.py",
    "tests/autograder/notebook/test_changed_metadata.py",
    "tests/autograder/notebook/test_make_graded_notebook.py",
    "tests/autograder/test_cli.py",
    "tests/autograder/sample/",
    "tests/autograder/workers/test_executors.py",
    "tests/autograder/tournament/",
    "tests/course/checks/test_statistical_checks.py",
    "tests/course/checks/test_agent_checks.py",
    "tests/course/hints/test_progressive_hints.py",
    "tests/course/hints/test_spawning_facts.py",
    "tests/course/hints/test_parsons_puzzles.py",
    "tests/course/lab/",
    "tests/course/mine/test_add_to_class.py",
    "tests/course/mine/test_keeping.py",
    "tests/course/mine/test_kept_dependencies.py",
    "tests/course/mine/test_own_or_course.py",
    "tests/course/widgets/test_in_a_kernel.py",
    "tests/lessons/test_flaky_grades.py",
    "tests/lessons/test_diagnosed_programs.py",
    "tests/project/test_contributing.py",
    "tests/project/test_wheel.py",
)


TEMPORARY = pytest.StashKey[Path]()
LEFT = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Make one folder for all temporary files of a run, including those of its workers."""
    config.pluginmanager.register(reset_between_tests)
    # A shell makes what it starts with `&` ignore Ctrl+C, and `nohup` makes it ignore the end of
    # the terminal. All that the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if not hasattr(config, "workerinput"):
        os.environ["NODE_DISABLE_COMPILE_CACHE"] = "1"  # Playwright's driver would keep one
        get_temp_dir()  # made before ours, because multiprocessing removes it only at exit
        config.stash[TEMPORARY] = Path(tempfile.mkdtemp(prefix="tests-"))
        config.stash[TEMPORARY].chmod(0o711)  # PostgreSQL's own user has a folder in it
        os.environ["TMPDIR"] = tempfile.tempdir = str(config.stash[TEMPORARY])
    gc.disable()  # until all tests are collected: nothing of them is garbage


def pytest_collection_finish() -> None:
    """Start the garbage collector again, but keep it from looking through the collected tests."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that has left something in the temporary folder."""
    folder = session.config.stash.get(TEMPORARY, None)
    # Python would do both at its exit, but xdist ends a worker before that if it is slow.
    do_last()
    _exit_function()  # removes the temporary folder of multiprocessing
    if folder is not None:
        session.config.stash[LEFT] = sorted(filter(is_left, os.listdir(folder)))
        if session.config.stash[LEFT]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def is_left(name: str) -> bool:
    """Return true if a file or folder of this name is a fault at the end of a run.

    The folder of a jail is no fault while the jail's process still runs, because this process will
    remove the folder. The folders of pytest and of Dask are never a fault.
    """
    kind, _, rest = name.partition("-")
    is_owned = kind == "jail" and Path("/proc", rest.partition("-")[0]).exists()
    return not is_owned and not name.startswith(("pytest-of-", "dask-scratch-space"))


def pytest_unconfigure(config: pytest.Config) -> None:
    if TEMPORARY in config.stash:
        shutil.rmtree(config.stash[TEMPORARY], ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests, and put them first, so that no worker has a long test at the end."""
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
    items.sort(key=is_quick)


def is_quick(item: pytest.Item) -> bool:
    return not (item.get_closest_marker("slow") or item.get_closest_marker("browser"))


def kind_of(nodeid: str) -> str:
    return next((kind for start, kind in KINDS.items() if nodeid.startswith(start)), "unit")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if left := config.stash.get(LEFT, []):
        terminalreporter.section("left in the temporary folder, which is a failure")
        terminalreporter.write_line(", ".join(left))
    passed = Counter(kind_of(report.nodeid) for report in terminalreporter.getreports("passed"))
    rows = [
        str(value)
        for report in terminalreporter.getreports("passed")
        for key, value in report.user_properties
        if key == "table"
    ]
    if rows:
        terminalreporter.section("lesson, misconception, checks lost")
        terminalreporter.write_line("\n".join(sorted(rows)))
    counts = [f"{passed[kind]} {kind} tests" for kind in ("unit", "course", "browser")]
    terminalreporter.section("passed")
    terminalreporter.write_line(", ".join(counts))
