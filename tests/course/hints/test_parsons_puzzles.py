"""Puzzles, in which learners put lines in order: an order is right if the program then works."""

from itertools import product

import pytest

from course.hints.parsons_puzzles import (
    EMPTY,
    RIGHT,
    Puzzle,
    Row,
    is_untouched,
    judge,
    puzzle,
    works,
)
from course.lessons import lessons
from tests.parametrize_marks import some_in_every_run


def known(name: str) -> Puzzle:
    found = puzzle(name)
    assert found is not None
    return found


MERGE = known("merge")
EXERCISES = [each.name for lesson in lessons() for each in lesson.exercises]
NAMES = {name: name for name in EXERCISES if puzzle(name)}
SOME = ("merge", "slide", "spawn", "points", "Game.move")
EACH = pytest.mark.parametrize("name", some_in_every_run(NAMES, SOME))


def swapped(rows: tuple[Row, ...], first: int, second: int) -> tuple[Row, ...]:
    """Return the rows with the texts of two rows exchanged; no row changes its indentation."""
    texts = [row.text for row in rows]
    texts[first], texts[second] = texts[second], texts[first]
    return tuple(Row(text, row.indent) for text, row in zip(texts, rows, strict=True))


def indented(rows: tuple[Row, ...], index: int, indent: int) -> tuple[Row, ...]:
    return (*rows[:index], Row(rows[index].text, indent), *rows[index + 1 :])


@EACH
def test_the_right_order_is_right_and_what_can_become_right_is_not_found_fault_with(name: str):
    about = known(name)
    assert judge(about, about.lines).sentence == RIGHT
    for end in range(1, len(about.lines)):
        assert judge(about, about.lines[:end]).line is None


@EACH
def test_a_stray_never_does_the_work_of_a_line(name: str):
    about = known(name)
    for stray, (place, line) in product(about.strays, enumerate(about.lines)):
        rows = (*about.lines[:place], Row(stray, line.indent), *about.lines[place + 1 :])
        assert not works(about, rows), f"{stray} works in place of {line.text}"


@EACH
def test_a_program_that_lacks_a_line_is_never_right(name: str):
    about = known(name)
    for place in range(len(about.lines)):
        assert not judge(about, about.lines[:place] + about.lines[place + 1 :]).is_right


@EACH
def test_the_pile_is_mixed_and_has_every_line_once(name: str):
    about = known(name)
    lines = [line.text for line in about.lines]
    assert sorted(about.pile()) == sorted([*lines, *about.strays])
    assert [text for text in about.pile() if text in lines] != lines or len(lines) == 1
    assert about.pile() == about.pile()


@EACH
def test_a_puzzle_is_small_enough_to_be_seen_at_once(name: str):
    about = known(name)
    assert len(about.lines) <= 15
    assert 1 <= len(about.strays) <= 2
    assert all(why.endswith(".") for why in about.strays.values())


SCORE, OVER = known("Score").lines, known("is_over").lines


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("merge", swapped(MERGE.lines, 3, 4)),
        ("traverse", swapped(known("traverse").lines, 0, 1)),
        ("traverse", swapped(known("traverse").lines, 4, 5)),
        ("Game.reset", known("Game.reset").lines[::-1]),
        ("Score", (*SCORE[2:4], *SCORE[:2], *SCORE[4:])),
        ("is_over", (*OVER[3:6], *OVER[:3], OVER[6])),
    ],
    ids=["a pair of lines", "at the start", "in a loop", "all", "methods", "blocks"],
)
def test_every_order_that_works_is_right(name: str, rows: tuple[Row, ...]):
    assert rows != known(name).lines
    assert judge(known(name), rows).is_right


def test_a_block_may_come_before_another_that_is_not_there_yet():
    for start in (SCORE[2:3], SCORE[4:5], SCORE[4:7], (*SCORE[7:9], *SCORE[4:6])):
        assert judge(known("Score"), start).line is None
    starts = known("start_squares").lines
    assert judge(known("start_squares"), (starts[0], starts[5], starts[6])).line is None


OUT_OF_PLACE = "is the first that is out of place."
INDENTED = "stands in the right place, but its indentation is not right yet."
STRAY = "does not belong to the program. After a merge there is a gap that has to be closed."
ONE_MISSING = "What stands here is right. One line is still missing: look in the bin."
LATE = (*MERGE.lines[:2], *MERGE.lines[3:5], MERGE.lines[2], MERGE.lines[5])
SENTENCES = {
    "a line too early": (swapped(MERGE.lines, 0, 5), f"Line 1 {OUT_OF_PLACE}", 1),
    "a line too late": (LATE, f"Line 3 {OUT_OF_PLACE} The lines above it are right.", 3),
    "not far enough in": (indented(MERGE.lines, 3, 2), f"Line 4 {INDENTED}", 4),
    "too far in": (indented(MERGE.lines, 5, 2), f"Line 6 {INDENTED}", 6),
    "a stray": ((*MERGE.lines[:5], Row("return squares", 1)), f"Line 6 {STRAY}", 6),
    "a line is in the bin": (MERGE.lines[:5], ONE_MISSING, None),
    "nothing": ((), EMPTY, None),
}


@pytest.mark.parametrize("fault", SENTENCES)
def test_the_first_line_that_is_wrong_is_named(fault: str):
    rows, sentence, line = SENTENCES[fault]
    finding = judge(MERGE, rows)
    assert (finding.is_right, finding.sentence, finding.line) == (False, sentence, line)


LINES = (Row("while line:", 1), Row("line.pop()", 2), Row("return 0", 1))
CALL = "points([2, 2])"
LOOP = Puzzle("points", "def points(line):", LINES, {}, (CALL,), {"call": CALL})


def test_a_program_that_never_ends_is_ended():
    finding = judge(LOOP, (LINES[0], Row("return 0", 1), Row("line.pop()", 2)))
    assert (finding.is_right, finding.line) == (False, 2)
    assert not works(LOOP, (LINES[0], Row("line[:] = line", 2)))


def test_the_learners_own_functions_are_not_touched_by_a_puzzle():
    from course import rules

    before = dict(vars(rules.Game))
    assert judge(known("Game.move"), known("Game.move").lines).is_right
    assert dict(vars(rules.Game)) == before


def stub(line):
    raise NotImplementedError


class Begun:
    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        self.board = [[2]]


def test_whether_a_learner_has_begun_is_seen_by_what_the_function_does():
    assert is_untouched(MERGE, None)
    assert is_untouched(MERGE, stub)
    assert not is_untouched(MERGE, lambda line: line[9])
    assert not is_untouched(MERGE, lambda line: None)
    assert is_untouched(known("Game.move"), Begun)
    Begun.move = lambda self, direction: False
    assert not is_untouched(known("Game.move"), Begun)
