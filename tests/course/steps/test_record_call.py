"""Recording a call: the function acts as if it were not recorded; an endless one is stopped."""

import json
import sys
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course import rules
from course.steps.record_call import record
from course.steps.recorder import MOST_STEPS
from tests.course.playing import learners
from tests.course.steps import programs
from tests.course.steps.programs import words_of


def endless_list():
    return [number + 1 for number in iter(int, 1)]


@pytest.mark.parametrize(
    ("function", "arguments", "last"),
    [
        (programs.never_ends, ([2],), "Does one of its loops never end?"),
        (programs.catches_everything_and_never_ends, ([2],), "Does one of its loops never end?"),
        (programs.ends_late, (2000,), "In the end, it gives back 'done'."),
        (programs.never_stops_calling_itself, (0,), "must stop doing so at some time."),
    ],
    ids=["a loop", "a loop that catches everything", "it ends later", "recursion"],
)
def test_what_takes_too_many_steps_is_ended_and_said(function, arguments, last) -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 500)  # the tests themselves use some of the depth
    try:
        recording = record(function, arguments)
    finally:
        sys.setrecursionlimit(limit)
    assert len(recording.steps) == MOST_STEPS + 1
    assert words_of(recording)[-1].startswith("Only the first 1,000 steps are shown.")
    assert words_of(recording)[-1].endswith(last)


def test_endless_lines_within_one_statement_are_ended_and_somebody_may_stop_it() -> None:
    assert record(endless_list, ()).end == "too long"
    recording = record(learners.is_interrupted, ([2],))
    assert recording.end == "stopped"
    assert "was stopped" in words_of(recording)[-1]


@pytest.mark.parametrize(
    "function",
    [
        programs.merge,
        programs.stub,
        programs.never_ends,
        programs.catches_everything_and_never_ends,
        programs.never_stops_calling_itself,
        learners.is_interrupted,
        learners.leaves,
    ],
)
def test_the_tracing_that_was_on_is_on_again(function) -> None:
    def debugger(frame, event, arg):
        return None

    before, limit = sys.gettrace(), sys.getrecursionlimit()
    sys.settrace(debugger)
    try:
        record(function, ([2, 2],))
        after = sys.gettrace()
    finally:
        sys.settrace(before)
    assert after is debugger
    assert sys.getrecursionlimit() == limit


LINES = st.lists(st.sampled_from([0, 2, 4, 8]), min_size=1, max_size=6)
DIRECTIONS = st.sampled_from([*rules.DIRECTIONS, "away"])


@st.composite
def boards(draw):
    width = draw(st.integers(1, 4))
    row = st.lists(st.sampled_from([0, 0, 2, 4]), min_size=width, max_size=width)
    return draw(st.lists(row, min_size=1, max_size=4))


CALLS = st.one_of(
    *(
        st.tuples(st.just(function), st.tuples(LINES))
        for function in (
            programs.close_gaps,
            programs.merge,
            programs.has_pair,
            programs.points,
            programs.merge_by_itself,
            programs.runs_off_the_end,
            programs.catches,
            programs.changes_its_argument,
            programs.sorts,
            learners.cascade,
            learners.raises,
        )
    ),
    *(
        st.tuples(st.just(function), st.tuples(boards()))
        for function in (programs.rotate, programs.empty_cells, programs.is_over)
    ),
    st.tuples(st.just(programs.slide_by_turning), st.tuples(boards(), DIRECTIONS)),
    st.tuples(
        st.just(programs.take_turn),
        st.tuples(boards(), DIRECTIONS, st.builds(Random, st.integers())),
    ),
)


def state(arguments) -> list:
    return [each.getstate() if isinstance(each, Random) else each for each in arguments]


@given(CALLS)
@settings(max_examples=150)
def test_a_watched_run_is_the_same_as_one_that_is_not(call) -> None:
    function, arguments = call
    before = deepcopy(state(arguments))
    recording = record(function, arguments)
    assert state(arguments) == before
    answer = error = None
    try:
        answer = function(*arguments)
    except Exception as raised:
        error = (type(raised), raised.args)
    assert recording.answer == answer
    seen = recording.error
    assert (seen and (type(seen), seen.args)) == error
    assert state(recording.arguments) == state(arguments)
    json.dumps([recording.steps, recording.states, recording.blocks])
