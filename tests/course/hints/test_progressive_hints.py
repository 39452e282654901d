"""`hint("merge")`: if the learner's mistake is known, hints are about it; the last is a puzzle."""

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


def test_each_call_says_more_and_the_last_one_is_repeated():
    InteractiveShell.instance().run_cell("winning_tile = 512")
    steps = [hint("winning_tile").text for _ in range(4)]
    assert len(set(steps)) == 3
    assert steps[3] == steps[2] == "Write `winning_tile = 2048`."


def test_an_answer_that_is_one_word_waits_until_something_was_tried():
    shell = InteractiveShell.instance()
    assert [hint("winning_tile").text == TRY_FIRST_ALONE for _ in range(3)] == [False, False, True]
    shell.run_cell("winning_tile = 512")
    assert hint("winning_tile").text == "Write `winning_tile = 2048`."


def test_a_wrong_helper_of_ones_own_comes_first():
    shell = InteractiveShell.instance()
    shell.run_cell("def close_gaps(line):\n    return sorted(line, reverse=True)")
    shell.run_cell(
        "def merge(line):\n"
        "    squares = close_gaps(line)\n"
        "    for index in range(len(squares) - 1):\n"
        "        if squares[index] == squares[index + 1]:\n"
        "            squares[index : index + 2] = [2 * squares[index], 0]\n"
        "    return close_gaps(squares)\n"
    )
    assert hint("merge").text.startswith("Your `merge` uses your `close_gaps`")
    # Its `merge` closes gaps, so the hint about that is left out.
    assert hint("merge").text.startswith("When two neighbours are equal")
    assert hint("close_gaps").text == "Do the tiles keep their order?"


TILES = """
def empty_cells(board):
    rows = range(len(board))
    return [(row, column) for row in rows for column in range(len(board[0])) if board[row][column]]
"""
LAST = """
def has_pair(line):
    found = False
    for here, behind in zip(line, line[1:]):
        found = here == behind != 0
    return found
"""
SPAWN = """
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
def is_over(board):
    if any(0 in row for row in board):
        return False
    return not any(has_pair(line) for line in board + rotate(board))
"""


def test_a_wrong_helper_is_named_also_where_an_error_or_a_rare_board_is_asked_for():
    shell = InteractiveShell.instance()
    shell.run_cell(TILES + SPAWN)
    with pytest.raises(CheckFailed, match="uses your `empty_cells`"):
        check(shell.user_ns["spawn"], [[2, 4], [8, 16]], Random(1), raises=ValueError)
    shell.run_cell(LAST + OVER)
    assert hint("is_over").text.startswith("Your `is_over` uses your `has_pair`")


def test_an_unknown_exercise_is_refused_with_the_name_that_is_like_it():
    with pytest.raises(ValueError, match="did you mean 'merge'"):
        hint("merg")


def test_the_learners_own_mistake_is_what_the_hint_is_about():
    shell = InteractiveShell.instance()
    shell.run_cell("def merge(line):\n    return sorted(line, reverse=True)")
    first = hint("merge").text
    shell.run_cell("def merge(line):\n    print(line)")
    assert hint("merge").text == "What does `merge` give back?"
    assert first != "What does `merge` give back?"


def test_hints_are_about_the_failure_that_is_shown_and_begin_anew_with_another_program():
    shell = InteractiveShell.instance()
    shell.run_cell("from course import check\nfrom course.rules import slide as right")
    begun = []
    for change in ("lower", "strip", "strip"):
        shell.run_cell(
            f"def slide(board, direction):\n    return right(board, direction.{change}())"
        )
        failed = shell.run_cell(
            "check.many(slide, [([[2]], 'Left'), ([[2]], ' left')], raises=ValueError)"
        ).error_in_exec
        note_failure("slide", failed)
        begun.append([hint("slide").text for _ in range(2)])
    said = failed.diagnosis
    assert said.id == "raises-not-always"
    assert begun[0] == begun[1] == [said.nudge, said.explain]
    assert begun[2][0] == said.show  # the same program once more: the hints go on
    shell.run_cell("def slide(board, direction):\n    print(board)")
    assert hint("slide").text == "What does `slide` give back?"


def test_a_method_gets_hints_about_its_own_mistakes_only():
    shell = InteractiveShell.instance()
    shell.run_cell(
        "from course.rules import Game as Right\n"
        "class Game(Right):\n"
        "    is_over = property(lambda self: all(0 not in row for row in self.board))\n"
    )
    assert hint("Game.is_over").text == "Can two tiles still merge on a full board?"
    assert hint("Game.move").text.startswith("First ask whether the move is legal")


def test_a_right_function_gets_the_hints_of_the_exercise():
    shell = InteractiveShell.instance()
    shell.run_cell("from course.rules import merge")
    assert hint("merge").text.startswith("Close the gaps first.")


def test_a_function_that_never_ends_is_told_so():
    shell = InteractiveShell.instance()
    shell.run_cell("def merge(line):\n    while True:\n        pass")
    assert hint("merge").text == ("Does a loop in `merge` never end, or does something wait there?")


