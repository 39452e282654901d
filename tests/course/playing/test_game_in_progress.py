"""A match: turns by the rules, wrong or missing answers of learners' functions, and undo."""

from random import Random
from types import FunctionType

import pytest

from course import rules
from course.playing.game_implementations import Functions
from course.playing.game_in_progress import UNDOS, Match
from course.playing.pieces import Pieces
from course.rules import announce_move
from tests.course.playing import learners
from tests.course.playing.learners import faults

START = [[0, 0, 0, 2], [4, 2, 2, 0], [0, 0, 0, 0], [2, 0, 0, 2]]
ALMOST_WON = [[1024, 1024, 0, 0], [0, 0, 0, 0]]


def match(board=START, goal=2048, **pieces) -> Match:
    return Match(Functions(pieces, board=board, rng=Random(3), goal=goal))


@pytest.mark.parametrize("given", [{}, {"take_turn": rules.take_turn}], ids=["none", "take_turn"])
def test_a_whole_game_is_the_one_that_the_reference_plays(given) -> None:
    game = rules.Game(rng=Random(11))
    played = Match(Functions(given, rng=Random(11)))
    for number in range(600):
        direction = rules.DIRECTIONS[number % 4]
        game.move(direction)
        assert faults(played.move(direction)) == []
    state = played.state
    assert (state.board, state.score, state.moves) == (game.board, game.score, game.moves)
    assert state.is_over


def test_an_illegal_move_changes_nothing_and_the_end_is_said() -> None:
    played = match([[2, 4, 8, 0]])
    turn = played.move("left")
    assert (played.board, played.state.moves, turn.said) == ([[2, 4, 8, 0]], 0, "Nothing moved.")
    played = Match(Functions({}, board=[[2, 2, 4]], rng=Random(3), p_four=0))
    assert played.move("right").said == "Merged into 4. 4 points. New 2 at A1."
    assert not played.state.is_over
    played.move("right")
    assert played.move("right").said.endswith("Game over.")


def careless(board, direction, rng, p_four=0.1):
    return rules.spawn(rules.slide(board, direction), rng, p_four)


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ({"is_legal": lambda board, direction: True}, "a 2 appeared on board["),
        ({"slide": lambda board, direction: board[::-1]}, "a 2 appeared on board["),
        ({"take_turn": careless}, "take_turn changed the board."),
    ],
    ids=["is_legal", "slide", "take_turn"],
)
def test_a_tile_that_appears_after_an_illegal_move_is_marked_and_said(pieces, said) -> None:
    turn = match([[2, 0], [4, 0]], **pieces).move("left")
    assert turn.spawned
    assert set(turn.spawned) <= set(turn.marks)
    assert any(fault.startswith(f"No tile could move, yet {said}") for fault in faults(turn))
    assert turn.said == "Not by the rules."


def test_a_wrong_merge_is_shown_as_it_is_marked_and_named_with_its_hint() -> None:
    cascade = learners.cascade
    merge = FunctionType(cascade.__code__, cascade.__globals__, "merge")
    played = match(merge=merge)
    turn = played.move("left")
    assert played.board[1][0] == 8
    assert faults(turn) == [
        "Row 1 (counted from 0): 4 2 2 0 became 8 0 0 0. The rules give 4 4 0 0."
    ]
    assert turn.marks == [(1, 0), (1, 1)]
    assert turn.gained == 12
    assert turn.note["hint"] == "A tile that has just been made rests for this move."
    played.undo()
    assert played.board == START
    assert not played.state.is_fair


def backwards(board, direction):
    return rules.slide(board, {"up": "down", "down": "up", "left": "right"}.get(direction, "left"))


@pytest.mark.parametrize(
    ("direction", "pieces", "said"),
    [
        ("right", {"merge": learners.cascade}, "Row 1: 4 2 2 0 became 0 0 0 8; 0 0 4 4"),
        ("up", {"slide": backwards}, "Column 0: 0 4 0 2 became 0 0 4 2; 4 2 0 0"),
        ("down", {"slide": lambda board, way: board}, "Column 1: 0 2 0 0 did not change; 0 0 0 2"),
    ],
    ids=["right", "up", "down"],
)
def test_a_wrong_line_is_named_as_it_lies_on_the_board(direction, pieces, said) -> None:
    said = said.replace(":", " (counted from 0):").replace(";", ". The rules give") + "."
    assert said in faults(match(**pieces).move(direction))


