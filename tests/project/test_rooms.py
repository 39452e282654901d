"""Every room is where a reader looks for it: tests have the rooms of what they test."""

from pathlib import Path

import pytest

from autograder.course import ROOT

TOP = {"course", "source", "release", "autograder", "tests"}


def rooms(folder: Path) -> set[str]:
    """The folders right below a folder that hold Python files of their own."""
    return {path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("*.py"))}


@pytest.mark.parametrize("part", ["course", "autograder"])
def test_tests_have_no_room_that_the_code_does_not_have(part: str):
    assert rooms(ROOT / "tests" / part) <= rooms(ROOT / part)


@pytest.mark.parametrize("part", ["course", "autograder"])
def test_a_test_stands_in_the_room_that_it_tests(part: str):
    for room in rooms(ROOT / "tests" / part):
        files = list((ROOT / "tests" / part / room).glob("test_*.py"))
        named = [path for path in files if f"{part}.{room}" in path.read_text(encoding="utf-8")]
        assert named, f"nothing in tests/{part}/{room} names {part}.{room}"


@pytest.mark.parametrize("part", ["course", "autograder"])
def test_every_room_says_in_one_sentence_what_it_is(part: str):
    for room in sorted(rooms(ROOT / part)):
        start = ROOT / part / room / "__init__.py"
        assert start.read_text(encoding="utf-8").startswith('"""'), start
