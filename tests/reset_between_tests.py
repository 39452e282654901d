"""Hooks that keep tests independent of each other, and of chance.

`tests/conftest.py` registers this module as a plugin. Hooks that stand in that file itself would
not be called by pytest for the doctests of the product, which lie outside of `tests/`.
"""

import gc
import random
from collections.abc import Generator
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest

from course import handing_in
from course.checks import failed
from course.hints import progressive_hints
from course.mine import keeping
from course.widgets import hint_widget, live_widget
from course.widgets.below_cells import cells_without_name, check_strip, success_marks


def pytest_runtest_setup() -> None:
    """Clear all that modules of the course have kept from earlier tests, as in a new notebook."""
    for kept in (
        progressive_hints._shown,
        progressive_hints._failed,
        failed._failed,
        handing_in._given,
        hint_widget._last,
        live_widget._cells,
        cells_without_name._runs,
        keeping._told,
        success_marks._here,
        success_marks._shown,
        check_strip._shown,
    ):
        kept.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Leave nothing to chance while programs of learners run in the process of the tests.

    Each `Random()` without a seed gets one, the same in every run of the test. Python collects no
    garbage meanwhile: in the depths of an endless recursion, a `__del__` that it calls may fail,
    and so would the test.
    """
    if not item.nodeid.startswith(("tests/course/", "tests/lessons/", "course/")):
        return (yield)
    numbers, seed = count(), random.Random.seed

    def begin(self: random.Random, start: Any = None, version: int = 2) -> None:
        seed(self, f"{item.nodeid} {next(numbers)}" if start is None else start, version)

    random.seed(item.nodeid)
    gc.disable()
    try:
        with patch.object(random.Random, "seed", begin):
            return (yield)
    finally:
        gc.enable()
