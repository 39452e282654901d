"""The paths by which configurations of courses name our classes, older ones included."""

from importlib import import_module

import pytest
from traitlets.utils.importstring import import_item

FORMER = (
    "setup.use_autograder",
    "autograde.take_the_place_of_nbgraders",
    "preprocessors.Repair",
    "preprocessors.Judge",
    "hidden.Withhold",
    "exports.Canvas",
    "exports.Moodle",
    "collectors.FromCourse",
)


@pytest.mark.parametrize("path", FORMER)
def test_a_path_of_earlier_releases_leads_to_what_it_did(path: str) -> None:
    found = import_item(f"autograder.records.{path}")
    home = import_module(found.__module__)
    assert home.__name__.startswith("autograder.gradebook.")
    assert getattr(home, found.__name__) is found
