"""Marks for the cases of a test: a few are tried in every run, all others by `make deep`."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def some_in_every_run(
    cases: Mapping[str, Any], names: Collection[str], *marks: pytest.MarkDecorator
) -> list[ParameterSet]:
    """Return the cases as parameters for pytest; mark those that are not in `names` as `deep`.

    The names of the cases become the ids. If a case is a tuple, its items are several parameters.
    """
    assert set(names) <= cases.keys(), set(names) - cases.keys()
    return [
        pytest.param(
            *(case if type(case) is tuple else (case,)),
            id=name,
            marks=marks if name in names else [*marks, pytest.mark.deep],
        )
        for name, case in cases.items()
    ]


def one_in(step: int, cases: Iterable[Any]) -> list[ParameterSet]:
    """Return the cases as parameters for pytest; mark all but the first of every `step` as `deep`.

    If a case is a tuple, its items are several parameters.
    """
    found = []
    for place, case in enumerate(cases):
        if not isinstance(case, ParameterSet):
            case = pytest.param(*(case if type(case) is tuple else (case,)))
        marks = [*case.marks, *[pytest.mark.deep] * (place % step > 0)]
        found.append(pytest.param(*case.values, id=case.id, marks=marks))
    return found
