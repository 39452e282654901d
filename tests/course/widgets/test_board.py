"""The live board in Python: what a view sends, and what it gets back."""

import pytest

from course import play
from course.refusal import Refusal
from course.rules import Game, merge
from tests.course.playing import learners

START = [[2, 2, 0, 0], [4, 0, 0, 0]]


class Talk:
    """A board, and the answers that its messages get."""

    def __init__(self, widget) -> None:
        self.widget = widget
        self.answers = []
        widget.send = self.answers.append

    def say(self, do: str, **more):
        content = {"do": do, "view": "v", "square": [0, 0], **more}
        self.widget._handle_custom_msg(content, [])
        return self.answers[-1]


def talk(**options) -> Talk:
    return Talk(play(**{"board": START, "seed": 1, "p_four": 0} | options))


def test_a_move_is_answered_with_the_board_and_the_way_there() -> None:
    answer = talk().say("move", direction="left")
    assert answer["state"]["board"][0][0] == 4
    assert answer["motion"]["merged"] == [[0, 0]]
    assert (answer["gained"], answer["state"]["score"]) == (4, 4)
    assert answer["view"] == "v"


def test_a_board_that_was_handed_out_is_a_copy() -> None:
    widget = talk().widget
    widget.board[0][0] = widget.history[0][0][0] = 2048
    assert widget.match.board == START


def test_a_new_view_starts_from_the_board_as_it_stands() -> None:
    talking = talk()
    talking.say("move", direction="left")
    assert talking.widget.get_state("state")["state"]["board"] == talking.widget.board


@pytest.mark.parametrize(
    "content",
    [
        {"do": "move", "direction": "sideways"},
        {"do": "move", "direction": ["left"]},
        {"do": "fly"},
        {},
    ],
    ids=str,
)
def test_a_message_that_means_nothing_changes_nothing(content) -> None:
    talking = talk()
    talking.widget._handle_custom_msg(content, [])
    assert talking.answers[-1]["kind"] == "dropped"
    assert talking.widget.board == START


def test_what_was_stopped_is_said_and_known_to_the_view() -> None:
    answer = talk(merge=learners.is_interrupted).say("move", direction="left")
    assert "was stopped" in answer["state"]["note"]["title"]
    assert answer["stopped"]


@pytest.mark.parametrize(
    ("function", "kind", "line"),
    [
        (
            learners.cascade,
            "wrong",
            "Row 0 (counted from 0): 4 2 2 0 became 8 0 0 0. The rules give 4 4 0 0.",
        ),
        (learners.raises, "stuck", "IndexError in line"),
        (learners.nothing, "stuck", "merge([4, 2, 2, 0]) gave None."),
    ],
    ids=["wrong", "error", "nonsense"],
)
def test_what_went_wrong_is_written_beside_the_board(function, kind, line) -> None:
    answer = talk(merge=function, board=[[4, 2, 2, 0]]).say("move", direction="left")
    note = answer["state"]["note"]
    assert note["kind"] == kind
    assert line in note["lines"][0]


def test_what_the_code_printed_is_written_beside_the_board() -> None:
    answer = talk(merge=learners.prints).say("move", direction="left")
    assert answer["state"]["note"]["printed"] == ["merging [2, 2, 0, 0]", "merging [4, 0, 0, 0]"]


@pytest.mark.parametrize(
    ("what", "square", "said"),
    [
        ("status", [0, 0], "Score 0, 0 moves"),
        ("row", [0, 0], "Row 1: 2, 2, zero, zero"),
        ("column", [0, 2], "Column C: zero, zero"),
        ("right", [0, 1], "C1 zero"),
        ("down", [0, 0], "A2 4"),
        ("left", [0, 0], "A1 2"),
    ],
    ids=["status", "row", "column", "right", "down", "the wall"],
)
def test_the_board_is_read_out(what, square, said) -> None:
    answer = talk().say("read", what=what, square=square)
    assert answer["said"] == said


def test_the_word_for_an_empty_square_is_an_option() -> None:
    assert talk(empty="blank").say("read", what="row")["said"] == "Row 1: 2, 2, blank, blank"


def test_the_learners_own_announcement_is_what_is_said() -> None:
    def announce_square(board, row, column):
        return f"hello {board[row][column]}"

    answer = talk(announce_square=announce_square).say("read", what="left")
    assert answer["said"] == "hello 2"
    assert "By the rules it is 'A1 2'." in answer["note"]["lines"][0]


def test_an_announcement_that_is_none_is_told_and_harms_nothing() -> None:
    answer = talk(announce_status=lambda score, moves: None).say("read", what="status")
    assert "It must give a text." in answer["note"]["lines"][0]


def test_boards_are_independent_of_each_other() -> None:
    first, second = talk(), talk()
    first.say("move", direction="left")
    assert second.widget.board == START


def test_a_learners_game_is_played() -> None:
    game = Game()
    Talk(play(game=game)).say("undo")
    talking = Talk(play(game=game))
    for direction in ("left", "up", "right", "down"):
        talking.say("move", direction=direction)
    assert talking.widget.board == game.board


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        ((learners.cascade,), {}, "write play(cascade=cascade). It knows close_gaps, merge"),
        ((), {"marge": len}, "does not know 'marge'. It knows close_gaps, merge"),
        ((), {"merge": 7}, "merge must be a function"),
        ((), {"game": Game}, "call the class"),
    ],
    ids=["nameless", "unknown", "no function", "class"],
)
def test_what_cannot_be_played_is_refused_in_words(arguments, options, said) -> None:
    with pytest.raises(Refusal) as refused:
        play(*arguments, **options)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "options",
    [{"board": [[2], [2, 4]]}, {"board": []}, {"keys": "nose"}, {"height": 0}, {"width": -1}],
    ids=str,
)
def test_an_impossible_board_is_refused(options) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        play(**options)


def test_the_board_describes_itself() -> None:
    assert repr(play(board=START)) == f"<board {START}, score 0, 0 moves>"


def test_a_best_game_is_one_by_the_same_rules() -> None:
    def close_gaps(line: list[int]) -> list[int]:
        return sorted(line, key=lambda tile: tile == 0)

    given = [{}, {"close_gaps": close_gaps}, {"close_gaps": close_gaps, "merge": merge}]
    rules = [talk(**each).say("new")["state"]["rules"] for each in given]
    assert rules == ["classic-2048", "sliding-2048", "classic-2048"]
