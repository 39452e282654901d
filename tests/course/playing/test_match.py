from random import Random
from types import FunctionType

import pytest

from course import rules
from course.playing.match import Match
from course.playing.pieces import Pieces
from course.playing.players import Functions
from tests.course.playing import learners

START = [[0, 0, 0, 2], [4, 2, 2, 0], [0, 0, 0, 0], [2, 0, 0, 2]]


def match(board=START, **pieces) -> Match:
    return Match(Functions(pieces, board=board, rng=Random(3)))


def test_a_turn_by_the_rules_slides_merges_and_spawns() -> None:
    played = match()
    turn = played.move("left")
    slid = rules.slide(START, "left")
    [spawned] = turn.spawned
    assert [played.board[r][c] for r, c in [(0, 0), (1, 0), (1, 1), (3, 0)]] == [2, 4, 4, 4]
    assert slid[spawned[0]][spawned[1]] == 0
    assert (turn.gained, played.score, played.moves, turn.faults) == (8, 8, 1, [])


def test_a_whole_game_is_the_one_that_the_reference_plays() -> None:
    game = rules.Game(rng=Random(11))
    played = Match(Functions({}, rng=Random(11)))
    for number in range(600):
        direction = rules.DIRECTIONS[number % 4]
        game.move(direction)
        played.move(direction)
    assert (played.board, played.score, played.moves) == (game.board, game.score, game.moves)
    assert played.is_over


def test_an_illegal_move_changes_nothing() -> None:
    played = match([[2, 4, 8, 0]])
    turn = played.move("left")
    assert (played.board, played.moves, turn.said) == ([[2, 4, 8, 0]], 0, "Nothing moved.")


@pytest.mark.parametrize(
    "pieces",
    [
        {"is_legal": lambda board, direction: True},
        {"slide": lambda board, direction: [row[:] for row in reversed(board)]},
        {"take_turn": lambda board, direction, rng: rules.spawn(board, rng)},
    ],
    ids=["is_legal", "slide", "take_turn"],
)
def test_a_tile_that_appears_after_an_illegal_move_is_marked_and_said(pieces) -> None:
    played = match([[2, 0], [4, 0]], **pieces)
    turn = played.move("left")
    assert set(turn.spawned) <= set(turn.marks)
    assert any(fault.startswith("No tile could move, yet ") for fault in turn.faults)
    assert turn.said == "Not by the rules."


def test_a_wrong_merge_is_shown_as_it_is_marked_and_named() -> None:
    played = match(merge=learners.cascade)
    turn = played.move("left")
    assert played.board[1][0] == 8
    assert turn.faults == [
        "Row 1 (counted from 0): 4 2 2 0 became 8 0 0 0. The rules give 4 4 0 0."
    ]
    assert turn.marks == [(1, 0), (1, 1)]
    assert turn.gained == 12
    assert not played.state.is_fair


def test_a_known_mistake_brings_its_hint() -> None:
    turn = match(merge=rename(learners.cascade, "merge")).move("left")
    assert turn.note["hint"] == "A tile that has just been made rests for this move."


def rename(function, name):
    """A copy under another name: the programs are shared by other tests."""
    copy = FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
    copy.__module__ = function.__module__
    return copy


def backwards(board, direction):
    return rules.slide(board, {"up": "down", "down": "up", "left": "right"}.get(direction, "left"))


@pytest.mark.parametrize(
    ("pieces", "direction", "said"),
    [
        (
            {"merge": learners.cascade},
            "right",
            "Row 1 (counted from 0): 4 2 2 0 became 0 0 0 8. The rules give 0 0 4 4.",
        ),
        (
            {"slide": backwards},
            "up",
            "Column 0 (counted from 0): 0 4 0 2 became 0 0 4 2. The rules give 4 2 0 0.",
        ),
        (
            {"slide": lambda board, direction: board},
            "down",
            "Column 1 (counted from 0): 0 2 0 0 did not change. The rules give 0 0 0 2.",
        ),
    ],
    ids=["right", "up", "down"],
)
def test_a_wrong_line_is_named_as_it_lies_on_the_board(pieces, direction, said) -> None:
    assert said in match(**pieces).move(direction).faults


@pytest.mark.parametrize(
    "function",
    [
        learners.nothing,
        learners.too_short,
        learners.raises,
        learners.is_interrupted,
        learners.leaves,
        learners.evil,
        learners.odd,
    ],
    ids=lambda function: function.__name__,
)
def test_without_an_answer_the_board_stays_and_plays_on(function) -> None:
    played = match(merge=function)
    chance = played.player.rng.getstate()
    turn = played.move("left")
    assert turn.trouble is not None
    assert (played.board, played.moves, played.can_undo) == (START, 0, False)
    assert played.player.rng.getstate() == chance
    played.player.pieces = Pieces({})
    assert played.move("left").trouble is None


@pytest.mark.parametrize(
    ("spawn", "said"),
    [
        (lambda board, rng, p_four=0.1: board, "spawn added no tile."),
        (lambda board, rng, p_four=0.1: [[2, 2, 2, 2], *board[1:]], "spawn added 3 tiles."),
        (lambda board, rng: [*board[:3], [16, 0, 0, 0]], "spawn changed the 4 on board[3][0]."),
        (lambda board, rng: [*board[:2], [0, 0, 0, 8], board[3]], "spawn added a 8."),
    ],
    ids=["none", "three", "replaces", "eight"],
)
def test_a_wrong_spawn_is_named(spawn, said: str) -> None:
    turn = match(spawn=spawn).move("left")
    assert turn.faults[0].startswith(said)
    assert turn.trouble is None


