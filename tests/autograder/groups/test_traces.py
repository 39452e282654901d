"""Traces: what a test asked and was answered, as texts that depend on the program alone."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from autograder.grading_data import Cell, CellKind, CheckResult, Outcome, Submission
from autograder.groups.traces import Trace, with_groups
from autograder.wire import Decoder, Encoder

ERROR = [["ValueError", "Exception"], "ValueError", "no <Game object at 0x7f00> here", None]
HANDLE = {"handle": [12, "instance", "Game"]}


def call(trace: Trace, *arguments: Any, value: Any = None, error: Any = None) -> None:
    """Note in a trace a call with its `value` or `error`, as the judge's `Process` does."""
    asked = Encoder().encode((list(arguments), {}))
    decoder = Decoder(lambda handle: handle)
    given, options = decoder.decode(asked)
    after = Encoder(known=decoder.mutable).encode([given, options])
    told = {"error": error} if error else {"value": value}
    trace.note("f", {"do": "call", "with": asked, "on": 3}, {"after": after, **told})


def told_of(*arguments: Any, key: Any = "another", **answer: Any) -> list[str]:
    """Return the five texts that a trace with one call tells, if the answer key has returned `key`.

    They are a digest, the name, question and answer of the wrong step, and the key's answer.
    """
    ours, theirs = Trace(), Trace()
    call(ours, *arguments, **answer)
    call(theirs, *arguments, value=key)
    return ours.told(theirs.of_key())


@pytest.mark.parametrize(
    ("arguments", "answer", "question", "text"),
    [
        ([[2, 2], "left"], {"value": [4, 0]}, "f([2, 2], 'left')", "[4, 0]"),
        ([], {"value": 0.1 + 0.2}, "f()", "0.3"),
        ([(1,)], {"value": Encoder().encode({"b", "a"})}, "f((1,))", "{'a', 'b'}"),
        ([Decimal(2)], {"value": "<T object at 0x7f0d>"}, "f(Decimal('2'))", "'<T object>'"),
        ([], {"value": HANDLE}, "f()", "<an object>"),
        ([], {"error": ERROR}, "f()", "ValueError"),
        ([Random(1)], {"value": [3, 1]}, "f(Random(…))", "[3, 1]"),
        (["a" * 300], {"value": None}, f"f('{'a' * 197}…", "None"),
        ([], {"value": list(range(30_000))}, "f", "what cannot be shown"),
    ],
    ids=["list", "float", "set", "address", "object", "error", "chance", "long", "very large"],
)
def test_a_step_is_a_text_that_a_person_reads(
    arguments: list[Any], answer: dict[str, Any], question: str, text: str
):
    assert told_of(*arguments, **answer)[2:4] == [question, text]


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ({"value": 1.1 + 2.2}, {"value": 3.3}, True),
        ({"value": 1}, {"value": True}, False),
        ({"error": ERROR}, {"error": [["KeyError"], *ERROR[1:]]}, False),
        ({"error": ERROR}, {"error": [ERROR[0], "Mine", "at 0x1", ["f", 3]]}, True),
        ({"value": HANDLE}, {"value": {"handle": [99, "instance", "Game"]}}, True),
    ],
    ids=["rounding", "types", "errors", "their words", "numbers of objects"],
)
def test_programs_that_do_the_same_have_one_digest(one: Any, other: Any, are_one: bool):
    assert (told_of(1, **one)[0] == told_of(1, **other)[0]) == are_one


@pytest.mark.parametrize(
    "holding",
    [set, lambda items: {(1, frozenset(items))}, lambda items: OrderedDict(a=[set(items)])],
    ids=["a set", "in a set", "in a dictionary"],
)
def test_equal_sets_have_one_text_in_whatever_order_their_hashes_put_the_items(
    holding: Callable[[list[Any]], Any],
):
    values = [holding(items) for items in ([0, 8, ()], [8, 0, ()])]  # 0 and 8 collide
    assert len({repr(value) for value in values}) == 2
    assert len({tuple(told_of(1, value=Encoder().encode(value))) for value in values}) == 1


def test_an_equal_answer_of_another_type_is_shown_only_if_there_is_no_other():
    ours, theirs = Trace(), Trace()
    for trace, values in ((ours, (2, 3)), (theirs, (2.0, 2.5))):
        for number, value in enumerate(values):
            call(trace, number, value=value)
    assert ours.told(theirs.of_key())[2:] == ["f(1)", "3", "2.5"]
    assert told_of(1, value=2, key=2.0)[2:] == ["f(1)", "2", "2.0"]


