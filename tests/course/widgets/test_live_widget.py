"""Live widgets: each message of a view gets one answer; a duel; a cell that is run again."""

import json
from types import SimpleNamespace
from typing import Any

import IPython
import pytest

from course import play, play_duel, predict, replay, watch
from course.playing import GreedyAgent
from course.refusal import Refusal
from course.rules import merge
from course.widgets.hint_widget import HintButton
from tests.course.widgets.conftest import answer_to, puzzle_of


def send(widget: Any, **content: Any) -> dict[str, Any]:
    return answer_to(widget, content)


# Each widget, a message to it, and the part of the course that the message makes it use.
ASKED = {
    "board": (
        lambda: play(board=[[2, 2]]),
        {"do": "undo"},
        "course.playing.game_in_progress.Match.undo",
    ),
    "duel": (play_duel, {"do": "new"}, "course.playing.duel_against_agent.Seat.start"),
    "hints": (
        lambda: HintButton("merge"),
        {"do": "hint"},
        "course.widgets.hint_widget.next_hint",
    ),
    "puzzle": (
        lambda: puzzle_of("merge"),
        {"rows": [[0, 1]]},
        "course.widgets.hint_widget.judge",
    ),
    "replay": (
        lambda: replay([[[2, 2]], [[4, 2]]]),
        {"do": "play", "at": 0},
        "course.widgets.replay.BoardWidget",
    ),
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(), KeyboardInterrupt()], ids=repr)
def test_an_error_is_an_answer_too(
    name: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, message, part = ASKED[name]

    def fails(*_: Any, **__: Any) -> None:
        raise error

    widget = make()
    monkeypatch.setattr(part, fails)
    answer = answer_to(widget, {**message, "view": "one"})
    assert answer["view"] == "one"
    if isinstance(error, KeyboardInterrupt):
        assert answer["kind"] == "dropped"
    else:
        assert answer["kind"] == "note"
        assert type(error).__name__ in answer["said"]


@pytest.mark.parametrize("message", [None, "hint", {"do": "other"}, {}], ids=str)
@pytest.mark.parametrize(
    "make",
    [
        *(make for make, *_ in ASKED.values()),
        lambda: watch(merge, [2, 2]),
        lambda: predict("merge", [2, 2], options=[[4, 0]]),
    ],
    ids=[*ASKED, "stepper", "question"],
)
def test_a_message_that_is_never_sent_is_answered(make: Any, message: Any) -> None:
    assert answer_to(make(), message)["kind"] in ("dropped", "note")


def first_legal(widget) -> dict:
    return {"do": "answer", "answer": widget.state["legal"][0]}


@pytest.mark.parametrize("player", [1, -1])
def test_a_duel_is_played_to_its_end(player: int) -> None:
    widget = play_duel(seed=1, rounds=8, player=player)
    while widget.state["asked"]:
        answer = answer_to(widget, first_legal(widget))
        assert json.dumps(answer)
    assert widget.state["over"]
    assert answer["said"].endswith(widget.state["task"])
    assert widget.state["task"].startswith("The duel is over.")


def test_the_error_that_lost_a_duel_ends_with_one_full_stop() -> None:
    class Agent:
        def place(self, view):
            raise KeyError("no")

    task = play_duel(against=Agent, player=-1).state["task"]
    assert task.endswith("'no'.")


@pytest.mark.parametrize(
    "content",
    [
        {"do": "answer", "answer": [0, 9]},
        {"do": "answer", "answer": {"a": 1}},
        {"do": "answer"},
        {"do": "read", "what": "left", "square": [0, 0]},
        {"do": "read", "what": "status", "square": [3, 7]},
        {"do": "read", "what": "sideways", "square": [0, 0]},
    ],
    ids=str,
)
def test_every_message_is_answered_once_and_the_duel_goes_on(content) -> None:
    widget = play_duel(seed=1, rounds=8)
    answer_to(widget, content)
    assert answer_to(widget, first_legal(widget))["kind"] == "turn"


def test_squares_are_read_with_their_owner_and_what_may_be_done() -> None:
    widget = play_duel(seed=1, rounds=8, against="myself")
    messages = (
        {"do": "answer", "answer": [0, 4]},
        {"do": "read", "what": "right", "square": [0, 3]},
        {"do": "read", "what": "up", "square": [0, 0]},
    )
    assert [answer_to(widget, message)["said"] for message in messages] == [
        "The first player placed a 2 on E1. Second player: place a 2: on F4 at home, or anywhere "
        "in the other half.",
        "E1, 2, of the second player",
        "A1, empty, territory of the first player, you may place here",
    ]


def test_the_tiles_that_a_push_has_eaten_are_counted() -> None:
    widget = play_duel(seed=1, rounds=8, against="myself")
    said = [send(widget, **first_legal(widget))["said"] for _ in range(3)]
    assert "The first player pushed right and ate 1 of the other tiles." in said[-1]
    assert widget.state["tiles"] == {"1": [4], "-1": []}


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([len], {}),
        ([GreedyAgent], {}),
        ([], {"merge": len}),
        ([], {"push": 3}),
        ([], {"player": 2}),
        ([], {"rounds": 0}),
        ([], {"against": "nobody"}),
        ([], {"keys": "nose"}),
    ],
    ids=str,
)
def test_what_is_not_known_is_refused_with_a_sentence(arguments, options) -> None:
    with pytest.raises(Refusal):
        play_duel(*arguments, **options)