ANSWERLESS = ("nothing", "raises", "is_interrupted", "leaves", "evil", "odd")


@pytest.mark.parametrize("name", ANSWERLESS)
def test_without_an_answer_the_board_stays_and_plays_on(name: str) -> None:
    played = match(merge=getattr(learners, name))
    chance = played.player.rng.getstate()
    turn = played.move("left")
    assert turn.trouble.text.endswith("The board stays as it was.")
    assert (played.board, played.state.moves, played.can_undo) == (START, 0, False)
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
    assert faults(turn)[0].startswith(said)
    assert turn.trouble is None


@pytest.mark.parametrize("direction", rules.DIRECTIONS)
def test_points_are_the_same_for_the_game_the_match_and_the_learners_points(direction) -> None:
    board = [[2, 2, 4, 4], [4, 0, 4, 4], [2, 2, 2, 2], [8, 0, 2, 2]]
    game = rules.Game(rng=Random(1))
    game.board = [row[:] for row in board]
    game.move(direction)
    points = {"points": lambda line: rules.points(line)}
    assert {match(board, **given).move(direction).gained for given in ({}, points)} == {game.score}


@pytest.mark.parametrize("direction", rules.DIRECTIONS)
def test_a_board_that_is_turned_or_closed_and_not_merged_scores_nothing(direction) -> None:
    turned = {"take_turn": lambda board, direction, rng: rules.rotate(board)}
    played = match([[2, 4, 8], [2, 16, 4], [4, 2, 8]], **turned)
    turn = played.move(direction)
    assert played.board == [[4, 2, 2], [2, 16, 4], [8, 4, 8]]
    assert (turn.gained, played.state.score) == (0, 0)
    turn = match([[0, 2, 2]], close_gaps=rules.close_gaps).move("left")
    assert (turn.after.board[0][:2], turn.gained, faults(turn)) == ([2, 2], 0, [])


def test_undo_takes_back_the_board_the_points_and_the_chance_and_nothing_at_the_start() -> None:
    played = match()
    assert played.undo().said == "Nothing to undo."
    first = played.move("left"), played.board
    played.move("up")
    played.undo()
    assert (played.scores, len(played.history)) == ([0, 8], 2)
    played.undo()
    assert (played.board, played.state.score, played.state.moves) == (START, 0, 0)
    assert (played.move("left").spawned, played.board) == (first[0].spawned, first[1])


def test_only_the_last_hundred_turns_are_taken_back() -> None:
    played = Match(Functions({}, rng=Random(1)))
    number = 0
    while len(played.history) <= UNDOS + 20:
        played.move(rules.DIRECTIONS[number % 4])
        number += 1
    boards = played.history
    while played.can_undo:
        played.undo()
    assert played.history == boards[:21]


@pytest.mark.parametrize("between", ["move", "undo"])
def test_the_goal_is_celebrated_once_even_if_the_win_is_undone(between) -> None:
    played = match(ALMOST_WON)
    assert played.move("left").won
    assert played.state.has_won
    assert not (played.move("down") if between == "move" else played.undo()).won
    assert not played.move("left").won


def test_a_game_that_can_not_begin_shows_a_board_of_the_rules_or_the_one_asked_for() -> None:
    played = Match(Functions({"new_board": lambda height, width, rng, p_four: None}, rng=Random(1)))
    assert played.opening.trouble is not None
    assert sum(tile > 0 for row in played.board for tile in row) == 2
    given = {"is_over": learners.raises}
    played = Match(Functions(given, board=[[2, 2]], score=24_900, moves=7))
    assert (played.board, played.state.score, played.state.moves) == ([[2, 2]], 24_900, 7)
    assert played.opening.trouble is not None


def test_a_new_game_that_can_not_begin_changes_nothing() -> None:
    boards = iter([rules.new_board(4, 4, Random(1)), None])
    played = Match(Functions({"new_board": lambda height, width, rng: next(boards)}))
    played.move("left")
    before = played.board, played.history
    assert played.start().trouble.text.endswith("The board stays as it was.")
    assert (played.board, played.history) == before


def test_new_game_starts_anew_where_it_started() -> None:
    played = match()
    played.move("left")
    assert played.start().said == "New game."
    assert (played.board, played.state.score, played.history) == (START, 0, [START])


