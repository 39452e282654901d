"""The mistakes that hints name are really in the wrong programs; right programs get no name."""

import tomllib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

from autograder.misconceptions import catalogue
from course import rules
from course.checks import CheckFailed, check
from course.hints import diagnose
from course.hints.diagnosis import AMONG_OTHERS
from course.hints.mistakes import general
from course.lessons import cell_of, exercise, lessons
from course.rules.board import DIRECTIONS
from tests.lessons.diagnosed_mutants import layer_of, lines_of, look_at, row_of
from tests.lessons.right import right_programs, right_styles
from tests.lessons.running import defined, named
from tests.parametrize_marks import one_in, some_in_every_run

SLIPS = tomllib.loads(Path(__file__).with_name("slips.toml").read_text("utf-8"))["program"]
HOMES = {each.name: entry.id for entry in lessons() for each in entry.exercises}
LESSONS = [entry.id for entry in lessons() if right_styles(entry.id)]
MERGING = """
    for index in range(len(squares) - 1):
        if squares[index] == squares[index + 1]:
            squares[index : index + 2] = [2 * squares[index], 0]
    return close_gaps(squares)
"""


@pytest.mark.parametrize(
    "lesson_id", some_in_every_run({name: name for name in LESSONS}, ["1-merge-a-line"])
)
def test_no_right_program_is_named_in_whatever_style(lesson_id):
    found = {
        f"{right.exercise}, {right.title}": named(lesson_id, right.exercise, right.program)
        for right in right_programs(lesson_id)
    }
    assert found == dict.fromkeys(found)


@pytest.mark.parametrize("first", one_in(5, range(5)))
def test_wrong_programs_of_learners_are_named(first: int):
    found = {}
    for slip in SLIPS[first::5]:
        said = named(HOMES[slip["exercise"]], slip["exercise"], slip["program"])
        found[slip["is"]] = said and said.id
    assert found == {slip["is"]: slip["says"] for slip in SLIPS[first::5]}


def test_a_general_entry_has_its_own_words_and_no_gap_in_them():
    for entry in general().values():
        texts = {entry.title, entry.nudge, entry.explain, entry.show}
        assert len(texts) == 4
        assert not [
            text for text in texts if "{" in text.replace("{name}", "").replace("{self", "")
        ]


def test_a_function_is_not_blamed_for_its_helper():
    merge = "def merge(line):\n    squares = close_gaps(line)" + MERGING
    wrong = "def close_gaps(line):\n    return line"
    helped = defined("1-merge-a-line", {"merge": merge, "close_gaps": wrong}, "merge")
    said = diagnose(helped)
    assert said.exercise == "close_gaps"
    assert diagnose(defined("1-merge-a-line", {"merge": merge}, "merge")) is None


def test_a_wrong_function_is_not_blamed_where_the_helper_is_not_to_be_seen():
    over = "def is_over(board):\n    full = all(0 not in row for row in board)\n"
    over += "    return full and not any(has_pair(line) for line in board + rotate(board))"
    never = "def has_pair(line):\n    return False"
    said = diagnose(defined("4-game-over", {"is_over": over, "has_pair": never}, "is_over"))
    assert (said.exercise, said.id) == ("has_pair", "always-false")


def test_of_two_mistakes_the_one_that_explains_more_is_said_to_be_one_of_them():
    cascade = next(entry for entry in catalogue("1-merge-a-line") if entry.id == "cascade")
    both = cascade.specimen + "\n\nright = merge\n\n\ndef merge(line):\n    merged = right(line)\n"
    both += "    line.reverse()\n    return merged\n"
    said = named("1-merge-a-line", "merge", both)
    assert said.id == "cascade"
    assert AMONG_OTHERS in said.explain
    assert layer_of(said) == "one of two"


def test_what_is_true_of_some_answers_only_is_asked_about_one_of_them():
    program = """
def announce_move(before, after, gained, spawned):
    if before == after:
        return "Nothing moved."
    said = say_merges(before, after, spawned)
    if gained:
        said += f" {gained} points."
    if spawned is not None:
        row, column = spawned
        said += f" New {before[row][column]} at {name_square(row, column)}."
    if has_won(after) and not has_won(before):
        said += " You win!"
    if is_over(before):
        said += " Game over."
    return said
"""
    said = named("8-play-by-ear", "announce_move", program)
    assert said.id == "text-numbers"
    assert said.nudge.startswith("Try `announce_move([[")


def test_of_a_class_the_mistake_of_the_part_that_is_asked_about_is_told():
    move = "@add_to(Game)\ndef move(self, direction):\n    return None"
    text = "@add_to(Game)\ndef __str__(self):\n    return 2"
    replaced = {cell_of("Game.move"): move, cell_of("Game.__str__"): text}
    game = defined("6-the-whole-game", replaced, "Game")
    for part in ("Game.move", "Game.__str__"):
        said = diagnose(game, part)
        assert said.exercise == part == exercise(part).name
    assert diagnose(game, "Game.has_won") is None


