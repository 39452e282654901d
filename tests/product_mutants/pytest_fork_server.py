"""A program that runs pytest in forks of itself, and a plugin of pytest that notes what happens.

This file is copied out of the project, because the tests see another tree in the project's place.
So it imports nothing of the project.
"""

import importlib
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest


def serve(modules: list[str]) -> None:
    """Import `modules`; then run pytest in a fork for each line of standard input.

    A line is a JSON list of pytest's arguments. Print the process id of a fork when it begins, and
    its exit status when it has ended.
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
    """Keep only the tests in `asked.json`, in the order of that list; if it is null, keep all."""
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
    serve(sys.argv[1:])
