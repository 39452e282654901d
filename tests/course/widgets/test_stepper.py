"""`watch(function, …)`: the data that its widget sends to the browser."""

from random import Random

import pytest

from course import kept, rules, watch
from course.mine.load_own_file import FILE
from course.refusal import Refusal
from tests.course.playing import learners
from tests.course.steps import programs

BOARD = [[2, 4, 8], [16, 32, 64]]


def named(name: str, function):
    """Give a learner's function the name of an exercise, and return the function."""
    function.__name__ = name
    return function


def test_the_learner_s_own_code_is_sent_with_its_steps() -> None:
    run = watch(programs.merge, [2, 0, 2, 4]).run
    assert run["call"] == "merge([2, 0, 2, 4])"
    assert run["blocks"][0]["name"] == "merge"
    assert run["steps"][-1]["gave"]["rows"] == [[4, 4, 0, 0]]
    assert run["result"]["motion"]["merged"] == [[0, 0]]


def test_a_slide_moves_from_its_board_to_its_answer() -> None:
    result = watch(programs.slide_by_turning, [[2, 2], [0, 4]], "right").run["result"]
    assert result["before"] == [[2, 2], [0, 4]]
    assert result["motion"]["merged"] == [[0, 1]]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (programs.points, ([2, 2],)),
        (learners.too_short, ([2, 0],)),
        (programs.rotate, (BOARD,)),
        (programs.counts, ()),
    ],
    ids=["a number", "another length", "another shape", "nothing given"],
)
def test_where_nobody_can_say_what_moved_nothing_moves(function, arguments) -> None:
    assert watch(function, *arguments).run["result"]["motion"] is None


def test_a_board_is_turned_on_until_it_is_as_before() -> None:
    again = watch(programs.rotate, BOARD).run["result"]["again"]
    assert [each["name"] for each in again][-1] == "turned four times"
    assert again[-1]["value"]["rows"] == BOARD
    assert again[0]["value"]["rows"] == rules.rotate(BOARD)


def test_a_turn_that_gives_no_board_is_not_turned_on() -> None:
    assert watch(named("rotate", lambda board: board[0][0]), BOARD).run["result"]["again"] == []


def test_a_turn_that_fails_later_ends_there() -> None:
    def rotate(board):
        return rules.rotate(board) if len(board) == 2 else 1 / 0

    again = watch(rotate, BOARD).run["result"]["again"]
    assert [each["name"] for each in again] == ["turned once"]


def test_a_wrong_answer_is_marked_and_named() -> None:
    def merge(line):
        return learners.cascade(line)

    note = watch(merge, [4, 2, 2, 0]).note
    assert note["lines"][0].endswith("gave [8, 0, 0, 0]. The rules give [4, 4, 0, 0].")
    assert note["marks"] == [[0, 0], [0, 1]]
    assert note["hint"]


def test_a_changed_argument_is_said() -> None:
    def close_gaps(line):
        return learners.changes(line)

    assert "changed the list that it was given" in str(watch(close_gaps, [4, 2]).note)


def in_reverse(board, direction):
    return rules.start_squares(board, direction)[::-1]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (programs.merge, ([2, 2],)),
        (named("spawn", lambda board, rng: [[2, 4]]), ([[2, 0]], Random(1))),
        (
            named("second_chance", lambda board, score, rng: ([[0, 2]], score - 2048)),
            ([[2, 2]], 0, Random(1)),
        ),
        (named("announce_square", lambda board, row, column: "b1, 4."), (BOARD, 0, 1)),
        (named("start_squares", in_reverse), (BOARD, "left")),
        (programs.points, ([[2, 2]],)),
        (programs.counts, ()),
    ],
    ids=[
        "right",
        "chance",
        "another chance",
        "by ear",
        "in any order",
        "what the rules do not take",
        "not of the course",
    ],
)
def test_there_is_no_verdict_where_there_is_nothing_to_say(function, arguments) -> None:
    assert watch(function, *arguments).note is None