LEFT = {"do": "move", "direction": "left"}


class Cell:
    """A notebook in a kernel, whose cells make boards; each run of a cell has a new message id."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {}

    def run(self, cell: str = "a", runs: list[int] = [0]) -> None:  # noqa: B006 — counts all runs
        runs[0] += 1
        self.message = {"metadata": {"cellId": cell}, "header": {"msg_id": str(runs[0])}}

    def play(self, cell: str = "a", **options: Any) -> Any:
        self.run(cell)
        return play(board=[[2, 2, 4, 8], [0, 0, 0, 0]], **options)


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    made = Cell()
    kernel = SimpleNamespace(get_parent=lambda: made.message)
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=kernel))
    monkeypatch.setattr("course.widgets.live_widget._cells", {})
    return made


def test_the_game_before_goes_on_with_its_board_score_and_moves(cell: Cell) -> None:
    first = cell.play()
    send(first, **LEFT)
    second = cell.play()
    assert (second.match.state.moves, second.back) == (0, "Back to the game before (1 move)")
    answer = send(second, do="back")
    assert answer["said"] == "The game before. Score 4, 1 move."
    assert answer["state"]["board"] == first.board
    assert (second.match.state.score, second.back) == (4, "")
    assert send(second, do="undo")["state"]["board"][0] == [2, 2, 4, 8]


def test_the_game_that_is_left_can_be_gone_back_to(cell: Cell) -> None:
    send(cell.play(), **LEFT)
    board = cell.play()
    for direction in ("right", "down"):
        send(board, do="move", direction=direction)
    left = board.board
    send(board, do="back")
    assert board.back == "Back to the game before (2 moves)"
    assert send(board, do="back")["state"]["board"] == left


def test_a_board_that_was_not_played_hands_on_the_game_before(cell: Cell) -> None:
    send(cell.play(), **LEFT)
    cell.play()
    assert cell.play().back == "Back to the game before (1 move)"


def test_there_is_no_way_back_where_nothing_was_lost(cell: Cell) -> None:
    unplayed = [cell.play(), cell.play()]
    elsewhere = cell.play("b")
    send(elsewhere, **LEFT)
    undone = cell.play("c")
    send(undone, **LEFT)
    send(undone, do="undo")
    nothing = [*unplayed, elsewhere, cell.play("c")]
    assert [board.back for board in nothing] == [""] * 4
    assert send(nothing[-1], do="back")["kind"] == "dropped"


def test_a_game_that_goes_on_anyway_needs_no_way_back(cell: Cell) -> None:
    from course.rules import Game

    game = Game()
    cell.run()
    board = play(game=game)
    for direction in ("left", "up", "right"):
        send(board, do="move", direction=direction)
    cell.run()
    assert play(game=game).back == ""


def test_two_boards_of_one_cell_keep_their_own_games(cell: Cell) -> None:
    cell.run()
    first, second = play(board=[[2, 2, 0]]), play(board=[[4, 4, 0]])
    send(second, **LEFT)
    cell.run()
    first, second = play(board=[[2, 2, 0]]), play(board=[[4, 4, 0]])
    assert (first.back, second.back) == ("", "Back to the game before (1 move)")


def test_a_duel_is_gone_back_to_as_well(cell: Cell) -> None:
    cell.run()
    before = play_duel(against="myself", seed=1)
    send(before, do="answer", answer=before.state["legal"][0])
    cell.run()
    board = play_duel(seed=2)
    assert board.back == "Back to the duel before (1 move)"
    answer = send(board, do="back")
    assert answer["said"].startswith("The duel before. Round 1 of 100.")
    assert (answer["state"]["board"], answer["state"]["player"]) == (before.board, -1)
    cell.run()
    assert play().back == ""


def test_outside_of_a_notebook_there_is_no_cell_to_remember() -> None:
    assert (play().back, play().back) == ("", "")
