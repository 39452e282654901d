"""Every widget of the family answers each message of a view with one message, whatever happens."""

from typing import Any

import pytest

from course import play, play_duel, predict, replay, watch
from course.hints.parsons_puzzles import puzzle
from course.hints.progressive_hints import PuzzleHint
from course.rules import merge
from course.widgets.hint_widget import HintButton, PuzzleWidget


def a_puzzle() -> PuzzleWidget:
    about = puzzle("merge")
    assert about is not None
    return PuzzleWidget(PuzzleHint(3, about))


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
    "puzzle": (a_puzzle, {"rows": [[0, 1]]}, "course.widgets.hint_widget.judge"),
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

    widget, sent = make(), []
    widget.send = sent.append
    monkeypatch.setattr(part, fails)
    widget._handle_custom_msg({**message, "view": "one"}, [])
    [answer] = sent
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
    widget, sent = make(), []
    widget.send = sent.append
    widget._handle_custom_msg(message, [])
    [answer] = sent
    assert answer["kind"] in ("dropped", "note")
