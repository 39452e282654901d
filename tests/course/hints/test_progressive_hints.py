"""Hints on request: if the learner's mistake is known, hints are about it; the last is a puzzle."""

import re
from random import Random

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course.checks import CheckFailed, check
from course.hints.diagnosis import note_check
from course.hints.progressive_hints import (
    TRY_FIRST,
    TRY_FIRST_ALONE,
    PuzzleHint,
    hint,
    note_failure,
)
from course.lessons import lessons
from course.refusal import Refusal


@pytest.fixture(autouse=True)
def fresh_hints():
    yield
    InteractiveShell.clear_instance()


def run(*cells):
    """Run cells in the notebook; return the notebook's shell, and the result of the last cell."""
    shell = InteractiveShell.instance()
    return shell, [shell.run_cell(cell) for cell in cells][-1]


PRINTS = "def merge(line):\n    print(line)"
ENDLESS = "def merge(line):\n    while True:\n        pass"
WHAT_BACK = "What does `merge` give back?"


def test_each_call_says_more_and_the_last_one_is_repeated():
    run("winning_tile = 512")
    steps = [hint("winning_tile").text for _ in range(4)]
    assert len(set(steps)) == 3
    assert steps[3] == steps[2] == "Write `winning_tile = 2048`."


def test_an_answer_that_is_one_word_waits_until_something_was_tried():
    run("")
    assert [hint("winning_tile").text == TRY_FIRST_ALONE for _ in range(3)] == [False, False, True]
    run("winning_tile = 512")
    assert hint("winning_tile").text == "Write `winning_tile = 2048`."


HELPED = """
def close_gaps(line):
    return sorted(line, reverse=True)
def merge(line):
    squares = close_gaps(line)
    for index in range(len(squares) - 1):
        if squares[index] == squares[index + 1]:
            squares[index : index + 2] = [2 * squares[index], 0]
    return close_gaps(squares)
"""


def test_a_wrong_helper_of_ones_own_comes_first():
    run(HELPED)
    assert hint("merge").text.startswith("Your `merge` uses your `close_gaps`")
    # Its `merge` closes gaps, so the hint about that is left out.
    assert hint("merge").text.startswith("When two neighbours are equal")
    assert hint("close_gaps").text == "Do the tiles keep their order?"


TILES = """
def empty_cells(board):
    rows = range(len(board))
    return [(row, column) for row in rows for column in range(len(board[0])) if board[row][column]]
def spawn(board, rng, p_four=0.1):
    cells = empty_cells(board)
    if not cells:
        raise ValueError("no empty square")
    row, column = rng.choice(cells)
    new = [squares.copy() for squares in board]
    new[row][column] = 4 if rng.random() < p_four else 2
    return new
"""
OVER = """
from course.rules import rotate
def has_pair(line):
    found = False
    for here, behind in zip(line, line[1:]):
        found = here == behind != 0
    return found
def is_over(board):
    if any(0 in row for row in board):
        return False
    return not any(has_pair(line) for line in board + rotate(board))
"""


def test_a_wrong_helper_is_named_also_where_an_error_or_a_rare_board_is_asked_for():
    shell, _ = run(TILES, OVER)
    with pytest.raises(CheckFailed, match="uses your `empty_cells`"):
        check(shell.user_ns["spawn"], [[2, 4], [8, 16]], Random(1), raises=ValueError)
    assert hint("is_over").text.startswith("Your `is_over` uses your `has_pair`")


def test_the_learners_own_mistake_is_what_the_hint_is_about():
    run("def merge(line):\n    return sorted(line, reverse=True)")
    assert hint("merge").text != WHAT_BACK
    run(PRINTS)
    assert hint("merge").text == WHAT_BACK


def test_hints_are_about_the_failure_that_is_shown_and_begin_anew_with_another_program():
    run("from course import check\nfrom course.rules import slide as right")
    begun = []
    for change in ("lower", "strip", "strip"):
        _, result = run(
            f"def slide(board, direction):\n    return right(board, direction.{change}())",
            "check.many(slide, [([[2]], 'Left'), ([[2]], ' left')], raises=ValueError)",
        )
        note_failure("slide", result.error_in_exec)
        begun.append([hint("slide").text for _ in range(2)])
    said = result.error_in_exec.diagnosis
    assert said.id == "raises-not-always"
    assert begun[0] == begun[1] == [said.nudge, said.explain]
    assert begun[2][0] == said.show  # the same program once more: the hints go on
    run("def slide(board, direction):\n    print(board)")
    assert hint("slide").text == "What does `slide` give back?"


GAME = """
from course.rules import Game as Right
class Game(Right):
    is_over = property(lambda self: all(0 not in row for row in self.board))
"""


@pytest.mark.parametrize(
    ("cell", "name", "said"),
    [
        ("from course.rules import merge", "merge", "Close the gaps first."),
        (GAME, "Game.is_over", "Can two tiles still merge on a full board?"),
        (GAME, "Game.move", "First ask whether the move is legal"),
        (ENDLESS, "merge", "Does a loop in `merge` never end, or does something wait there?"),
    ],
    ids=["right", "a wrong part", "a right part", "endless"],
)
def test_the_first_hint_is_about_the_exercise_or_its_own_mistake(cell, name, said):
    run(cell)
    assert hint(name).text.startswith(said)