def test_of_a_function_that_sometimes_never_ends_a_call_is_shown():
    shell = InteractiveShell.instance()
    shell.run_cell(
        "def merge(line):\n    tiles = []\n    while len(tiles) < len(line):\n"
        "        tiles += [tile for tile in line if tile]\n    return tiles"
    )
    hint("merge")
    assert re.search(r"`merge\(\[0(, 0)*\]\)` had given no answer", hint("merge").text)


def test_a_function_may_stand_for_its_name():
    def merge(line):
        print(line)

    assert hint(merge).text == "What does `merge` give back?"


@pytest.mark.parametrize("asked", [3, None, ["merge"]], ids=repr)
def test_what_is_no_name_is_answered_with_what_to_write(asked):
    with pytest.raises(Refusal, match=r'as hint\("merge"\), and not'):
        hint(asked)


def test_a_refusal_is_shown_as_a_sentence():
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
    shell = InteractiveShell.instance()
    shell.run_cell(f"def merge(line):\n    {body}")
    assert hint("merge").text


def test_the_last_hint_is_a_puzzle_that_is_text_for_every_reader():
    shell = InteractiveShell.instance()
    shell.run_cell("from course.rules import merge")
    steps = [hint("merge") for _ in range(4)]
    assert [step.title for step in steps] == [f"Hint {n} of 3" for n in (1, 2, 3, 3)]
    assert isinstance(steps[2], PuzzleHint)
    assert repr(steps[2]).startswith("Hint 3 of 3: Below `def merge(line):` put these lines")
    assert "  8. squares = close_gaps(line)" in repr(steps[2])


@pytest.mark.parametrize(
    "cell",
    ["", "def merge(line):\n    raise NotImplementedError()"],
    ids=["not defined", "as it was given out"],
)
def test_the_puzzle_waits_until_the_learner_has_tried(cell: str):
    shell = InteractiveShell.instance()
    shell.run_cell(cell)
    assert [hint("merge").text == TRY_FIRST for _ in range(4)] == [False, False, True, True]
    shell.run_cell("from course.rules import merge")
    assert isinstance(hint("merge"), PuzzleHint)


def test_a_method_waits_until_it_is_tried_too():
    shell = InteractiveShell.instance()
    shell.run_cell("from course.rules import Game as Whole\nclass Game(Whole):\n    pass")
    shell.run_cell("def move(self, direction):\n    raise NotImplementedError\nGame.move = move")
    assert [hint("Game.move").text == TRY_FIRST for _ in range(3)] == [False, False, True]
    shell.run_cell("Game.move = lambda self, direction: Whole.move(self, direction)")
    assert isinstance(hint("Game.move"), PuzzleHint)


def test_after_all_that_is_known_of_a_mistake_the_puzzle_is_offered():
    shell = InteractiveShell.instance()
    shell.run_cell("def merge(line):\n    print(line)")
    steps = [hint("merge") for _ in range(5)]
    assert [step.title for step in steps] == [f"Hint {n} of 4" for n in (1, 2, 3, 4, 4)]
    assert [isinstance(step, PuzzleHint) for step in steps] == [False, False, False, True, True]


@pytest.mark.deep
def test_a_function_that_never_ends_has_been_tried():
    shell = InteractiveShell.instance()
    shell.run_cell("def merge(line):\n    while True:\n        pass")
    assert isinstance([hint("merge") for _ in range(4)][3], PuzzleHint)


def test_no_hint_tells_the_whole_answer_before_something_was_tried():
    InteractiveShell.instance()
    for exercise in [found for lesson in lessons() for found in lesson.exercises]:
        texts = [hint(exercise.name).text for _ in range(4)]
        assert texts[-1] in (TRY_FIRST, TRY_FIRST_ALONE)
        assert exercise.hints[-1] not in texts


def test_what_is_said_of_an_index_is_true_of_a_loop_that_begins_at_one():
    shell = InteractiveShell.instance()
    shell.run_cell(
        "def merge(line):\n"
        "    for index in range(1, len(line) + 1):\n"
        "        if line[index - 1] == line[index] != 0:\n"
        "            line[index - 1] = 0\n"
        "    return line\n"
    )
    first, second, third, *_ = [hint("merge").text for _ in range(4)]
    assert first == "Which index does the last thing in a list have?"
    assert "0 to 3" in second
    assert third.startswith(
        "Print the index and the length of the list, one line before the error."
    )


def test_a_check_in_a_notebook_gives_the_hint_of_the_part_that_it_is_about():
    shell = InteractiveShell.instance()
    shell.run_cell(
        "from course import add_to, check\nfrom course.rules import Score as Whole\n"
        "class Score(Whole):\n    is_high = property(lambda self: 'no')\n"
        "    def __str__(self):\n        return 'Sum'\n"
    )
    note_check("score-text")
    failed = shell.run_cell("check.object(Score, {'total': 12}, text='Score: 12')").error_in_exec
    assert failed.diagnosis.exercise == "Score.__str__"
    note_check("score-is-high")
    failed = shell.run_cell("check.object(Score, {'total': 12}, is_high=False)").error_in_exec
    assert failed.diagnosis.exercise == "Score.is_high"
    note_check("")
