"""What every test run says at its end: how many tests of each kind there were."""

from collections import Counter

import pytest

KINDS = {"tests/lessons": "course", "tests/browser": "browser"}


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