def test_of_a_function_that_sometimes_never_ends_a_call_is_shown():
    run(
        "def merge(line):\n    tiles = []\n    while len(tiles) < len(line):\n"
        "        tiles += [tile for tile in line if tile]\n    return tiles"
    )
    hint("merge")
    assert re.search(r"`merge\(\[0(, 0)*\]\)` had given no answer", hint("merge").text)


def test_a_function_may_stand_for_its_name():
    def merge(line):
        print(line)

    assert hint(merge).text == WHAT_BACK


@pytest.mark.parametrize("asked", [3, None, ["merge"]], ids=repr)
def test_what_is_no_name_is_answered_with_what_to_write(asked):
    with pytest.raises(Refusal, match=r'as hint\("merge"\), and not'):
        hint(asked)


def test_an_unknown_exercise_is_refused_in_a_sentence_with_the_name_that_is_like_it():
    with pytest.raises(ValueError, match="did you mean 'merge'"):
        hint("merg")
    with pytest.raises(Refusal) as refused:
        hint(len)
    assert refused.value._render_traceback_()[0].startswith("there is no exercise 'len'")


@pytest.mark.parametrize(
    "body",
    [
        "exit()",
        "raise SystemExit",
        "raise KeyboardInterrupt",
        "return merge(line)",
        "return input()",
        "while True:\n        try:\n            line.index(3)\n        except:\n            pass",
        "return type('L', (list,), {'__len__': lambda self: 1 / 0})()",
        "line.append(line)\n    return line",
    ],
)
def test_a_function_in_any_trouble_gets_a_hint_and_no_traceback(body):
    run(f"def merge(line):\n    {body}")
    assert hint("merge").text


def test_the_last_hint_is_a_puzzle_that_is_text_for_every_reader():
    run("from course.rules import merge")
    steps = [hint("merge") for _ in range(4)]
    assert [step.title for step in steps] == [f"Hint {n} of 3" for n in (1, 2, 3, 3)]
    assert isinstance(steps[2], PuzzleHint)
    assert repr(steps[2]).startswith("Hint 3 of 3: Below `def merge(line):` put these lines")
    assert "  8. squares = close_gaps(line)" in repr(steps[2])


METHOD = """
from course.rules import Game as Whole
class Game(Whole):
    def move(self, direction):
        raise NotImplementedError
"""


@pytest.mark.parametrize(
    ("name", "cell", "tried"),
    [
        ("merge", "", "from course.rules import merge"),
        (
            "merge",
            "def merge(line):\n    raise NotImplementedError()",
            "from course.rules import merge",
        ),
        ("Game.move", METHOD, "Game.move = lambda self, way: Whole.move(self, way)"),
    ],
    ids=["not defined", "as it was given out", "a method"],
)
def test_the_puzzle_waits_until_the_learner_has_tried(name, cell, tried):
    run(cell)
    assert [hint(name).text == TRY_FIRST for _ in range(4)] == [False, False, True, True]
    run(tried)
    assert isinstance(hint(name), PuzzleHint)


@pytest.mark.parametrize("cell", [PRINTS, pytest.param(ENDLESS, marks=pytest.mark.deep)])
def test_after_all_that_is_known_of_a_mistake_the_puzzle_is_offered(cell):
    run(cell)
    steps = [hint("merge") for _ in range(5)]
    assert [step.title for step in steps] == [f"Hint {n} of 4" for n in (1, 2, 3, 4, 4)]
    assert [isinstance(step, PuzzleHint) for step in steps] == [False, False, False, True, True]


def test_no_hint_tells_the_whole_answer_before_something_was_tried():
    run("")
    for exercise in [found for lesson in lessons() for found in lesson.exercises]:
        texts = [hint(exercise.name).text for _ in range(4)]
        assert texts[-1] in (TRY_FIRST, TRY_FIRST_ALONE)
        assert exercise.hints[-1] not in texts


def test_what_is_said_of_an_index_is_true_of_a_loop_that_begins_at_one():
    run(
        "def merge(line):\n"
        "    for index in range(1, len(line) + 1):\n"
        "        if line[index - 1] == line[index] != 0:\n"
        "            line[index - 1] = 0\n"
        "    return line\n"
    )
    first, second, third = [hint("merge").text for _ in range(3)]
    assert first == "Which index does the last thing in a list have?"
    assert "0 to 3" in second
    assert third.startswith("Print the index and the length of the list, one line before the error")


def test_a_check_in_a_notebook_gives_the_hint_of_the_part_that_it_is_about():
    run(
        "from course import add_to, check\nfrom course.rules import Score as Whole\n"
        "class Score(Whole):\n    is_high = property(lambda self: 'no')\n"
        "    def __str__(self):\n        return 'Sum'\n"
    )
    for name, asked, part in (
        ("score-text", "text='Score: 12'", "Score.__str__"),
        ("score-is-high", "is_high=False", "Score.is_high"),
    ):
        note_check(name)
        _, result = run(f"check.object(Score, {{'total': 12}}, {asked})")
        assert result.error_in_exec.diagnosis.exercise == part
    note_check("")
