"""The live board in Python: every message from the browser gets an answer, even after errors."""

import json

import pytest

from course import play, rules
from course.refusal import Refusal
from course.rules import Game, merge
from tests.course.playing import learners
from tests.course.widgets.conftest import answer_to

START = [[2, 2, 0, 0], [4, 0, 0, 0]]


def board(**options):
    return play(**{"board": START, "seed": 1, "p_four": 0} | options)


def ask(widget, do: str, **more):
    """Send a message of a view to a board, and return its answer."""
    return answer_to(widget, {"do": do, "view": "v", "square": [0, 0], **more})


def test_a_move_is_answered_with_the_board_and_the_way_there() -> None:
    answer = ask(board(), "move", direction="left")
    assert answer["state"]["board"][0][0] == 4
    assert answer["motion"]["merged"] == [[0, 0]]
    assert (answer["gained"], answer["state"]["score"]) == (4, 4)
    assert answer["view"] == "v"


@pytest.mark.parametrize(
    "content",
    [
        *({"do": "move", "direction": way} for way in ("sideways", ["left"])),
        *({"do": "read", "what": "row"} | more for more in ({}, {"square": ["a", None]})),
        *({"do": "fly"}, {}, [], None),
    ],
    ids=str,
)
def test_a_message_that_means_nothing_is_answered_and_changes_nothing(content) -> None:
    widget = board()
    assert answer_to(widget, content)["kind"] in ("note", "dropped")
    assert widget.board == START
    assert ask(widget, "move", direction="left")["kind"] == "turn"


def test_a_board_that_was_handed_out_is_a_copy() -> None:
    widget = board()
    widget.board[0][0] = widget.history[0][0][0] = 2048
    assert widget.match.board == START


def test_what_was_stopped_is_said_and_known_to_the_view() -> None:
    answer = ask(board(merge=learners.is_interrupted), "move", direction="left")
    assert "was stopped" in answer["state"]["note"]["title"]
    assert answer["stopped"]


def test_what_the_code_printed_is_written_beside_the_board() -> None:
    answer = ask(board(merge=learners.prints), "move", direction="left")
    assert answer["state"]["note"]["printed"] == ["merging [2, 2, 0, 0]", "merging [4, 0, 0, 0]"]


WIDE = {"board": None, "height": 2, "width": 27}


@pytest.mark.parametrize(
    ("options", "what", "square", "said", "there"),
    [
        ({}, "status", [0, 0], "Score 0, 0 moves", [0, 0]),
        ({}, "row", [0, 0], "Row 1: 2, 2, zero, zero", [0, 0]),
        ({}, "column", [0, 2], "Column C: zero, zero", [0, 2]),
        ({}, "right", [0, 1], "C1 zero", [0, 2]),
        ({}, "down", [0, 0], "A2 4", [1, 0]),
        ({}, "left", [0, 0], "A1 2", [0, 0]),
        ({"empty": "blank"}, "row", [0, 0], "Row 1: 2, 2, blank, blank", [0, 0]),
        (WIDE, "column", [0, 26], "has no name", [0, 26]),
        (WIDE, "right", [0, 25], "names go from A1 to column Z", [0, 25]),
    ],
    ids=["status", "row", "column", "right", "down", "the wall", "empty", "AA", "beyond Z"],
)
def test_the_board_is_read_out(options, what, square, said, there) -> None:
    answer = ask(board(**options), "read", what=what, square=square)
    assert said.lower() in answer["said"].lower()
    assert answer["square"] == there
    assert (answer["note"] is None) == (options is not WIDE)


def test_the_learners_own_announcement_is_what_is_said() -> None:
    def announce_square(board, row, column):
        return f"hello {board[row][column]}"

    answer = ask(board(announce_square=announce_square), "read", what="left")
    assert answer["said"] == "hello 2"
    assert "By the rules it is 'A1 2'." in answer["note"]["lines"][0]


def test_an_announcement_that_is_none_is_told_and_harms_nothing() -> None:
    answer = ask(board(announce_status=lambda score, moves: None), "read", what="status")
    assert "It must give a text." in answer["note"]["lines"][0]


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        ((learners.cascade,), {}, "write play(cascade=cascade). It knows close_gaps, merge"),
        ((), {"marge": len}, "does not know 'marge'. It knows close_gaps, merge"),
        ((), {"merge": 7}, "merge must be a function"),
        ((), {"game": Game}, "call the class"),
        ((), {"keys": "nose"}, "is not one of 'eye', 'ear'"),
    ],
    ids=["nameless", "unknown", "no function", "class", "keys"],
)
def test_what_cannot_be_played_is_refused_in_words(arguments, options, said) -> None:
    with pytest.raises(Refusal) as refused:
        play(*arguments, **options)
    assert said in str(refused.value)