def test_of_what_chance_answers_only_type_and_size_count():
    first, second, longer = ([3, 1], [1, 3], [1, 3, 5])
    digests = [told_of(Random(1), value=value)[0] for value in (first, second, longer)]
    assert digests[0] == digests[1] != digests[2]


def test_an_answer_that_did_not_come_says_so_and_a_right_trace_names_no_step():
    trace = Trace()
    calls = {"do": "many", "calls": [[1], [2]], "chance at": None}
    trace.note("f", calls, "no answer in time")
    assert trace.told([])[1:] == ["f", "f(1) and 1 more", "no answer in time", ""]
    assert told_of(1, value=2, key=2)[1:] == ["", "f(1)", "2", ""]


def test_tests_without_a_trace_are_grouped_by_what_they_say():
    def group(message: str) -> str:
        cells = (Cell("t", CellKind.TEST, "show(2)", 1.0),)
        failed = CheckResult("t", 0.0, 1.0, Outcome.FAILED, message)
        submission = Submission("ps1", cells, answered={"show": ("a",)})
        found = with_groups({"t": failed}, {}, submission)["t"].difference
        assert found is not None
        assert (found.cell, found.question) == ("a", "")
        return found.group

    same = group("AssertionError: <A object at 0x7f1>")
    assert same == group("AssertionError: <A object at 0x7f2>") != group("AssertionError")
    assert same.startswith("show-")


def test_of_a_name_that_is_answered_again_the_answer_last_above_a_test_counts():
    kinds = {"a": CellKind.STUDENT, "s": CellKind.TEST, "b": CellKind.STUDENT, "t": CellKind.TEST}
    cells = tuple(Cell(name, kind, "show(2)") for name, kind in kinds.items())
    submission = Submission("ps1", cells, answered={"show": ("a", "b"), "late": ("b",)})
    checks = {name: CheckResult(name, 0.0, 1.0, Outcome.FAILED, "no") for name in "st"}
    found = with_groups(checks, {"s": ["12", "show", "show(2)", "1", "2"]}, submission)
    differences = [found[name].difference for name in "st"]
    assert [one and one.cell for one in differences] == ["a", "b"]
    assert len({one and one.group for one in differences}) == 2
    assert submission.answer_of("late", "s") == "b"


def test_what_is_read_of_an_object_is_about_the_answer_that_defines_it():
    marks = {"nbgrader": {"solution": True}}
    answers = ("Game", "Game-move", "Game-won", "Game-str")
    cells = [Cell(name, CellKind.STUDENT, "", metadata=marks) for name in answers]
    test = Cell("t", CellKind.TEST, "check(Game)", 1.0)
    submission = Submission("ps1", (*cells, test), answered={"Game": ("Game",)})

    def answer_of(told: list[str], *above: Cell) -> str:
        failed = CheckResult("t", 0.0, 1.0, Outcome.FAILED, "no")
        here = replace(submission, cells=(*above, test) if above else submission.cells)
        found = with_groups({"t": failed}, {"t": told}, here)["t"].difference
        assert found is not None
        return found.cell

    reads = [["call", "move", "left"], ["get", "board"], ["has", "won"], ["text"]]
    asked = [{"do": "steps", "steps": [Encoder().encode(step)]} for step in reads]

    def told(*answers: Any) -> list[str]:
        ours, key = Trace(), Trace()
        for trace, said in ((ours, answers), (key, (True, 2, False, "2"))):
            for question, one in zip(asked, said, strict=True):
                trace.note("Game", question, {"taken": [[one], None]})
        return ours.told(key.of_key())

    assert answer_of(told(None, 2, False, "2")) == "Game-move"
    assert answer_of(told(True, 4, False, "2")) == "Game-move"
    assert answer_of(told(True, 2, True, "2")) == "Game-won"
    assert told(True, 2, True, "2")[2:] == ["hasattr(Game, 'won')", "True", "False"]
    assert answer_of(told(True, 2, False, "4")) == "Game-str"
    same = told(True, 2, False, "2")
    assert (answer_of(same, *cells[:2]), answer_of(same, cells[0])) == ("Game-move", "Game")
