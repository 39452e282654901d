"""A function is watched: every line is a step, and nothing it does becomes another."""

import json
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course import rules
from course.steps.record import record
from course.steps.recorder import MOST_STEPS
from tests.course.match import learners
from tests.course.steps import programs

BOARD = [[2, 2, 0, 4], [0, 4, 4, 0], [0, 0, 2, 2], [16, 0, 0, 0]]


def first_line(function) -> int:
    return function.__code__.co_firstlineno


def told(function, *arguments) -> list[str]:
    """What is said, with lines counted from the function's own first line, which is 0."""
    recording = record(function, arguments)
    start = first_line(function)
    return [
        f"{step['line'] - start if step['line'] else '-'} {step['words']}"
        for step in recording.steps
    ]


def test_every_line_says_what_it_changed() -> None:
    assert told(programs.points, [2, 2, 0])[-8:] == [
        "2 gained is now 0.",
        "3 index is now 0.",
        "4 index < len(tiles) - 1? Yes.",
        "5 tiles[index] == tiles[index + 1] != 0? Yes.",
        "6 gained is now 4.",
        "7 index is now 2.",
        "4 index < len(tiles) - 1? No.",
        "10 points gives back 4.",
    ]


def test_a_loop_says_each_round_and_its_end() -> None:
    def loops(line):
        for tile in line:  # noqa: B007
            pass

    assert told(loops, [2, 2]) == [
        "- loops([2, 2]) starts.",
        "1 tile is now 2.",
        "2 No variable changed.",
        "1 tile is 2 again.",
        "2 No variable changed.",
        "1 The loop is over.",
        "1 loops ends without return, so it gives back None.",
    ]


def test_a_helper_is_stepped_through_and_gives_back() -> None:
    recording = record(programs.merge, ([2, 0, 2],))
    names = [
        [recording.states[index]["name"] for index in step["stack"]] for step in recording.steps
    ]
    assert ["merge", "close_gaps"] in names
    gave = [step for step in recording.steps if step["kind"] == "return"]
    assert [step["gave"]["rows"] for step in gave] == [[[2, 2, 0]], [[4, 0, 0]], [[4, 0, 0]]]
    titles = [block["name"] for block in recording.blocks]
    assert titles == ["merge", "close_gaps"]


def test_a_line_marks_the_squares_that_changed() -> None:
    recording = record(programs.merge, ([2, 2],))
    [step] = [step for step in recording.steps if step["words"] == "squares[0] is now 4."]
    variables = recording.states[step["stack"][-1]]["variables"]
    squares = next(variable for variable in variables if variable["name"] == "squares")
    assert (squares["changed"], squares["marks"]) == ("Changed", [[0, 0]])


def test_what_a_call_is_given_is_not_marked_as_changed() -> None:
    recording = record(programs.merge, ([2, 2],))
    first = recording.states[recording.steps[0]["stack"][0]]["variables"]
    assert [variable["name"] for variable in first] == ["line"]
    assert "changed" not in first[0]


def test_the_course_s_own_is_one_step_with_its_name() -> None:
    words = told(programs.calls_the_course, [2, 2])
    assert words[:2] == ["- calls_the_course([2, 2]) starts.", "1 squares is now [4, 0]."]
    assert "1 slide([[2, 2]], 'left') gives back [[4, 0]]." in told(
        programs.take_turn, [[2, 2]], "left", Random(1)
    )
    spawned = [step["words"] for step in record(programs.spawn, ([[2, 0]], Random(1))).steps]
    assert "rng.choice([(0, 1)]) gives back (0, 1)." in spawned


def test_a_list_in_brackets_is_filled_round_by_round() -> None:
    assert told(programs.close_gaps, [2, 0])[1:4] == [
        "2 tile is now 2.",
        "2 tile is now 0.",
        "2 tiles is now [2].",
    ]


def test_recursion_is_a_stack_of_calls() -> None:
    recording = record(programs.merge_by_itself, ([2, 2, 4, 8],))
    assert recording.answer == [4, 4, 8, 0]
    assert max(len(step["stack"]) for step in recording.steps) == 3
    assert recording.blocks[0]["name"] == "merge_by_itself"
    assert len(recording.blocks) == 1