def test_a_line_that_does_nothing_is_told_for_the_method_that_it_stands_in():
    move = "@add_to(Game)\ndef move(self, direction):\n    self.score == 4"
    said = diagnose(defined("6-the-whole-game", {cell_of("Game.move"): move}, "Game"), "Game.move")
    assert (said.exercise, said.id) == ("Game.move", "compares-in-place-of-storing")


def told(ask: Callable[..., object], *given: object, **options: object) -> str:
    """Call `ask`, a check that must fail; return the id of the mistake that it names."""
    with pytest.raises(CheckFailed) as failed:
        ask(*given, **options)
    return str(failed.value.diagnosis.id)


def test_what_is_said_is_true_of_the_call_for_which_a_check_has_failed():
    wrong = "def slide(board, direction):\n    board.append([])\n    if len(board) > 3:\n"
    wrong += "        return [[0]]\n    return None"
    slide = defined("2-slide-in-four-directions", {"slide": wrong}, "slide")
    tall, wide = [[2], [0], [4]], [[2, 0, 4]]
    assert told(check, slide, tall, "left", gives=tall) == "other-shape"
    assert told(check, slide, wide, "left", gives=wide) == "forgets-return"
    assert told(check.unchanged, slide, [(wide, "left")]) == "changes-its-argument"


def test_where_an_argument_was_changed_nothing_is_said_of_what_was_printed():
    wrong = "def slide(board, direction):\n    print(board)\n    board[0][0] = 0"
    slide = defined("2-slide-in-four-directions", {"slide": wrong}, "slide")
    assert told(check, slide, [[2]], "left", gives=[[2]]) == "prints-instead"
    assert told(check.unchanged, slide, [([[2]], "left")]) == "changes-its-argument"


def test_a_failed_call_is_looked_at_where_the_probes_show_nothing_or_something_else():
    words = "def slide(board, direction):\n    if direction not in 'left right up down':\n"
    words += (
        "        raise ValueError\n    way = {way[0]: way for way in DIRECTIONS}[direction[0]]\n"
    )
    words += "    return rules.slide(board, way)"
    three = "def new_board(height, width, rng, p_four=0.1):\n    board = [[0] * width] * height\n"
    three += "    for _ in range(3):\n        board = spawn(board, rng, p_four)\n    return board"
    turned = three.replace("3):\n        board", "2):\n        board").replace(
        "rng, p_four)\n    r", "p_four, rng)\n    r"
    )
    slide = defined("2-slide-in-four-directions", {"slide": words}, "slide")
    slide.__globals__.update(rules=rules, DIRECTIONS=DIRECTIONS)
    assert told(check, slide, [[2]], "le", raises=ValueError) == "word-in-text"
    cases, rule = [(4, 4, Random(1))], lambda *_: "there should be two tiles"
    for program, says in ((three, "too-many-tiles"), (turned, "helper-called-wrongly")):
        new_board = defined("3-spawn", {"new_board": program}, "new_board")
        assert told(check.many, new_board, cases, obeys=rule) == says


def test_one_of_two_mistakes_has_to_explain_what_the_check_has_shown():
    wrong = "def merge(line):\n    tiles = [tile for tile in line if tile]\n"
    wrong += "    if len(line) == 5:\n        raise KeyError(5)\n"
    wrong += "    return tiles + [0] * (len(line) - len(tiles))"
    merge = defined("1-merge-a-line", {"merge": wrong}, "merge")
    assert told(check, merge, [2, 2], gives=[4, 0]) in ("slides-only", "merged-too-little")
    assert told(check, merge, [2, 2, 4, 8, 16], gives=[4, 4, 8, 16, 0]) == "unknown-key"


def test_of_a_program_it_is_told_which_check_fails_first_and_what_it_says(tmp_path):
    into = tmp_path / "found"
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        for _ in range(2):  # the second time, nothing is looked at again
            pool.submit(look_at, "1-merge-a-line", "close_gaps", 3, "3", into).result()
    lines = list(lines_of(into))
    assert [(line["check"], line["layer"]) for line in lines] == [
        ("tiles-to-front", "general"),
        ("tiles-to-front", "exact"),
        (None, "nothing"),
    ]
    assert row_of("close_gaps", lines).endswith(
        "made    3  killed    2  exact    1  one of two    0  general    1  nothing    0"
    )


def test_a_part_of_a_class_is_not_blamed_for_a_helper_of_another_part():
    helper = "def has_won_special(board, score):\n    return has_won(board) or score > 25_000"
    part = "@add_to(SpecialGame)\n@property\ndef can_continue(self):\n"
    part += "    return self.is_over and has_won(self.board, 512)"
    replaced = {"has_won_special": helper, cell_of("SpecialGame.can_continue"): part}
    game = defined("7-special-rules", replaced, "SpecialGame")
    said = {about: diagnose(game, about) for about in ("SpecialGame", "SpecialGame.can_continue")}
    assert said["SpecialGame"].exercise == "has_won_special"
    assert said["SpecialGame"].nudge.startswith("Your `SpecialGame` uses your `has_won_special`")
    assert said["SpecialGame.can_continue"].exercise == "SpecialGame.can_continue"
