"""Cases that are tried in every run, and the many more that the deep suite tries."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def some_in_every_run(
    cases: Mapping[str, Any], names: Collection[str], *marks: pytest.MarkDecorator
) -> list[ParameterSet]:
    """Parameters by their ids: those of these names for every run, all others marked `deep`.

    A case that is a tuple is several parameters.
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
    """The first of each `step` parameters for every run, the others marked `deep`."""
    return [
        pytest.param(
            *(case.values if isinstance(case, ParameterSet) else (case,)),
            id=case.id if isinstance(case, ParameterSet) else None,
            marks=[*(case.marks if isinstance(case, ParameterSet) else ())]
            + [pytest.mark.deep] * (place % step > 0),
        )
        for place, case in enumerate(cases)
    ]