def test_deep_calls_are_shown_in_part_and_counted() -> None:
    recording = record(programs.remembers, (30,))
    deepest = max(recording.steps, key=lambda step: step["hidden"])
    assert (len(deepest["stack"]), deepest["hidden"]) == (5, 25)


def test_a_generator_hands_out_and_sleeps() -> None:
    words = told(programs.asks_for_more, 2)
    assert [each for each in words if "hands out" in each or "hand out" in each] == [
        "-3 hands_out hands out 1.".replace("-3", str(hands_out_line())),
        "-3 hands_out hands out 0.".replace("-3", str(hands_out_line())),
        f"{hands_out_line() - 2} hands_out has nothing more to hand out.",
    ]
    assert record(programs.hands_out, (3,)).answer == [2, 1, 0]


def hands_out_line() -> int:
    return first_line(programs.hands_out) + 3 - first_line(programs.asks_for_more)


def test_a_function_in_a_function_changes_the_outer_one_s_variable() -> None:
    recording = record(programs.counts, ())
    assert recording.answer == 6
    assert "total is now 2." in [step["words"] for step in recording.steps]


def test_an_object_shows_what_is_stored_in_it_and_stays_as_it_was() -> None:
    game = programs.Game(BOARD, Random(3))
    twin = programs.Game(BOARD, Random(3))
    recording = record(game.move, ("left",))
    assert (recording.answer, recording.call) == (True, "Game.move('left')")
    assert (game.board, game.score, game.moves) == (BOARD, 0, 0)
    twin.move("left")
    last = recording.states[recording.steps[-1]["stack"][0]]["variables"][0]["value"]
    shown = {each["name"]: each["value"] for each in last["fields"]}
    assert (last["name"], shown["board"]["rows"]) == ("Game", twin.board)
    assert shown["score"]["text"] == str(twin.score)
    assert "self.moves is now 1." in [step["words"] for step in recording.steps]
    assert "Game.is_over() is called." in [step["words"] for step in recording.steps]


def test_a_class_method_is_watched() -> None:
    recording = record(programs.Game.empty, (2,))
    assert recording.answer.board == [[0, 0], [0, 0]]
    assert "Game.__init__ is done: the new object is ready." in recording.words[-2]


def test_an_error_ends_at_its_line() -> None:
    recording = record(programs.runs_off_the_end, ([2, 4],))
    last = recording.steps[-1]
    assert (recording.end, last["kind"]) == ("raised", "error")
    assert last["code"] == "if line[index] == line[index + 1]:"
    assert last["words"] == "This line fails. IndexError: list index out of range."
    assert isinstance(recording.error, IndexError)


def test_an_error_in_a_helper_stays_where_it_was() -> None:
    recording = record(programs.spawn, ([[2]], Random(1)))
    assert recording.words[-1].endswith("This line fails. ValueError: the board is full.")
    recording = record(learners.divides, ([2],))
    last = recording.steps[-1]
    assert [recording.states[index]["name"] for index in last["stack"]] == ["divides", "helper"]


def test_a_caught_error_is_told_and_the_steps_go_on() -> None:
    recording = record(programs.catches, ([2],))
    assert (recording.end, recording.answer) == ("returned", [])
    kinds = [step["kind"] for step in recording.steps]
    assert kinds.count("error") == 1
    assert kinds[-1] == "return"


def test_a_stub_is_told_that_its_code_is_missing() -> None:
    last = record(programs.stub, ([2],)).steps[-1]
    assert last["words"] == "Your code is still missing here (NotImplementedError)."


def test_what_is_printed_is_known_at_each_step() -> None:
    recording = record(programs.prints, ([2],))
    assert recording.printed == "The line is [2]\nIt has 1 squares\n"
    assert [recording.printed[: step["printed"]].count("\n") for step in recording.steps] == [
        0,
        1,
        2,
        2,
    ]
    assert recording.steps[1]["words"] == "It prints: The line is [2]"


def test_two_names_of_one_list_are_told() -> None:
    recording = record(programs.changes_its_argument, ([2],))
    variables = recording.states[recording.steps[-1]["stack"][0]]["variables"]
    assert [variable.get("same") for variable in variables] == [None, "line"]
    assert "line[0] is now 8, same_line[0] is now 8." in [s["words"] for s in recording.steps]


