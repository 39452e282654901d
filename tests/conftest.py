"""What every test run says at its end: how many tests of each kind there were."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

# No test fails because the machine is busy.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

# These run beside Orca, which has its own Python.
collect_ignore_glob = ["browser/orca/*"]
KINDS = {"tests/lessons": "course", "tests/browser": "browser"}
# These start nbgrader, jails or many programs, test after test: `make quick` leaves them out.
SLOW = (
    "tests/autograder/records/",
    "tests/autograder/jail/",
    "tests/autograder/reports/",
    "tests/autograder/judge/test_cost.py",
    "tests/autograder/judge/test_idioms.py",
    "tests/autograder/judge/test_secrecy.py",
    "tests/autograder/judge/test_time.py",
    "tests/autograder/judge/test_uses.py",
    "tests/autograder/notebook/test_damaged.py",
    "tests/autograder/notebook/test_fuzz.py",
    "tests/autograder/notebook/test_growth.py",
    "tests/autograder/test_cli.py",
    "tests/autograder/test_sample.py",
    "tests/autograder/test_workers.py",
    "tests/autograder/tournament/",
    "tests/course/checks/test_chance.py",
    "tests/course/duel/test_trials.py",
    "tests/course/hints/test_asking.py",
    "tests/course/hints/test_chance.py",
    "tests/course/hints/test_puzzles.py",
    "tests/course/mine/test_add_to.py",
    "tests/course/mine/test_needs.py",
    "tests/course/mine/test_whose.py",
    "tests/course/widgets/test_in_a_kernel.py",
    "tests/lessons/test_holes.py",
    "tests/lessons/test_named.py",
    "tests/project/test_wheel.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests come first: at the end, no worker is left with a long one."""
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
    items.sort(key=is_quick)


def is_quick(item: pytest.Item) -> bool:
    """Whether `make quick` runs it."""
    return not (item.get_closest_marker("slow") or item.get_closest_marker("browser"))


def kind_of(nodeid: str) -> str:
    return next((kind for start, kind in KINDS.items() if nodeid.startswith(start)), "unit")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
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
