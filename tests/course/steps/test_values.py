"""Values as plain data."""

from dataclasses import dataclass

import pytest

from course.steps.values import snapshot, text


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
    assert snapshot(value) == {"kind": "tiles", "rows": rows, "is_line": is_line}


@pytest.mark.parametrize(
    "value", [[], [True], [2.0], [[2], [2, 2]], [[]], [10**9], [2] * 33, (2, 4)], ids=str
)
def test_everything_else_is_written(value) -> None:
    assert snapshot(value)["kind"] == "text"


def test_tiles_are_a_copy() -> None:
    board = [[2, 0]]
    seen = snapshot(board)
    board[0][0] = 4
    assert seen["rows"] == [[2, 0]]


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