def test_an_interrupt_outside_of_the_learners_code_leaves_the_match_as_it_was(monkeypatch) -> None:
    def stopped(*arguments):
        raise KeyboardInterrupt

    played = match()
    chance = played.player.rng.getstate()
    monkeypatch.setattr(played.player, "end", stopped)
    with pytest.raises(KeyboardInterrupt):
        played.move("left")
    assert (played.board, played.history) == (START, [START])
    assert played.player.rng.getstate() == chance


DRAWN = [[2, 4], [0, 8]]


def wrong_rotate(board):
    return [list(row) for row in zip(*board, strict=True)]


@pytest.mark.parametrize(
    ("pieces", "title", "values"),
    [
        ({"rotate": wrong_rotate}, "rotate(board)", [[[2, 0], [4, 8]], [[0, 2], [8, 4]]]),
        ({"slide": lambda board, _: board}, 'slide(board, "down")', [DRAWN, [[0, 4], [2, 8]]]),
        ({"is_over": lambda board: True}, "is_over(board)", ["True", "False"]),
    ],
    ids=["rotate", "slide", "is_over"],
)
def test_a_wrong_answer_about_a_board_is_drawn(pieces, title, values) -> None:
    note = match(DRAWN, **pieces).move("down").note
    [picture] = note["pictures"]
    assert picture["title"] == title
    [board, *shown] = [part.get("board", part.get("text")) for part in picture["parts"]]
    assert shown == values
    assert board == DRAWN or title == "is_over(board)"
    assert picture["lines"]


def test_of_one_function_one_answer_is_drawn_and_a_large_board_is_told_in_words() -> None:
    note = match(rotate=wrong_rotate).move("up").note
    assert [picture["title"] for picture in note["pictures"]] == ["rotate(board)"]
    assert note["lines"][-1].endswith("more things are not by the rules.")
    note = match([[2] * 9], is_over=lambda board: True).move("left").note
    assert note["pictures"] == []
    assert "is_over([[" in note["lines"][0]


# Announcements by a learner's own function: they are read out, and no mistake in it stops a game.

RIGHT = "Merged into 4. 4 points. New 2 at "
GAVE_NONE = "gave no answer to go on with."


def in_other_marks(before, after, gained, spawned):
    return announce_move(before, after, gained, spawned).lower().replace(". ", ",  ").rstrip(".")


def announced(goal=2048, **pieces):
    board = [[2, 2, 0], [0, 0, 0]]
    played = Match(Functions(pieces, board=board, p_four=0, goal=goal))
    return played, played.move("left")


def test_capital_letters_and_punctuation_are_not_heard() -> None:
    _, turn = announced(announce_move=in_other_marks)
    assert turn.aloud.startswith("merged into 4,  4 points,  new 2 at ")
    assert (turn.found, turn.trouble) == ((), None)


def test_other_words_are_said_and_told_beside_the_board_but_not_read_out_again() -> None:
    _, turn = announced(announce_move=lambda before, after, gained, new: f"Hooray, {gained} points")
    assert turn.aloud == "Hooray, 4 points The rules say it otherwise: see the note."
    [fault] = faults(turn)
    said = f"Your announce_move says 'Hooray, 4 points'. By the rules it is '{RIGHT}"
    assert fault.startswith(said)


@pytest.mark.parametrize(
    ("pieces", "title"),
    [
        ({"announce_move": lambda *told: told[9]}, "Your announce_move raised an error."),
        ({"announce_move": lambda *told: None}, f"Your announce_move {GAVE_NONE}"),
        ({"announce_move": lambda *told: "A1 zero, " * 200}, f"Your announce_move {GAVE_NONE}"),
        ({"name_square": lambda row, column: [][row]}, "Your name_square raised an error."),
    ],
    ids=["raises", "says nothing", "floods", "a name raises"],
)
def test_an_announcer_that_finds_no_words_stops_no_game(pieces, title) -> None:
    played, turn = announced(**pieces)
    assert played.board[0][0] == 4
    assert (played.state.score, played.state.moves, played.can_undo) == (4, 1, True)
    assert turn.aloud.startswith(f"{title} {RIGHT}")
    assert turn.trouble.title == title
    assert turn.trouble.text.endswith("The move was played.")
    assert played.move("right").after.moves == 2


@pytest.mark.parametrize("function", [lambda *told: announce_move(*told), announce_move])
def test_who_is_told_of_boards_only_is_helped_with_another_goal(function) -> None:
    _, turn = announced(goal=4, announce_move=function)
    assert turn.aloud.count("You win!") == 1
    assert faults(turn) == []