def test_a_best_game_is_one_by_the_same_rules() -> None:
    def close_gaps(line: list[int]) -> list[int]:
        return sorted(line, key=lambda tile: tile == 0)

    given = [{}, {"close_gaps": close_gaps}, {"close_gaps": close_gaps, "merge": merge}]
    rules = [ask(board(**each), "new")["state"]["rules"] for each in given]
    assert rules == ["classic-2048", "sliding-2048", "classic-2048"]


HUGE = 10**5000  # more digits than Python converts to text


class Shrinks(rules.Game):
    """A game that starts again on a smaller board."""

    def reset(self):
        super().reset()
        self.board = [[2, 0]]


class Leaves(BaseException):
    """An error that is no `Exception`, so that most `except` clauses do not catch it."""


def leaves(*arguments):
    raise Leaves("for good")


class Rows(list):
    """A list that cannot be compared."""

    def __eq__(self, other):
        raise ValueError("I am like nobody")

    __hash__ = None


def odd_rows(board, direction):
    return Rows(board)


def spoils(line):
    line[0] = learners.EvilAnswer()
    line.append(Rows())
    return rules.merge([2] * (len(line) - 1))


class HugeScore(rules.Game):
    """A game with a score that is too large for a browser."""

    def move(self, direction):
        moved = super().move(direction)
        self.score = HUGE
        return moved


def half_a_letter(line):
    print("\ud83d")
    return line


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"empty_cells": lambda board: [(9, 9)]}, id="a square outside"),
        pytest.param({"empty_cells": lambda board: []}, id="no empty square"),
        pytest.param({"traverse": lambda start, step, count: [(9, 9)] * count}, id="walks away"),
        pytest.param({"merge": leaves}, id="an exception of its own kind"),
        pytest.param({"slide": odd_rows}, id="rows that cannot be compared"),
        pytest.param({"merge": spoils}, id="a spoilt argument"),
        pytest.param({"merge": half_a_letter}, id="a text that cannot be sent"),
        pytest.param({"merge": lambda line: [HUGE, *line[1:]]}, id="a huge tile"),
        pytest.param({"points": lambda line: HUGE}, id="huge points"),
        pytest.param({"announce_move": lambda *a, **o: "x" * 10**6}, id="a flood of words"),
        pytest.param({"board": None, "game": HugeScore()}, id="a huge score"),
        pytest.param({"board": [[0, *[2, 4] * 13]]}, id="a new tile beyond column Z"),
    ],
)
def test_a_move_is_answered_by_something_that_can_be_sent(options) -> None:
    widget = board(**options)
    for direction in rules.DIRECTIONS:
        answer = ask(widget, "move", direction=direction)
        assert (answer["view"], answer["kind"]) == ("v", "turn")
        json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()


def test_a_cursor_comes_along_when_the_board_becomes_smaller() -> None:
    widget = play(game=Shrinks())
    ask(widget, "new")
    assert widget.board == [[2, 0]]
    answer = ask(widget, "read", what="right", square=[3, 3])
    assert (answer["said"], answer["square"]) == ("B1 zero", [0, 1])


def test_a_cursor_that_the_learner_leads_off_the_board_stays() -> None:
    widget = board(move_cursor=lambda board, square, direction: (9, 9))
    answer = ask(widget, "read", what="right", square=[1, 0])
    assert answer["square"] == [1, 0]
    assert "There is no square (9, 9) on the board." in answer["note"]["lines"][0]


def test_an_answer_that_can_not_be_sent_is_answered_otherwise() -> None:
    widget, sent = board(), []

    def post(answer):
        if answer["kind"] == "turn":
            raise ValueError("the line is broken")
        sent.append(answer)

    widget.send = post
    widget._handle_custom_msg({"do": "move", "direction": "left"}, [])
    assert "the line is broken" in sent[-1]["said"]


def test_the_state_for_a_new_view_can_always_be_sent() -> None:
    widget = play(is_over=lambda board: bool(half_a_letter([])), board=START)
    json.dumps(widget.get_state("state"), ensure_ascii=False).encode()
