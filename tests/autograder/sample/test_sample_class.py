"""The sample class: of any size, equal every time, and never written over other files."""

import json
from pathlib import Path

import pytest

from autograder.course_adapter import ROOT, lesson, lessons
from autograder.misconceptions import catalogue
from autograder.sample import Sampler, make_class, real_class
from tests.autograder.conftest import LESSON, Autograder, make_course
from tests.lessons.right import StyledSampler


@pytest.mark.parametrize("size", [1, 12, 500])
def test_a_class_is_as_big_as_asked_for_the_same_each_time_and_no_name_comes_twice(
    size: int, sampler: Sampler
) -> None:
    names = [student.name for student in make_class(sampler, size)]
    assert len(set(names)) == size
    assert names == [student.name for student in make_class(sampler, size)]


@pytest.mark.deep
def test_no_name_comes_twice_in_a_class_of_any_lesson() -> None:
    for one in lessons():
        kinds = Sampler(ROOT, one.id).students().values()
        names = [student.name for students in kinds for student in students]
        assert len({*names}) == len(names), one.id


def test_a_small_class_has_some_of_everything(sampler: Sampler) -> None:
    kinds = {student.kind for student in make_class(sampler, 12)}
    assert kinds == {kind for kind, students in sampler.students().items() if students}


@pytest.mark.slow
def test_a_class_is_a_course_folder_in_which_grading_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autograder: Autograder
) -> None:
    monkeypatch.chdir(ROOT)
    into = tmp_path / "class"
    assert autograder("sample", LESSON, "--students", 3, "--into", into).exit_code == 0
    monkeypatch.chdir(into)
    lines = autograder("grade", LESSON, "--workers", 1).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == sorted(
        path.name for path in (into / "submitted").iterdir()
    )


@pytest.mark.deep
def test_each_student_of_a_class_loses_the_checks_of_the_own_mistake_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autograder: Autograder
) -> None:
    lesson_id = "6-the-whole-game"
    course = make_course(tmp_path / "course", lesson_id)
    students = real_class(StyledSampler(ROOT, lesson_id), 60)
    for student in students:
        student.hand_in(course / "submitted" / student.name / lesson_id)
    monkeypatch.chdir(course)
    lines = map(json.loads, autograder("grade", lesson_id, "--json").stdout.splitlines())
    lost = {
        line["student"]: tuple(one["id"] for one in line["checks"] if one["outcome"] != "passed")
        for line in lines
    }
    loses = {one.id: one.loses for one in catalogue(lesson_id)}
    broken = {one.name for one in students if one.kind == "broken"}
    last = lesson(lesson_id).exercises[-1].checks
    assert broken
    assert all(lost[name] and set(lost[name]) <= last.keys() for name in broken)
    says = {one.name: loses.get(one.kind, ()) for one in students if one.name not in broken}
    assert {name: checks for name, checks in lost.items() if name not in broken} == says


@pytest.mark.parametrize("there", ["thesis.txt", "an earlier class"])
def test_a_folder_with_anything_in_it_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autograder: Autograder, there: str
) -> None:
    monkeypatch.chdir(ROOT)
    into = tmp_path / "class"
    if there == "an earlier class":
        assert autograder("sample", LESSON, "--students", 2, "--into", into).exit_code == 0
    else:
        into.mkdir()
        (into / there).write_text("precious")
    before = sorted(into.rglob("*"))
    result = autograder("sample", LESSON, "--students", 3, "--into", into)
    assert result.exit_code == 2
    assert "is not empty" in result.stderr
    assert sorted(into.rglob("*")) == before


def test_an_assignment_of_another_course_is_refused_with_a_sentence(
    tmp_path: Path, autograder: Autograder
) -> None:
    result = autograder("sample", "ps1", "--students", 3, "--into", tmp_path / "class")
    assert result.exit_code == 2
    assert "of the lessons of 2048, and ps1 is none of them" in result.stderr
    assert not (tmp_path / "class").exists()
