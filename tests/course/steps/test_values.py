"""Values as plain data: huge ones are cut, and no method of an object is called."""

import json
from dataclasses import dataclass

import pytest

from course.steps.record_call import record
from course.steps.values import snapshot, text
from tests.course.playing import learners
from tests.course.steps.programs import words_of


@pytest.mark.parametrize(
    ("value", "rows", "is_line"),
    [
        ([2, 0], [[2, 0]], True),
        ([[2, 0], [4, 8]], [[2, 0], [4, 8]], False),
        ([[2, -2]], [[2, -2]], False),
    ],
    ids=["line", "board", "duel"],
)
def test_lines_and_boards_are_tiles(value, rows, is_line) -> None:
    seen = snapshot(value)
    assert seen == {"kind": "tiles", "rows": rows, "is_line": is_line}
    value.clear()
    assert seen["rows"] == rows


@pytest.mark.parametrize(
    "value", [[], [True], [2.0], [[2], [2, 2]], [[]], [10**9], [2] * 33, (2, 4)], ids=str
)
def test_everything_else_is_written(value) -> None:
    assert snapshot(value)["kind"] == "text"


def test_a_list_that_holds_itself_is_written_to_an_end() -> None:
    endless: list = []
    endless.append(endless)
    assert text(endless).endswith("…")


def test_an_object_in_an_object_in_an_object_is_named_at_last() -> None:
    class Node:
        def __init__(self, inner):
            self.inner = inner

    shown = snapshot(Node(Node(Node(None))))
    assert shown["fields"][0]["value"]["fields"][0]["value"] == {"kind": "text", "text": "a Node"}


def test_slots_are_shown() -> None:
    @dataclass(slots=True)
    class Square:
        row: int
        column: int

    fields = snapshot(Square(1, 2))["fields"]
    assert {each["name"]: each["value"]["text"] for each in fields} == {"row": "1", "column": "2"}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (("a",), "('a',)"),
        (set(), "set()"),
        (frozenset({2}), "frozenset({2})"),
        (range(0, 4), "range(0, 4)"),
        (len, "the function len"),
        (int, "the class int"),
        (iter([]), "a list_iterator"),
        (enumerate([]), "an enumerate"),
        (KeyError("up"), "KeyError: 'up'"),
        ([].append, "the function append"),
    ],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)
def test_values_are_written_as_python_or_named(value, words) -> None:
    assert text(value) == words


class Hostile:
    """An object that notes every call of a method or property, and raises an error."""

    asked: list[str] = []  # noqa: RUF012

    def __init__(self):
        self.tile = 2

    def __getattr__(self, name):
        if not name.startswith("__"):
            self.asked.append(name)
        raise AttributeError(name)

    def _noticed(self, *others):
        self.asked.append("noticed")
        raise ValueError

    __repr__ = __str__ = __eq__ = __len__ = __iter__ = _noticed
    __hash__ = None
    __class__ = property(_noticed)
    secret = property(_noticed)


class HostileList(list):
    def __iter__(self):
        Hostile.asked.append("list")
        return iter([])

    __len__ = __getitem__ = __repr__ = __iter__


def test_nothing_of_an_object_is_called_while_it_is_looked_at() -> None:
    def handles():
        thing = Hostile()
        things = [thing, {"thing": thing}]
        tiles = HostileList([2, 4])
        return thing, things, tiles

    Hostile.asked.clear()
    recording = record(handles, ())
    assert Hostile.asked == []
    variables = recording.states[recording.steps[-1]["stack"][0]]["variables"]
    thing, things, tiles = (variable["value"] for variable in variables)
    assert (thing["name"], thing["fields"][0]["value"]["text"]) == ("Hostile", "2")
    assert things["text"] == "[a Hostile, {'thing': a Hostile}]"
    assert tiles["text"] == "[2, 4]"


def test_an_error_s_own_text_is_not_asked_for() -> None:
    assert words_of(record(learners.evil, ([2],)))[-1].endswith("This line fails. EvilError.")


def test_huge_values_stay_small_in_the_picture() -> None:
    def huge():
        tiles = [2] * 1_000_000
        board = [[0] * 1000] * 1000
        number = 7**100_000
        text = "x" * 10_000_000
        nested = [[[[tiles] * 100] * 100] * 100] * 100
        known = dict.fromkeys(range(1000), tiles)
        print(text)
        return nested, board, number, known

    recording = record(huge, ())
    assert recording.steps[-1]["kind"] == "return"
    variables = recording.states[recording.steps[-1]["stack"][0]]["variables"]
    shown = {variable["name"]: variable["value"]["text"] for variable in variables}
    assert shown["number"].startswith("a number of about 845")
    assert len(json.dumps([recording.steps, recording.states, recording.printed])) < 40_000