def test_a_method_is_judged_by_nobody() -> None:
    class Bag:
        def merge(self, line):
            return [line]

    assert watch(Bag().merge, [2, 2]).note is None


def test_the_course_s_merge_shows_its_tiles_and_not_its_code() -> None:
    stepper = watch(rules.merge, [2, 0, 2, 4, 4])
    shown = [state["variables"][0]["value"]["rows"][0] for state in stepper.run["states"]]
    assert shown == [[2, 0, 2, 4, 4], [4, 0, 0, 4, 4], [4, 8, 0, 0, 0]]
    assert stepper.run["blocks"] == []
    assert [step["words"] for step in stepper.run["steps"]] == [
        "The line [2, 0, 2, 4, 4].",
        "2 and 2 merge into 4 on square 0.",
        "4 and 4 merge into 8 on square 1.",
    ]


@pytest.mark.parametrize("line", [[2], [0], [0, 0, 0, 2], [2, 4, 2, 4], [2] * 12], ids=str)
def test_the_last_of_the_tiles_is_always_the_answer(line) -> None:
    states = watch(rules.merge, line).run["states"]
    assert states[-1]["variables"][0]["value"]["rows"] == [rules.merge(line)]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (rules.rotate, (BOARD,)),
        (rules.spawn, ([[2, 0]], Random(1))),
        (rules.Game(2, 2, Random(1)).move, ("left",)),
        (rules.Game, (2, 2)),
        (rules.merge, ([2, -2],)),
    ],
    ids=["rotate", "spawn", "a method", "a class", "no line"],
)
def test_no_line_of_the_course_s_own_code_is_ever_sent(function, arguments) -> None:
    stepper = watch(function, *arguments)
    assert stepper.run["blocks"] == []
    assert not [step["code"] for step in stepper.run["steps"] if step["code"]]
    assert stepper.note["title"].startswith("This is the course's ")


def test_what_is_kept_is_the_learner_s_own_and_what_is_not_is_the_course_s(
    tmp_path, monkeypatch
) -> None:
    (tmp_path / FILE).write_text(KEPT, "utf-8")
    monkeypatch.chdir(tmp_path)
    run = watch(kept("points"), [2, 2]).run
    assert [block["name"] for block in run["blocks"]] == ["points", "tiles_of"]
    assert "close_gaps([2, 2]) gives back [2, 2]." in [step["words"] for step in run["steps"]]


KEPT = """from course.rules import *

def tiles_of(line):
    tiles = close_gaps(line)
    return tiles

def points(line):
    return len(tiles_of(line))
"""


@pytest.mark.parametrize("function", [learners.raises, learners.is_interrupted, learners.leaves])
def test_what_gives_no_answer_shows_where_it_stopped(function) -> None:
    stepper = watch(function, [2, 2])
    assert stepper.run["steps"][-1]["kind"] == "error"
    assert stepper.run["result"] is None
    assert stepper.note is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([4, 4, 0, 0],), r"needs a function, and \[4, 4, 0, 0\] is none"),
        ((programs.merge,), "merge cannot be called so: missing a required argument: 'line'"),
        ((programs.merge, 2, 0, 2), "merge cannot be called so: too many"),
    ],
    ids=["the answer", "nothing given", "no list"],
)
def test_a_call_that_can_not_be_is_refused_with_what_to_write(arguments, said) -> None:
    with pytest.raises(Refusal, match=said) as refused:
        watch(*arguments)
    assert "watch(merge, [2, 0, 2, 4])" in str(refused.value)


def test_a_picture_stands_in_where_nothing_is_live() -> None:
    picture = watch(programs.merge, [2, 2]).picture
    assert picture.count("<table") == 2
    assert watch(learners.markup, [2]).picture.count("<table") == 1
    assert "<img" not in watch(learners.markup, [2]).picture