def test_arguments_are_copied_and_the_copies_are_kept() -> None:
    line = [2, 4]
    recording = record(programs.changes_its_argument, (line,))
    assert (line, recording.arguments) == ([2, 4], ([8, 4],))


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
    recording = record(function, arguments)
    assert len(recording.steps) == MOST_STEPS + 1
    assert recording.words[-1].startswith("Only the first 1,000 steps are shown.")
    assert recording.words[-1].endswith(last)


def test_endless_lines_within_one_statement_are_ended() -> None:
    def endless():
        return [number + 1 for number in iter(int, 1)]

    assert record(endless, ()).end == "too long"


def test_somebody_stops_it() -> None:
    recording = record(learners.is_interrupted, ([2],))
    assert recording.end == "stopped"
    assert "was stopped" in recording.words[-1]


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


class Hostile:
    """Everything that looks at it from outside is noticed."""

    asked: list[str] = []  # noqa: RUF012

    def __init__(self):
        self.tile = 2

    def __repr__(self):
        self.asked.append("repr")
        raise ValueError

    __str__ = __repr__

    def __eq__(self, other):
        self.asked.append("eq")
        return True

    __hash__ = None

    def __len__(self):
        self.asked.append("len")
        return 3

    def __iter__(self):
        self.asked.append("iter")
        return iter([1])

    def __getattr__(self, name):
        if not name.startswith("__"):
            self.asked.append(name)
        raise AttributeError(name)

    @property
    def __class__(self):
        self.asked.append("class")
        return list

    @property
    def secret(self):
        self.asked.append("secret")
        return 1


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
    assert record(learners.evil, ([2],)).words[-1].endswith("This line fails. EvilError.")


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


def test_chance_is_what_it_would_be_without_being_watched() -> None:
    watched, plain = Random(7), Random(7)
    recording = record(programs.spawn, (BOARD, watched))
    assert recording.answer == programs.spawn(BOARD, plain)
    assert recording.arguments[1].getstate() == plain.getstate()
    assert watched.getstate() == Random(7).getstate()


def test_what_is_not_the_learner_s_own_is_not_stepped_through() -> None:
    recording = record(rules.merge, ([2, 2],))
    assert (recording.answer, recording.blocks) == ([4, 0], [])
    assert recording.words == ["It gives back [4, 0]."]
    assert record(len, ([2, 2],)).answer == 2


def test_a_function_of_a_cell_is_stepped_through_also_when_another_file_calls_it() -> None:
    recording = record(programs.sorts, ([2, 8],))
    assert recording.answer == [8, 2]
    assert "the lambda gives back -8." in [step["words"] for step in recording.steps]


def test_a_statement_over_several_lines_is_one_step() -> None:
    def several():
        squares = [
            len("ab"),
            len("abcd"),
        ]
        return squares  # noqa: RET504

    assert told(several) == [
        "- several() starts.",
        "1 squares is now [2, 4].",
        "5 several gives back [2, 4].",
    ]


def test_an_error_in_a_statement_over_several_lines_names_its_own_line() -> None:
    def several(line):
        return [
            line[0],
            line[1],
        ]

    assert told(several, [2])[-1] == "3 This line fails. IndexError: list index out of range."


def test_a_statement_over_several_lines_is_marked_as_a_whole() -> None:
    recording = record(programs.slide_by_turning, (BOARD, "left"))
    [step] = [step for step in recording.steps if step["words"].startswith("turns is now")]
    lines = recording.states[step["stack"][0]]["lines"]
    assert lines[1] - lines[0] == 5


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


def plainly(function, arguments) -> tuple:
    try:
        return function(*arguments), None, arguments
    except Exception as error:
        return None, (type(error), error.args), arguments


@given(CALLS)
@settings(max_examples=150, deadline=None)
def test_a_watched_run_is_the_same_as_one_that_is_not(call) -> None:
    function, arguments = call
    recording = record(function, arguments)
    answer, error, changed = plainly(function, arguments)
    assert recording.answer == answer
    seen = recording.error
    assert (seen and (type(seen), seen.args)) == error
    for mine, other in zip(recording.arguments, changed, strict=True):
        if isinstance(mine, Random):
            assert mine.getstate() == other.getstate()
        else:
            assert mine == other
    json.dumps([recording.steps, recording.states, recording.blocks])
