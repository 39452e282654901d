"""The course inside the jail of a lesson: only what earlier lessons built, and no displays."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.apps.baseapp import NbGrader

import course
from autograder.course_adapter import files_in_jail
from autograder.gradebook.plans_and_limits import conditions_of
from autograder.jail import CHECKS, WarmJail
from autograder.jail.temporary_folder import write_packages
from course.lessons import built_before, lessons
from tests.autograder.grading_helpers import printed


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_only_rules_of_earlier_lessons_are_on_the_disk(lesson):  # type: ignore[no-untyped-def]
    found = files_in_jail(lesson.id).values()
    text = "\n".join(one if isinstance(one, str) else one.read_text("utf-8") for one in found)
    later = [name for entry in lessons() for name in entry.builds]
    withheld = [name for name in later if name not in built_before(lesson.id)]
    assert [name for name in withheld if f"def {name}(" in text or f"class {name}" in text] == []


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_rules_of_earlier_lessons_need_nothing_that_is_not_there(lesson, tmp_path: Path):  # type: ignore[no-untyped-def]
    write_packages(lesson.id, tmp_path)
    names = ", ".join(("DIRECTIONS", *built_before(lesson.id)))
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from course.rules import {names}"
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)


def test_what_a_learner_would_see_is_silent(jail: WarmJail):
    source = """
from course import check, CheckFailed, play, watch, replay, predict, hint, keep, kept
play(merge=len); watch(len, [2]); replay(1); predict("merge", [2], options=[]); hint("merge")
keep(len)
check(len, [2], gives=1)
try:
    check(len, [2], gives=2)
except CheckFailed as failed:
    print(str(failed).splitlines()[0], kept("merge"))
"""
    assert printed(jail, source) == "len([2]) None\n"


def test_the_lesson_of_the_duel_has_no_duel_to_copy_from():
    with WarmJail("9-duel") as jail:  # here, unlike in the jails of tournaments, there is no duel
        source = """
from importlib import import_module
names = ["course.rules.duel", "course.rules.agent", "course.playing", "course.playing.agents",
         "course.playing.duel_engine", "course.checks.agent_checks", "course.widgets.live_duel",
         "course.widgets.agent_tournament", "course.hints.mistakes", "course.games", "course.cases"]
for name in names:
    try:
        import_module(name)
        print(name)
    except ImportError:
        pass
import course, course.rules, sys
later = ("own_square", "push", "push_line", "leader", "Agent", "territory")
print([name for name in later if hasattr(course.rules, name)])
print([name for name in sys.modules if "duel" in name])
from course import play_duel, tournament, check
print(play_duel(), play_duel(push=len, against=int, rounds=30), tournament(int))
options = {"against": "greedy", "games": 2, "wins": 0}
for ask in (lambda: check.agent(int, "place"), lambda: check.duels(int, **options)):
    try:
        ask()
        print("asked")
    except ImportError:
        print("nothing to ask")
"""
        said = printed(jail, source).splitlines()
    assert said == ["[]", "[]", "None None None", "nothing to ask", "nothing to ask"]


def test_all_that_the_course_offers_is_there():
    stub = importlib.import_module("autograder.jail.inside.course_stub")
    assert set(stub.__all__) == set(course.HOMES)


def test_an_earlier_lessons_own_function_is_kept():
    with WarmJail("2-slide-in-four-directions") as jail:
        source = "from course import kept\nprint(kept('merge')([2, 2]))"
        assert printed(jail, source) == "[4, 0]\n"


def test_nothing_but_a_function_or_class_is_kept(jail: WarmJail):
    source = "import course.rules\nfrom course import kept\n"
    assert printed(jail, f"{source}print(course.rules.__spec__ and kept('__spec__'))") == "None\n"


def test_an_assignment_of_another_course_that_imports_this_one_has_checks_and_no_rule():
    source = """
from importlib.util import find_spec
import course.rules
from course import CheckFailed, check, hint, play, watch

check(sorted, [2, 1], gives=[1, 2])
try:
    check(sorted, [2, 1], gives=[2, 1])
except CheckFailed as failed:
    print(failed)
print(hint(sorted), watch(sorted, [1]), find_spec("course.exercises"), find_spec("course.lessons"))
print([name for name, one in vars(course.rules).items() if callable(one)])
"""
    with WarmJail("ps1", preload=(CHECKS,)) as jail:
        failure = "sorted([2, 1])\n  expected  [2, 1]\n  got       [1, 2]\n"
        assert printed(jail, source) == f"{failure}None None None None\n[]\n"


@pytest.mark.parametrize(
    ("code", "is_there"),
    [
        ("from course import check", True),
        ("x = 1\nimport course", True),
        ("# from the course\nfrom courses import x\nprint('of course')", False),
    ],
)
def test_only_an_assignment_that_imports_the_course_has_its_checks(code: str, is_there: bool):
    assert (CHECKS in conditions_of(NbGrader(), confined=True, code=code).preload) is is_there


def test_an_assignment_of_another_course_has_nothing_of_this_one_and_its_own_files():
    with WarmJail("ps1") as jail:
        jail.lay({"data/table.csv": b"1,2"})
        source = """
import importlib.util
print(importlib.util.find_spec("course"), open("data/table.csv").read())
open("data/table.csv", "a").write("3")
"""
        assert printed(jail, source) == printed(jail, source) == "None 1,2\n"
        jail.lay({})
        assert printed(jail, "import os\nprint(os.listdir())") == "[]\n"