def test_a_turn_that_spawns_after_an_illegal_move_is_named() -> None:
    def careless(board, direction, rng, p_four=0.1):
        return rules.spawn(rules.slide(board, direction), rng, p_four)

    turn = match([[2, 4, 8, 0]], take_turn=careless).move("left")
    assert turn.faults == ["No tile could move, yet take_turn changed the board."]
    assert turn.marks == [(0, 3)]


def test_a_right_take_turn_has_no_fault() -> None:
    turn = match(take_turn=rules.take_turn).move("left")
    assert (turn.faults, turn.gained, len(turn.spawned)) == ([], 8, 1)


def turned(board, direction, rng, p_four=0.1):
    """Lies the board on its side and slides nothing."""
    return rules.rotate(board)


@pytest.mark.parametrize("direction", rules.DIRECTIONS)
def test_a_board_that_is_turned_and_not_merged_scores_nothing(direction) -> None:
    played = match([[2, 4, 8], [2, 16, 4], [4, 2, 8]], take_turn=turned)
    turn = played.move(direction)
    assert played.board == [[4, 2, 2], [2, 16, 4], [8, 4, 8]]
    assert (turn.gained, played.score) == (0, 0)


def test_the_scores_go_with_the_boards() -> None:
    played = match()
    played.move("left")
    played.move("up")
    played.undo()
    assert (played.scores, len(played.history)) == ([0, 8], 2)


@pytest.mark.parametrize("function", [learners.raises, learners.nothing])
def test_a_turn_that_is_taken_back_says_so(function) -> None:
    turn = match(merge=function).move("left")
    assert turn.trouble.text.endswith("The board stays as it was.")


def test_undo_takes_back_the_board_the_points_and_the_chance() -> None:
    played = match()
    first = played.move("left"), played.board
    played.undo()
    assert (played.board, played.score, played.moves) == (START, 0, 0)
    assert (played.move("left").spawned, played.board) == (first[0].spawned, first[1])


def test_undo_at_the_start_does_nothing() -> None:
    assert match().undo().said == "Nothing to undo."


def test_the_goal_is_celebrated_once() -> None:
    played = match([[1024, 1024, 0, 0], [0, 0, 0, 0]])
    assert played.move("left").won
    assert played.state.has_won
    assert not played.move("down").won


def test_undoing_the_win_does_not_celebrate_it_again() -> None:
    played = match([[1024, 1024, 0, 0], [0, 0, 0, 0]])
    played.move("left")
    played.undo()
    assert not played.move("left").won


def test_the_end_is_said() -> None:
    played = Match(Functions({}, board=[[2, 2, 4]], rng=Random(3), p_four=0))
    assert played.move("right").said == "Merged into 4. 4 points. New 2 at A1."
    assert not played.is_over
    played.move("right")
    assert played.move("right").said.endswith("Game over.")


def test_new_game_starts_anew_where_it_started() -> None:
    played = match()
    played.move("left")
    assert played.start().said == "New game."
    assert (played.board, played.score, played.history) == (START, 0, [START])


def test_a_new_board_that_is_none_is_replaced_by_the_references() -> None:
    played = Match(Functions({"new_board": lambda height, width, rng, p_four: None}, rng=Random(1)))
    assert played.opening.trouble is not None
    assert sum(tile > 0 for row in played.board for tile in row) == 2


@pytest.mark.parametrize("height", [1, 2, 5, 8])
@pytest.mark.parametrize("width", [1, 3, 8])
def test_every_size_plays(height: int, width: int) -> None:
    played = Match(Functions({}, height=height, width=width, rng=Random(5)))
    for number in range(40):
        played.move(rules.DIRECTIONS[number % 4])
    assert (len(played.board), len(played.board[0])) == (height, width)


def wrong_rotate(board):
    return [list(row) for row in zip(*board, strict=True)]


@pytest.mark.parametrize(
    ("pieces", "title", "values"),
    [
        (
            {"rotate": wrong_rotate},
            "rotate(board)",
            [[[2, 4], [0, 8]], [[2, 0], [4, 8]], [[0, 2], [8, 4]]],
        ),
        (
            {"slide": lambda board, direction: board},
            'slide(board, "down")',
            [[[2, 4], [0, 8]], [[2, 4], [0, 8]], [[0, 4], [2, 8]]],
        ),
        ({"is_over": lambda board: True}, "is_over(board)", ["True", "False"]),
    ],
    ids=["rotate", "slide", "is_over"],
)
def test_a_wrong_answer_about_a_board_is_drawn(pieces, title, values) -> None:
    note = match([[2, 4], [0, 8]], **pieces).move("down").note
    assert note is not None
    [picture] = note["pictures"]
    assert picture["title"] == title
    assert [part.get("board", part.get("text")) for part in picture["parts"]][-len(values) :] == (
        values
    )
    assert picture["lines"]


def test_of_one_function_one_answer_is_drawn_and_the_rest_is_counted() -> None:
    note = match(rotate=wrong_rotate).move("up").note
    assert note is not None
    assert [picture["title"] for picture in note["pictures"]] == ["rotate(board)"]
    assert note["lines"][-1].endswith("more things are not by the rules.")


def test_a_board_that_is_too_large_to_be_drawn_is_told_in_words() -> None:
    note = match([[2] * 9], is_over=lambda board: True).move("left").note
    assert note is not None
    assert note["pictures"] == []
    assert "is_over([[" in note["lines"][0]
