"""A cell that is run again offers to go back to the game that was played on its board before."""

from types import SimpleNamespace
from typing import Any

import IPython
import pytest

from course import play, play_duel

LEFT = {"do": "move", "direction": "left"}


class Cell:
    """A cell of a notebook in a kernel: each run asks for boards with a message of its own."""

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
    monkeypatch.setattr("course.widgets.live._cells", {})
    return made


def send(widget: Any, **content: Any) -> dict[str, Any]:
    """Send a message of a view to a board; return its answer."""
    answers: list[dict[str, Any]] = []
    widget.send = lambda answer, buffers=None: answers.append(answer)
    widget._handle_custom_msg(content, [])
    return answers[-1]


def test_the_game_before_goes_on_with_its_board_score_and_moves(cell: Cell) -> None:
    first = cell.play()
    send(first, **LEFT)
    second = cell.play()
    assert (second.match.moves, second.back) == (0, "Back to the game before (1 move)")
    answer = send(second, do="back")
    assert answer["said"] == "The game before. Score 4, 1 move."
    assert answer["state"]["board"] == first.board
    assert (second.match.score, second.back) == (4, "")
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
