"""Whatever happens while a message is answered, it gets an answer, and the board plays on."""

import json

import pytest

from course import play, rules
from course.playing.match import Match
from tests.course.playing import learners
from tests.course.widgets.test_board import Talk

START = [[2, 2, 0, 0], [4, 0, 0, 0]]
HUGE = 10**5000  # more digits than Python writes down


def talk(**options) -> Talk:
    return Talk(play(**{"board": START, "seed": 1, "p_four": 0} | options))


class Shrinks(rules.Game):
    """A game that starts again on a smaller board."""

    def reset(self):
        super().reset()
        self.board = [[2, 0]]


class Leaves(BaseException):
    """No `Exception`, so that it gets past most of what catches."""


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
    """A score that no browser can count."""

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
    talking = talk(**options)
    for direction in rules.DIRECTIONS:
        answer = talking.say("move", direction=direction)
        assert answer["view"] == "v"
        assert answer["kind"] == "turn"
        json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()
    assert len(talking.answers) == 4


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ({"empty_cells": lambda board: [(9, 9)]}, "There is no square (9, 9) on the board."),
        ({"empty_cells": lambda board: []}, "empty_cells([[4, 0, 0, 0], [4, 0, 0, 0]]) gave []."),
        ({"merge": leaves}, "Leaves in line"),
        ({"merge": lambda line: [HUGE, *line[1:]]}, "too large"),
    ],
    ids=["a square outside", "no empty square", "an exception of its own kind", "a huge tile"],
)
def test_a_turn_without_an_answer_says_why_and_leaves_the_board(pieces, said) -> None:
    talking = talk(**pieces)
    note = talking.say("move", direction="left")["state"]["note"]
    assert said in note["lines"][0]
    assert note["lines"][0].endswith("The board stays as it was.")
    assert talking.widget.board == START


def test_a_column_beyond_z_is_said_to_have_no_name() -> None:
    answer = talk(board=None, height=2, width=27).say("read", what="column", square=[0, 26])
    assert "has no name" in answer["said"]


@pytest.mark.parametrize("what", ["right", "row", "column", "status"])
def test_a_cursor_beyond_column_z_is_answered(what: str) -> None:
    talking = talk(board=None, height=2, width=27, keys="ear")
    answer = talking.say("read", what=what, square=[0, 26])
    assert answer["view"] == "v"
    assert answer["note"] is not None or answer["said"]
    assert talking.say("move", direction="left")["kind"] == "turn"


def test_the_ear_stops_at_column_z_and_is_told_why() -> None:
    answer = talk(board=None, height=2, width=27).say("read", what="right", square=[0, 25])
    assert answer["square"] == [0, 25]
    assert "names go from a1 to column z" in answer["said"].lower()


def test_a_cursor_comes_along_when_the_board_becomes_smaller() -> None:
    talking = Talk(play(game=Shrinks()))
    talking.say("new")
    assert talking.widget.board == [[2, 0]]
    answer = talking.say("read", what="right", square=[3, 3])
    assert (answer["said"], answer["square"]) == ("B1 zero", [0, 1])


def test_a_cursor_that_the_learner_leads_off_the_board_stays() -> None:
    talking = talk(move_cursor=lambda board, square, direction: (9, 9))
    answer = talking.say("read", what="right", square=[1, 0])
    assert answer["square"] == [1, 0]
    assert "There is no square (9, 9) on the board." in answer["note"]["lines"][0]


@pytest.mark.parametrize(
    "content",
    [None, [], {"do": "read", "what": "row"}, {"do": "read", "square": ["a", None], "what": "row"}],
    ids=str,
)
def test_a_message_that_can_not_be_read_is_answered(content) -> None:
    talking = talk()
    talking.widget._handle_custom_msg(content, [])
    [answer] = talking.answers
    assert answer["kind"] in ("note", "dropped")
    assert talking.say("move", direction="left")["kind"] == "turn"


@pytest.mark.parametrize(
    "error", [RuntimeError("a fault of ours"), SystemExit(), Leaves("so long")]
)
def test_an_error_of_our_own_is_answered_with_what_happened(monkeypatch, error) -> None:
    def fails(*arguments):
        raise error

    talking = talk()
    with monkeypatch.context() as broken:
        broken.setattr(Match, "move", fails)
        answer = talking.say("move", direction="left")
    assert type(error).__name__ in answer["note"]["lines"][0]
    assert answer["view"] == "v"
    assert talking.say("move", direction="left")["state"]["board"][0][0] == 4


def test_an_answer_that_can_not_be_sent_is_answered_otherwise() -> None:
    talking = talk()
    sent = talking.answers.append

    def post(answer):
        if answer["kind"] == "turn":
            raise ValueError("the line is broken")
        sent(answer)

    talking.widget.send = post
    assert "the line is broken" in talking.say("move", direction="left")["said"]


def test_the_state_for_a_new_view_can_always_be_sent() -> None:
    widget = play(is_over=half_a_letter_over, board=START)
    json.dumps(widget.get_state("state"), ensure_ascii=False).encode()


def half_a_letter_over(board):
    print("\ud83d")
    return False
