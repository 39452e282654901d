"""The other ways to write an exercise are right, have an idea of their own, and are short."""

import ast
import re
from itertools import chain

import pytest

from course.lessons import Lesson, definition, exercise, lessons, ways
from tests.lessons.right import right_programs, right_styles
from tests.lessons.running import lost_checks
from tests.parametrize_marks import one_in

WAYS = {each.name: ways(each.name) for entry in lessons() for each in entry.exercises}
MOST_WORDS = 25
WIDEST = 86  # letters: a line that is longer breaks in the strip below a cell
END = re.compile(r"[.!?](?=\s|$)")


class Blank(ast.NodeTransformer):
    """A transformer that takes names and docstrings out of a program, and leaves all else."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "arg", "name"):
            if isinstance(getattr(node, field, None), str):
                setattr(node, field, "")
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return super().generic_visit(node)


def bones(program: str) -> str:
    """Return a text that is the same for programs with other names, docstrings or layout."""
    return ast.dump(Blank().visit(ast.parse(program)))


def test_an_exercise_has_two_or_three_other_ways_or_none():
    assert {name for name, found in WAYS.items() if len(found) not in (0, 2, 3)} == set()


@pytest.mark.slow
@pytest.mark.parametrize("entry", one_in(4, lessons()[1:]))
def test_other_ways_get_full_marks_hidden_checks_too(entry: Lesson):
    for turn in range(3):
        every = {each.cell: ways(each.name)[turn : turn + 1] for each in entry.exercises}
        programs = {cell: way.program for cell, found in every.items() for way in found}
        assert lost_checks(entry.id, programs) == []


@pytest.mark.parametrize("entry", lessons(), ids=lambda entry: entry.id)
def test_other_ways_are_graded_in_all_tests_of_right_programs(entry: Lesson):
    graded = {(right.exercise, right.program) for right in right_styles(entry.id)}
    shown = {(each.name, way.program) for each in entry.exercises for way in ways(each.name)}
    assert shown <= graded


@pytest.mark.parametrize("entry", lessons(), ids=lambda entry: entry.id)
def test_no_two_right_programs_that_learners_see_are_the_same_under_other_names(entry: Lesson):
    seen = [
        (one.exercise, bones(one.program))
        for one in right_programs(entry.id)
        if one.title == "as in the source"
        or one.program in {way.program for way in ways(one.exercise)}
    ]
    assert [name for name, text in seen if seen.count((name, text)) > 1] == []


def test_what_is_good_about_a_way_is_said_in_one_short_sentence():
    for way in chain(*WAYS.values()):
        ends = END.findall(way.sentence)
        assert ends == ["."], way.sentence
        assert way.sentence.endswith("."), way.sentence
        assert len(way.sentence.split()) <= MOST_WORDS, way.sentence
        assert way.sentence.count("`") % 2 == 0, way.sentence


def test_a_line_of_a_way_fits_where_it_is_shown():
    lines = [line for way in chain(*WAYS.values()) for line in way.program.splitlines()]
    assert [line for line in lines if len(line) > WIDEST] == []


def test_a_way_defines_what_the_exercise_asks_for():
    for name, found in WAYS.items():
        asked = definition(exercise(name).cell)
        assert [way for way in found if not asked.search(way.program)] == [], name


def test_an_exercise_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no exercise 'nope'"):
        ways("nope")
