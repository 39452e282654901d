"""The board of a duel in Python: the messages to the browser, and their announcements."""

import json

import pytest

from course import play_duel
from course.playing import GreedyAgent
from course.refusal import Refusal


def first_legal(widget) -> dict:
    return {"do": "answer", "answer": widget.state["legal"][0]}


@pytest.mark.parametrize("player", [1, -1])
def test_a_duel_is_played_to_its_end(player: int) -> None:
    widget = play_duel(seed=1, rounds=8, player=player)
    sent = []
    widget.send = lambda content, buffers=None: sent.append(content)
    while widget.state["asked"]:
        widget._handle_custom_msg(first_legal(widget), [])
    assert widget.state["over"]
    assert sent[-1]["said"].endswith(widget.state["end"])
    assert widget.state["end"].startswith("The duel is over.")
    assert all(json.dumps(each) for each in sent)


@pytest.mark.parametrize(
    "content",
    [
        {"do": "answer", "answer": [0, 9]},
        {"do": "answer", "answer": {"a": 1}},
        {"do": "answer"},
        {"do": "dance"},
        {"do": "read", "what": "left", "square": [0, 0]},
        {"do": "read", "what": "status", "square": [3, 7]},
        {"do": "read", "what": "sideways", "square": [0, 0]},
        {},
        "nonsense",
    ],
    ids=str,
)
def test_every_message_is_answered_once_and_the_duel_goes_on(content) -> None:
    widget = play_duel(seed=1, rounds=8)
    sent = []
    widget.send = lambda content, buffers=None: sent.append(content)
    widget._handle_custom_msg(content, [])
    assert len(sent) == 1
    widget._handle_custom_msg(first_legal(widget), [])
    assert sent[-1]["kind"] == "turn"


def test_squares_are_read_with_their_owner_and_what_may_be_done() -> None:
    widget = play_duel(seed=1, rounds=8, against="myself")
    sent = []
    widget.send = lambda content, buffers=None: sent.append(content)
    widget._handle_custom_msg({"do": "answer", "answer": [0, 4]}, [])
    widget._handle_custom_msg({"do": "read", "what": "right", "square": [0, 3]}, [])
    widget._handle_custom_msg({"do": "read", "what": "up", "square": [0, 0]}, [])
    assert [each["said"] for each in sent] == [
        "The first player placed a 2 on E1. Second player: place a 2: on F4 at home, or anywhere "
        "in the other half.",
        "E1, 2, of the second player",
        "A1, empty, territory of the first player, you may place here",
    ]


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
