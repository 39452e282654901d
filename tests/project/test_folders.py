"""Folders of the product ("rooms"): each stands where a reader looks for it, and says what it is.

No two classes or files of the product have the same name, and no name is a riddle.
"""

import ast
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path, PurePath

import pytest

from autograder.course_adapter import ROOT
from tests.project import conftest

LONGEST = 60  # lines of a README, one page
FEW = 3  # files; a room with more of them needs a README
MOST = 15  # files of a room, with its README
MOST_AT_THE_ROOT = 12  # files of `autograder/` itself
MOST_OF_THE_PRODUCT = 300  # files of code
CODE = {".py", ".js", ".mjs", ".css"}
SAMPLES = ROOT / "tests" / "samples"  # programs to try, one a file, not code to read
NAMED = re.compile(r"`((?:[\w.*-]+/)*[\w.*-]+\.(?:py|js|mjs|css|toml|json|md))`")
# Files of a learner, of another course, and the example of CONTRIBUTING.md.
ELSEWHERE = {"my_2048.py", "my_2048_results.json", "names.toml", "exercises.json"}
ELSEWHERE |= {"course/exercises/4-game-over/4-largest_tile.toml"}


@cache
def tracked() -> tuple[Path, ...]:
    """Return all files of the project."""
    return tuple(ROOT / name for name in conftest.tracked())


def rooms(folder: Path) -> set[str]:
    """Return the names of those folders directly in `folder` that directly contain Python files."""
    return {path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("*.py"))}


READMES = sorted(path for path in tracked() if path.name == "README.md")
GUIDES = [*READMES, ROOT / "CONTRIBUTING.md", ROOT / "autograder" / "GUIDE.md"]


@pytest.mark.parametrize("part", ["course", "autograder"])
def test_a_test_stands_in_the_room_that_it_tests(part: str):
    assert rooms(ROOT / "tests" / part) <= rooms(ROOT / part)
    for room in rooms(ROOT / "tests" / part):
        files = list((ROOT / "tests" / part / room).glob("test_*.py"))
        named = [path for path in files if f"{part}.{room}" in path.read_text(encoding="utf-8")]
        assert named, f"nothing in tests/{part}/{room} names {part}.{room}"


@pytest.mark.parametrize("part", ["course", "autograder"])
def test_every_room_says_what_it_is_in_a_sentence_or_if_it_is_large_on_a_page(part: str):
    for room in sorted(rooms(ROOT / part)):
        start = ROOT / part / room / "__init__.py"
        assert start.read_text(encoding="utf-8").startswith('"""'), start
        files = [path for path in tracked() if path.parent == start.parent]
        assert len(files) <= FEW or start.with_name("README.md") in files, room


def folders(part: str) -> dict[Path, int]:
    """Return the folders below a part of the project: folder → number of files directly in it."""
    return Counter(path.parent for path in tracked() if ROOT / part in path.parents)


@pytest.mark.parametrize("part", ["course", "autograder", "tests"])
def test_no_room_has_more_files_than_a_reader_can_overlook(part: str):
    found = folders(part).items()
    assert {room: n for room, n in found if n > MOST and not room.is_relative_to(SAMPLES)} == {}


def test_the_grader_and_the_product_stay_small():
    assert folders("autograder")[ROOT / "autograder"] <= MOST_AT_THE_ROOT
    parts = {ROOT / "course", ROOT / "autograder"}
    code = [path for path in tracked() if path.suffix in CODE and parts & set(path.parents)]
    assert len(code) <= MOST_OF_THE_PRODUCT


def test_a_readme_is_one_page():
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in READMES}
    assert {path: n for path, n in lines.items() if n > LONGEST} == {}


def test_a_guide_names_only_files_that_are_there():
    known = [f"/{file.relative_to(ROOT)}" for file in tracked()]
    for path in GUIDES:
        for name in set(NAMED.findall(path.read_text(encoding="utf-8"))) - ELSEWHERE:
            is_pattern = re.search(r"\*|[A-Z]{4}", name)  # as in `right/LESSON.toml`
            assert is_pattern or any(file.endswith(f"/{name}") for file in known), (path, name)


# -- names ----------------------------------------------------------------------------------------

# Files that many rooms (folders of the product) have.
IN_MANY = {"__init__.py", "__main__.py", "README.md"}
# A stand-in for `course.hints` in the jail, with some of the same names.
TWINS = {"autograder/jail/inside/course_stub/hints.py"}
# Words that do not tell a newcomer what a name is for.
RIDDLES = {"known", "blind", "forgetful", "ours", "theirs", "needs", "taint", "fitness", "whose"}
RIDDLES |= {"ahead", "contest"}
STANDARD = {"LookAheadAgent", "needs_manual_grade"}  # terms of games, and of nbgrader


def product() -> list[PurePath]:
    """Return the files of the course and the grader, sorted, without the stand-ins in `TWINS`."""
    return sorted(map(PurePath, set(conftest.tracked("course", "autograder")) - TWINS))


def defined() -> dict[str, list[str]]:
    """Return, for each class or function at the top level, the files that define it."""
    found = defaultdict(list)
    for path in product():
        if path.suffix == ".py":
            for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef | ast.FunctionDef):
                    found[node.name].append(str(path))
    return found


def test_the_name_of_a_file_or_a_class_means_one_thing():
    files = Counter(path.name for path in product() if path.name not in IN_MANY)
    assert {name: count for name, count in files.items() if count > 1} == {}
    classes = {name: files for name, files in defined().items() if re.match("[A-Z]", name)}
    assert {name: files for name, files in classes.items() if len(files) > 1} == {}


@pytest.mark.parametrize("kind", ["files", "definitions"])
def test_no_name_is_a_riddle(kind: str):
    names = {path.stem for path in product()} if kind == "files" else set(defined()) - STANDARD
    words = {name: set(re.split(r"_|(?=[A-Z])", name)) for name in names}
    found = {name for name, parts in words.items() if {part.lower() for part in parts} & RIDDLES}
    assert found == set()
