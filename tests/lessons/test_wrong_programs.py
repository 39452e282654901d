"""Programs with a mistake that no single call shows: each loses the checks for this mistake."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from course.lessons import cell_of
from tests.deep_cases import some_in_every_run
from tests.lessons.running import lost_checks

FILES = sorted(Path(__file__).with_name("wrong").glob("*.toml"))


def wrong_programs() -> list[object]:
    found = {
        f"{path.stem}-{hole['exercise']}-{hole['title']}": (path.stem, hole)
        for path in FILES
        for hole in tomllib.loads(path.read_text("utf-8"))["hole"]
    }
    return some_in_every_run(found, [*found][::10])


@pytest.mark.slow
@pytest.mark.parametrize(("lesson_id", "hole"), wrong_programs())
def test_a_program_that_is_wrong_in_many_calls_loses_its_checks(
    lesson_id: str, hole: dict[str, Any]
):
    replaced = {cell_of(hole["exercise"]): hole["program"]}
    lost = lost_checks(lesson_id, replaced, only=hole["loses"])
    assert lost == hole["loses"]
